//! The kinds of virtual traders, and the orders that each kind places at the prices of its market.

use exchange::catalogue::Engine;
use exchange::numbers::{Money, Shares};
use exchange::order::{NewOrder, Outcome};
use fastrand::Rng;
use serde::{Deserialize, Serialize};

use super::Trader;
use crate::orders::Place;

/// Price levels on each side of a maker's quotes.
const LEVELS: i64 = 3;
/// How many cents a toxic trader goes through.
const SWEEP_CENTS: i64 = 3;

/// How a virtual trader trades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Behaviour {
    /// Replaces its quotes on both sides at every act.
    Maker,
    /// Spends small amounts on either outcome, without a reason.
    Noise,
    /// Knows the fair price, and takes every offer that is better.
    Informed,
    /// Takes several levels in one direction, several times in a row: the flow that makers lose money to.
    Toxic,
}

impl Behaviour {
    /// Seconds between two acts, if the request does not say.
    pub(crate) const fn every(self) -> u32 {
        match self {
            Behaviour::Maker => 5,
            Behaviour::Noise => 10,
            Behaviour::Informed | Behaviour::Toxic => 15,
        }
    }

    /// Whether it needs a book.
    pub(crate) const fn needs_book(self) -> bool {
        !matches!(self, Behaviour::Noise)
    }
}

/// A market as a trader sees it. Prices are of YES, in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    pub(super) engine: Engine,
    pub(super) price: i64,
    pub(super) bid: Option<i64>,
    pub(super) ask: Option<i64>,
    /// The direction of a toxic trader's run.
    pub(super) is_rising: bool,
}

/// The orders of an act.
pub(super) fn choose(trader: &Trader, place: Place, sight: &Sight, rng: &mut Rng) -> Vec<NewOrder> {
    let size = Shares::whole(i64::from(trader.size.max(1)));
    let fair = trader.fair.map(i64::from);
    match trader.behaviour {
        Behaviour::Maker => {
            let (fair, half) = (fair.unwrap_or(sight.price), i64::from(trader.spread.max(1)));
            // An odd spread is one cent wider below.
            let (below, above) = ((half + 1) / 2, half / 2);
            let quote = |level: i64| {
                [
                    place.bid(Outcome::Yes, (fair - below - level).max(1), size),
                    place.bid(Outcome::No, (100 - fair - above - level).max(1), size),
                ]
            };
            (0..LEVELS).flat_map(quote).collect()
        }
        Behaviour::Noise => {
            let outcome = if rng.bool() { Outcome::Yes } else { Outcome::No };
            let dollars = rng.i64(1..=i64::from(trader.size.max(1)));
            vec![place.spend(outcome, Money::whole(dollars * place.currency.base()))]
        }
        Behaviour::Informed => {
            let fair = fair.unwrap_or(50);
            match (sight.ask, sight.bid) {
                (Some(ask), _) if ask < fair => vec![place.take(Outcome::Yes, fair - 1, size)],
                (_, Some(bid)) if bid > fair => vec![place.take(Outcome::No, 100 - fair - 1, size)],
                _ => Vec::new(),
            }
        }
        Behaviour::Toxic => {
            let triple = Shares::whole(3 * i64::from(trader.size.max(1)));
            match (sight.is_rising, sight.ask, sight.bid) {
                (true, Some(ask), _) => {
                    vec![place.take(Outcome::Yes, (ask + SWEEP_CENTS).min(99), triple)]
                }
                (false, _, Some(bid)) => {
                    vec![place.take(Outcome::No, (100 - bid + SWEEP_CENTS).min(99), triple)]
                }
                _ => Vec::new(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use exchange::id::MarketId;
    use exchange::numbers::Currency;
    use uuid::Uuid;

    use super::*;

    fn orders(behaviour: Behaviour, fair: Option<u8>, sight: Sight) -> Vec<(u64, Option<u8>)> {
        let trader = Trader {
            name: "virtual".to_owned(),
            user_id: Uuid::nil(),
            behaviour,
            market_id: Uuid::nil(),
            currency: "USD".to_owned(),
            every: 1,
            size: 10,
            fair,
            spread: 3,
        };
        let place = Place { market: MarketId::new(1), currency: Currency::Usd };
        let yes = place.bid(Outcome::Yes, 1, Shares::ZERO).outcome;
        let chosen = choose(&trader, place, &sight, &mut Rng::with_seed(1));
        let shown =
            |order: &NewOrder| (u64::from(order.outcome != yes), order.price.map(|price| price.cents()));
        chosen.iter().map(shown).collect()
    }

    const BOOK: Sight =
        Sight { engine: Engine::Clob, price: 50, bid: Some(48), ask: Some(52), is_rising: true };

    #[test]
    fn a_maker_quotes_both_sides_around_its_price() {
        let quotes = orders(Behaviour::Maker, Some(60), BOOK);
        let expected = [(0, 58), (1, 39), (0, 57), (1, 38), (0, 56), (1, 37)];
        assert_eq!(quotes, expected.map(|(outcome, cents)| (outcome, Some(cents))));
    }

    #[test]
    fn an_informed_trader_takes_what_is_better_than_its_price_and_nothing_else() {
        assert_eq!(orders(Behaviour::Informed, Some(60), BOOK), [(0, Some(59))]);
        assert_eq!(orders(Behaviour::Informed, Some(40), BOOK), [(1, Some(59))]);
        assert!(orders(Behaviour::Informed, Some(50), BOOK).is_empty());
    }

    #[test]
    fn a_toxic_trader_goes_through_several_levels_in_its_direction() {
        assert_eq!(orders(Behaviour::Toxic, None, BOOK), [(0, Some(55))]);
        assert_eq!(orders(Behaviour::Toxic, None, Sight { is_rising: false, ..BOOK }), [(1, Some(55))]);
        assert!(orders(Behaviour::Toxic, None, Sight { ask: None, ..BOOK }).is_empty());
    }

    #[test]
    fn a_noise_trader_needs_no_book() {
        assert_eq!(orders(Behaviour::Noise, None, Sight { bid: None, ask: None, ..BOOK }).len(), 1);
    }
}
