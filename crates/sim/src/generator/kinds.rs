//! The frequencies of commands. Each seed makes some frequent and omits others (swarm testing).

use crate::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Place,
    PlaceBatch,
    Amend,
    Cancel,
    CancelBatch,
    CancelAll,
    Mint,
    Burn,
    People,
    Funds,
    NewEvent,
    Lifecycle,
    Resolve,
    CancelMarkets,
    Pool,
    Series,
    Price,
    Sports,
    Rules,
    Governance,
    Operators,
    Accounts,
}

const USUAL: [(Kind, usize); 22] = [
    (Kind::Place, 560),
    (Kind::PlaceBatch, 70),
    (Kind::Amend, 130),
    (Kind::Cancel, 25),
    (Kind::CancelBatch, 12),
    (Kind::CancelAll, 3),
    (Kind::Mint, 60),
    (Kind::Burn, 30),
    (Kind::People, 30),
    (Kind::Funds, 25),
    (Kind::NewEvent, 6),
    (Kind::Lifecycle, 9),
    (Kind::Resolve, 3),
    (Kind::CancelMarkets, 2),
    (Kind::Pool, 14),
    (Kind::Series, 6),
    (Kind::Price, 20),
    (Kind::Sports, 4),
    (Kind::Rules, 4),
    (Kind::Governance, 26),
    (Kind::Operators, 16),
    (Kind::Accounts, 14),
];

#[derive(Clone, Debug)]
pub(super) struct Weights {
    weights: Vec<(Kind, usize)>,
    total: usize,
}

impl Weights {
    pub(super) fn swarm(random: &mut Random) -> Weights {
        let spread = |(kind, weight): (Kind, usize), random: &mut Random| {
            // Without placements and new events a run would have nothing to do.
            let factors: [usize; 6] = if matches!(kind, Kind::Place | Kind::NewEvent) {
                [2, 4, 4, 4, 6, 8]
            } else {
                [0, 1, 4, 4, 6, 14]
            };
            (kind, weight * random.one_of(factors) / 4)
        };
        let weights: Vec<_> = USUAL.into_iter().map(|usual| spread(usual, random)).collect();
        let total = weights.iter().map(|(_, weight)| weight).sum();
        Weights { weights, total }
    }

    pub(super) fn pick(&self, random: &mut Random) -> Kind {
        let mut point = random.below(self.total);
        for (kind, weight) in &self.weights {
            if point < *weight {
                return *kind;
            }
            point -= weight;
        }
        Kind::Place
    }
}
