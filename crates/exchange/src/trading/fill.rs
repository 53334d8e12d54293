//! One fill: money, shares, cost basis, fee, statistics and its report. Includes the table of the four crosses.

use crate::book::{BookSide, Fill};
use crate::catalogue::{LastTrade, Venue};
use crate::change::{Change, MatchType, OrderCause, Party, Trade};
use crate::exchange::Exchange;
use crate::id::{OrderId, UserId};
use crate::index::{ListingIndex, UserIndex};
use crate::ledger::Account;
use crate::numbers::{Currency, Money, Price, Shares};
use crate::order::{Order, OrderSlot, OrderState, OrderStatus, Outcome, Side};
use crate::position::{Holding, PositionSlot};

impl Exchange {
    /// Applies the fills of a plan for the order `terms`, which is not on the book (any more).
    pub(crate) fn take_fills(
        &mut self,
        user: UserIndex,
        position: PositionSlot,
        listing: ListingIndex,
        terms: &mut OrderState,
        fills: &[Fill],
    ) {
        if fills.is_empty() {
            return;
        }
        if let Venue::Book(book) = &mut self.catalogue.listing_mut(listing).venue {
            book.take(fills);
        }
        for fill in fills {
            self.fill(user, position, listing, terms, fill);
        }
        terms.updated_at = self.now;
    }

    fn fill(
        &mut self,
        user: UserIndex,
        position: PositionSlot,
        listing: ListingIndex,
        terms: &mut OrderState,
        fill: &Fill,
    ) {
        let (currency, shares) = (listing.currency(), fill.quantity);
        let maker_slot = fill.order;
        let maker_order = &self.orders[maker_slot];
        assert!(maker_order.user != user, "maker and taker are different users");
        let mut taker = TradeParty::new(user, position, Asked::by(terms), fill, currency);
        taker.fee = terms.fee_rate.on_next_fill(terms.taker_value, taker.value);
        let mut maker =
            TradeParty::new(maker_order.user, maker_order.position, Asked::of(maker_order), fill, currency);
        maker.rested = true;

        let match_type = self.exchange_shares(listing, &mut taker, &mut maker, shares);

        let place = self.catalogue.listing_mut(listing);
        place.resting -= maker.value;
        place.volume = place.volume.saturating_add(taker.value);
        place.activity.record(self.now, taker.value, 0);
        place.last_trade = Some(LastTrade { price: fill.price, side: taker.side.on_book(taker.outcome) });
        place.stats.record(self.now, fill.price, shares);
        self.changes.push(Change::Trade(Trade {
            index: terms.trades,
            market: self.catalogue.market(listing.market()).id,
            currency,
            match_type,
            size: shares,
            taker: taker.party(self.directory.user(taker.user).id),
            maker: maker.party(self.directory.user(maker.user).id),
            taker_fee: taker.fee,
            fee_rate: terms.fee_rate,
        }));

        terms.filled += shares;
        terms.value += taker.value;
        terms.taker_value += taker.value;
        terms.fee += taker.fee;
        terms.trades += 1;

        self.fill_maker(maker_slot, shares, maker.value, fill.closes);
    }

    /// Adds a fill to a resting order and reports it; a closing fill removes the order.
    #[inline]
    fn fill_maker(&mut self, slot: OrderSlot, shares: Shares, value: Money, closes: bool) {
        if closes {
            let order = self.orders.remove(slot);
            let mut terms = order.terms.to_state();
            terms.filled += shares;
            terms.value += value;
            terms.updated_at = self.now;
            let record = self.unlist_closed(&order, terms, OrderStatus::Filled);
            self.changes.push(Change::Order { record, cause: OrderCause::Filled });
            return;
        }
        let order = &mut self.orders[slot];
        let progress = &mut *order.terms.progress;
        let is_first_fill = progress.filled == Shares::ZERO;
        progress.filled += shares;
        progress.value += value;
        progress.updated_at = Some(self.now);
        let (user, listing, terms) = (order.user, order.listing, order.terms.to_state());
        if is_first_fill {
            self.directory.user_mut(user).open_orders.note_fill(terms.serial);
        }
        let record = self.reported(user, listing, terms, OrderStatus::PartialFilled);
        self.changes.push(Change::Order { record, cause: OrderCause::Filled });
    }

    /// Moves money, shares and collateral for both parties: a MINT creates sets, a MERGE removes them.
    fn exchange_shares(
        &mut self,
        listing: ListingIndex,
        taker: &mut TradeParty,
        maker: &mut TradeParty,
        shares: Shares,
    ) -> MatchType {
        let currency = listing.currency();
        let (match_type, collateral) = match (taker.side, maker.side) {
            (Side::Buy, Side::Buy) => (MatchType::Mint, shares.payout(currency)),
            (Side::Sell, Side::Sell) => (MatchType::Merge, -shares.payout(currency)),
            _ => (MatchType::Direct, Money::ZERO),
        };
        let backing = (Account::Collateral(listing), collateral);
        self.ledger.post(currency, &[taker.cash(), maker.cash(), (Account::Fees, taker.fee), backing]);
        for half in [taker, maker] {
            let moved = |holding: &mut Holding| half.move_shares(holding, shares);
            half.cost = self.change_shares(half.position, half.outcome, moved);
        }
        match_type
    }

    /// The own orders of `user` that an order on `side` with this limit would trade with, oldest first.
    pub(crate) fn own_crossers(
        &self,
        user: UserIndex,
        listing: ListingIndex,
        side: BookSide,
        limit: Price,
    ) -> Vec<OrderSlot> {
        let crosses = |slot: &OrderSlot| {
            let order = &self.orders[*slot];
            let price = order.terms.outcome.yes_price(order.price());
            match side {
                BookSide::Bid => price <= limit,
                BookSide::Ask => price >= limit,
            }
        };
        self.own_orders(user, listing, side.opposite()).filter(crosses).collect()
    }

    /// The orders of a user on one side of a book, oldest first. Walks the user's own list: others may have more orders in
    /// the book than one command has time for. The walk ends with the last order of this listing.
    pub(crate) fn own_orders(
        &self,
        user: UserIndex,
        listing: ListingIndex,
        side: BookSide,
    ) -> impl Iterator<Item = OrderSlot> {
        let record = self.directory.users.get(user.slot());
        let position = record.and_then(|record| record.positions.get(&listing));
        let count = position.map_or(0, |position| self.positions[*position].open_orders());
        let open = record.into_iter().flat_map(|record| record.open_orders.iter());
        let of_listing = open.filter(move |entry| entry.listing == listing).take(count as usize);
        of_listing.filter(move |entry| entry.side().on_book(entry.outcome()) == side).map(|entry| entry.slot)
    }
}

/// The order of a party.
struct Asked {
    id: OrderId,
    outcome: Outcome,
    side: Side,
}

impl Asked {
    fn by(taker: &OrderState) -> Asked {
        Asked { id: taker.id, outcome: taker.outcome, side: taker.side }
    }

    fn of(maker: &Order) -> Asked {
        Asked { id: maker.terms.id, outcome: maker.terms.outcome, side: maker.terms.side }
    }
}

/// One party of a fill, in terms of its own outcome.
struct TradeParty {
    user: UserIndex,
    position: PositionSlot,
    order: OrderId,
    outcome: Outcome,
    side: Side,
    price: Price,
    value: Money,
    fee: Money,
    /// The cost of the sold shares.
    cost: Money,
    /// Its order was on the book, so the money or shares it gives are held.
    rested: bool,
}

impl TradeParty {
    fn new(
        user: UserIndex,
        position: PositionSlot,
        asked: Asked,
        fill: &Fill,
        currency: Currency,
    ) -> TradeParty {
        let price = asked.outcome.yes_price(fill.price);
        TradeParty {
            user,
            position,
            order: asked.id,
            outcome: asked.outcome,
            side: asked.side,
            price,
            value: fill.quantity.value_at(price.into(), currency),
            fee: Money::ZERO,
            cost: Money::ZERO,
            rested: false,
        }
    }

    fn cash(&self) -> (Account, Money) {
        match (self.side, self.rested) {
            (Side::Buy, true) => (Account::Held(self.user), -self.value),
            (Side::Buy, false) => (Account::Free(self.user), -(self.value + self.fee)),
            (Side::Sell, _) => (Account::Free(self.user), self.value - self.fee),
        }
    }

    /// Moves the shares and returns the cost of sold ones.
    fn move_shares(&self, holding: &mut Holding, shares: Shares) -> Money {
        match (self.side, self.rested) {
            (Side::Buy, _) => {
                holding.buy(shares, self.value + self.fee);
                Money::ZERO
            }
            (Side::Sell, true) => holding.sell_held(shares, self.value),
            (Side::Sell, false) => holding.sell_free(shares, self.value - self.fee),
        }
    }

    fn party(&self, user: UserId) -> Party {
        let TradeParty { order, outcome, side, price, cost, .. } = *self;
        Party { user, order, outcome, side, price, cost }
    }
}
