//! Frozen users: until the release, only settlement changes the wallet and the positions.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, FreezeUser, Request};
use exchange::id::UserId;
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::{Currency, Money, Shares};
use exchange::position::Holding;
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Before;
use super::deeds::deed;
use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};

pub const SETTLEMENT_ALONE: &str = "after a freeze wallet and positions change by settlement alone";
pub const BY_FREEZES: &str = "users are frozen and released by their own command alone";

/// A user's wallets and positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Belongings {
    /// Free and held, by currency.
    wallets: [(Money, Money); 2],
    positions: BTreeMap<ListingIndex, [Holding; 2]>,
}

impl Belongings {
    fn of(exchange: &Exchange, user: UserIndex) -> Belongings {
        let wallets = Currency::ALL.map(|currency| {
            let wallet = exchange.ledger().wallet(user, currency);
            (wallet.free, wallet.held)
        });
        let positions = exchange.positions_of(user);
        let positions = positions.map(|position| (position.listing, [*position.yes, *position.no]));
        // A position that only had resting orders is removed with its market and not reported, so it is ignored.
        let positions = positions.filter(|(_, holdings)| *holdings != [Holding::default(); 2]);
        Belongings { wallets, positions: positions.collect() }
    }

    /// Whether nothing is held by orders.
    fn is_free(&self) -> bool {
        self.wallets.iter().all(|(_, held)| *held == Money::ZERO)
            && self.positions.values().flatten().all(|holding| holding.held == Shares::ZERO)
    }
}

#[derive(Clone, Debug, Default)]
pub struct FrozenBook {
    frozen: BTreeMap<UserId, Belongings>,
}

impl FrozenBook {
    /// Call it after `exchange` has applied the request.
    pub fn follow(
        &mut self,
        before: &Before,
        exchange: &Exchange,
        request: &Request,
        result: &Result<Reply, Reject>,
        counts: &mut Counts,
    ) -> Result<(), Failure> {
        self.settle(exchange, counts);
        let directory = exchange.directory();
        if let Some(Command::FreezeUser(FreezeUser { user, frozen })) = deed(before, request, result) {
            match directory.find(*user).filter(|_| *frozen) {
                Some(index) => {
                    let is_new = !self.frozen.contains_key(user);
                    counts.note_if(is_new && !exchange.changes().is_empty(), Rare::Frozen);
                    let belongings = Belongings::of(exchange, index);
                    ensure(belongings.is_free(), SETTLEMENT_ALONE, || {
                        format!("user {user} has open orders: {belongings:?}")
                    })?;
                    // A second freeze does not reset the recorded state.
                    self.frozen.entry(*user).or_insert(belongings);
                }
                None => counts.note_if(self.frozen.remove(user).is_some(), Rare::Released),
            }
        }
        for (index, user) in directory.users() {
            let kept = self.frozen.get(&user.id);
            ensure(kept.is_some() == user.frozen, BY_FREEZES, || format!("user {}", user.id))?;
            let Some(kept) = kept else { continue };
            let found = Belongings::of(exchange, index);
            ensure(found == *kept, SETTLEMENT_ALONE, || {
                format!("user {} has {found:?}, not {kept:?}, after {request:?}", user.id)
            })?;
        }
        Ok(())
    }

    /// Applies settlements: the position is removed and its payout added.
    fn settle(&mut self, exchange: &Exchange, counts: &mut Counts) {
        for change in exchange.changes() {
            let Change::Settled(settled) = change else { continue };
            let Some(kept) = self.frozen.get_mut(&settled.user) else { continue };
            let Some(market) = exchange.catalogue().find_market(settled.market) else { continue };
            kept.positions.remove(&ListingIndex::new(market, settled.currency));
            kept.wallets[settled.currency.index()].0 += settled.payout;
            counts.note_if(settled.payout > Money::ZERO, Rare::FrozenPaid);
        }
    }
}
