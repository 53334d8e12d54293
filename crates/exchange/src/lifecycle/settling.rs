//! Settlement of a market: every share is paid from the collateral, in whole cents of the currency's base unit.
//!
//! `p_yes + p_no = 1` and there are as many YES as NO shares, so the payouts equal the collateral exactly: nothing is
//! rounded and nothing remains. The pool's shares belong to the house and are paid like any other. The listing then
//! releases its book, holders and minute statistics.

use crate::catalogue::{Action, EventKind, Settlement, Status, Venue};
use crate::change::{Change, Settled};
use crate::exchange::Exchange;
use crate::index::{EventIndex, ListingIndex, MarketIndex, UserIndex};
use crate::ledger::Account;
use crate::numbers::{Cents, Currency, Money, Shares};
use crate::order::Outcome;
use crate::position::{Position, PositionSlot};

impl Exchange {
    /// Resolves a closed market, and its siblings if it wins a combined event.
    pub(crate) fn resolve(&mut self, market: MarketIndex, outcome: Outcome) {
        let event = self.catalogue.market(market).event;
        self.settle(market, Action::Resolve, winning(outcome));
        if outcome == Outcome::Yes && self.catalogue.event(event).kind == EventKind::Combined {
            self.resolve_siblings(event);
        }
        self.refresh_event(event);
    }

    /// Resolves the siblings of a winner NO. Those that still trade are closed first; cancelled ones stay cancelled.
    fn resolve_siblings(&mut self, event: EventIndex) {
        for market in self.catalogue.event(event).markets.clone() {
            if self.catalogue.market(market).status.after(Action::Close).is_some() {
                self.close_market(market);
            }
            if self.catalogue.market(market).status.after(Action::Resolve).is_some() {
                self.settle(market, Action::Resolve, winning(Outcome::No));
            }
        }
    }

    /// Cancels markets that allow it: refunds resting orders and pays the given price. Then updates their event.
    pub(crate) fn cancel_at_price(&mut self, event: EventIndex, markets: &[MarketIndex], yes: Cents) {
        for market in markets {
            self.settle(*market, Action::Cancel, yes);
        }
        self.refresh_event(event);
    }

    /// Refunds the orders that are left, and pays.
    fn settle(&mut self, market: MarketIndex, action: Action, yes: Cents) {
        self.refund_orders(market);
        let settlement = Settlement { yes, at: self.now };
        self.move_market(market, action);
        self.catalogue.market_mut(market).settlement = Some(settlement);
        for currency in Currency::ALL {
            let listing = ListingIndex::new(market, currency);
            self.dissolve_pool(listing);
            self.pay_holders(listing, settlement);
            assert!(
                self.ledger.collateral(listing) == Money::ZERO,
                "a settlement pays out the whole collateral"
            );
            self.catalogue.listing_mut(listing).give_back();
        }
    }

    /// Moves the pool's shares to the house, with the house's whole investment as their cost.
    fn dissolve_pool(&mut self, listing: ListingIndex) {
        let Venue::Pool(pool) = &mut self.catalogue.listing_mut(listing).venue else { return };
        let Some(pool) = pool.take() else { return };
        let slot = self.position_slot(UserIndex::HOUSE, listing);
        self.positions[slot].yes.buy(pool.yes, pool.seeded.payout(listing.currency()));
        self.positions[slot].no.buy(pool.no, Money::ZERO);
    }

    /// Pays and removes every position, in order of first touch.
    fn pay_holders(&mut self, listing: ListingIndex, settlement: Settlement) {
        for slot in core::mem::take(&mut self.catalogue.listing_mut(listing).holders) {
            self.pay_holder(slot, settlement);
        }
    }

    fn pay_holder(&mut self, slot: PositionSlot, settlement: Settlement) {
        let position = self.positions.remove(slot);
        assert!(position.open_orders() == 0, "a settled market has no resting orders");
        let (user, listing, currency) = (position.user, position.listing, position.listing.currency());
        self.directory.user_mut(user).positions.remove(&listing);
        let (yes, no) = (position.yes.total(), position.no.total());
        let pays = |shares: Shares, outcome| shares.value_at(settlement.cents(outcome), currency);
        let payout = pays(yes, Outcome::Yes) + pays(no, Outcome::No);
        if payout > Money::ZERO {
            self.ledger
                .post(currency, &[(Account::Collateral(listing), -payout), (Account::Free(user), payout)]);
        }
        if is_reported(&position) {
            self.changes.push(Change::Settled(Settled {
                user: self.directory.user(user).id,
                market: self.catalogue.market(listing.market()).id,
                currency,
                yes,
                no,
                yes_pays: settlement.yes,
                payout,
                yes_cost: position.yes.cost,
                no_cost: position.no.cost,
                trade_result: position.yes.realised.saturating_add(position.no.realised),
                is_refund: self.catalogue.market(listing.market()).status == Status::Cancelled,
            }));
        }
    }
}

/// The payout of a YES share when `outcome` wins.
const fn winning(outcome: Outcome) -> Cents {
    match outcome {
        Outcome::Yes => Cents::WHOLE,
        Outcome::No => Cents::NOTHING,
    }
}

/// Whether a settled position is reported. A position that an order created and no fill changed is not.
fn is_reported(position: &Position) -> bool {
    [&position.yes, &position.no]
        .iter()
        .any(|holding| holding.total() > Shares::ZERO || holding.realised != Money::ZERO)
}
