//! Placing, cancelling, minting and burning.

use exchange::book::BookSide;
use exchange::command::{
    BurnSets, CancelAfter, CancelAllOrders, CancelOnDisconnect, CancelOrder, CancelOrders, Command,
    EndConnection, MintSets, PlaceOrders, Request,
};
use exchange::id::{ConnectionId, EventId, MarketId, OperationId, OrderId, OutcomeId};
use exchange::identity::Actor;
use exchange::index::{ListingIndex, MarketIndex, UserIndex};
use exchange::numbers::{Price, Slippage};
use exchange::order::{
    Item, Malformed, NewOrder, OrderKind, OrderPath, Outcome, SelfTrade, Side, Sizing, TimeInForce,
};
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::{Generator, View};

impl Generator {
    pub(super) fn place(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        let new = self.new_order(view, user);
        self.by_user(view, user, Command::PlaceOrder(new))
    }

    pub(super) fn place_batch(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        let count = match self.random.below(30) {
            0 => 0,
            1 => 20,
            2 => 21,
            _ => 1 + self.random.below(5),
        };
        let items = (0..count).map(|_| match self.random.chance(5) {
            true => Item::Malformed(Malformed::new(Text::from("unreadable"))),
            false => Item::Valid(self.new_order(view, user)),
        });
        let items = items.collect();
        self.by_user(view, user, Command::PlaceOrders(PlaceOrders { items }))
    }

    fn new_order(&mut self, view: View<'_>, user: UserIndex) -> NewOrder {
        let market = self.market(view);
        let (currency, outcome) = (self.currency(), self.outcome());
        let listing = market.map(|market| ListingIndex::new(market, currency));
        let held = listing.and_then(|listing| view.exchange.position(user, listing));
        let holds = held.is_some_and(|position| position.holding(outcome).free.units() > 0);
        let side = if self.random.chance(if holds { 50 } else { 8 }) { Side::Sell } else { Side::Buy };
        let kind = if self.random.chance(78) { OrderKind::Limit } else { OrderKind::Market };
        let centre = self.centre(view, listing, outcome);
        let price =
            (kind == OrderKind::Limit || self.random.chance(5)).then(|| self.limit_near(centre, side));
        let sizing = match listing.filter(|_| self.random.chance(50)) {
            Some(listing) => Sizing::Quantity(self.shares(view, user, listing, outcome)),
            None => Sizing::Amount(self.amount(view, user, currency)),
        };
        let time_in_force = self.time_in_force(kind);
        let is_post_only = kind == OrderKind::Limit && self.random.chance(12) || self.random.chance(1);
        NewOrder {
            id: OrderId::new(self.fresh_id()),
            outcome: self.outcome_id(view, market, outcome),
            side,
            kind,
            currency,
            sizing,
            price: price.filter(|_| !self.random.chance(1)),
            time_in_force,
            post_only: is_post_only,
            self_trade: self.random.one_of([
                SelfTrade::Skip,
                SelfTrade::Skip,
                SelfTrade::CancelOldest,
                SelfTrade::CancelNewest,
                SelfTrade::CancelBoth,
            ]),
            max_slippage: self.slippage(kind),
            expires_at: self.expiry(view, market, time_in_force),
            client_order_id: self.random.chance(8).then(|| Text::from(format!("c{}", self.random.below(12)))),
            path: self.path(view, market),
        }
    }

    fn time_in_force(&mut self, kind: OrderKind) -> Option<TimeInForce> {
        match (kind, self.random.below(20)) {
            (_, 0) => Some(self.random.one_of([
                TimeInForce::Gtc,
                TimeInForce::Gtd,
                TimeInForce::Fak,
                TimeInForce::Fok,
            ])),
            (OrderKind::Limit, 1..=9) => None,
            (OrderKind::Limit, 10..=11) => Some(TimeInForce::Gtc),
            (OrderKind::Limit, 12..=14) => Some(TimeInForce::Gtd),
            (OrderKind::Limit, 15..=16) => Some(TimeInForce::Fak),
            (OrderKind::Market, 1..=14) => None,
            _ => Some(TimeInForce::Fok),
        }
    }

    fn slippage(&mut self, kind: OrderKind) -> Option<Slippage> {
        let asked = kind == OrderKind::Market && self.random.chance(35);
        asked.then(|| Slippage::new(self.random.one_of([0, 50, 200, 500, 2_000, 10_000]))).flatten()
    }

    /// An expiry: soon, later, just past, or exactly when the event closes.
    fn expiry(
        &mut self,
        view: View<'_>,
        market: Option<MarketIndex>,
        time_in_force: Option<TimeInForce>,
    ) -> Option<Time> {
        if time_in_force != Some(TimeInForce::Gtd) && !self.random.chance(2) {
            return None;
        }
        let catalogue = view.exchange.catalogue();
        let closing =
            market.and_then(|market| catalogue.event(catalogue.market(market).event).details.closing_date);
        match self.random.below(12) {
            0 => None,
            1 => Some(view.now),
            2..=5 => closing.or(Some(view.now + Span::minutes(5))),
            6..=9 => Some(view.now + Span::seconds(self.random.between(1, 300))),
            _ => Some(view.now + Span::hours(self.random.between(1, 40))),
        }
    }

    /// The current price of an outcome.
    pub(super) fn centre(&mut self, view: View<'_>, listing: Option<ListingIndex>, outcome: Outcome) -> i64 {
        let Some(listing) = listing.map(|listing| view.exchange.catalogue().listing(listing)) else {
            return 50;
        };
        let side = self.random.one_of([BookSide::Bid, BookSide::Ask]);
        let best = listing.book().and_then(|book| book.best(side)).map(|price| i64::from(price.cents()));
        let cents = best.unwrap_or(listing.yes_price().units() / 10_000);
        match outcome {
            Outcome::Yes => cents,
            Outcome::No => 100 - cents,
        }
    }

    fn outcome_id(&mut self, view: View<'_>, market: Option<MarketIndex>, outcome: Outcome) -> OutcomeId {
        let market = market
            .filter(|_| !self.random.chance(1))
            .map(|market| view.exchange.catalogue().market(market).id);
        // Sometimes a market that existed earlier.
        let made = self.some_made(2).and_then(|made| made.markets.first().map(|market| market.id));
        OutcomeId::of(made.or(market).unwrap_or(MarketId::new(99)), outcome as u64)
    }

    fn path(&mut self, view: View<'_>, market: Option<MarketIndex>) -> Option<OrderPath> {
        let market = view.exchange.catalogue().market(market.filter(|_| self.random.chance(20))?);
        let event = view.exchange.catalogue().event(market.event).id;
        let is_wrong = self.random.chance(5);
        Some(OrderPath { event: if is_wrong { EventId::new(5) } else { event }, market: market.id })
    }

    /// An own open order if there is one; sometimes another user's or a closed one.
    pub(super) fn some_order(&mut self, view: View<'_>, user: UserIndex) -> Option<OrderId> {
        let closed: Vec<_> = self.closed_orders.iter().copied().collect();
        if self.random.chance(4) {
            return self.random.pick(&closed).or(Some(OrderId::new(7)));
        }
        let anyone = self.random.chance(4);
        let orders = view.shadow.orders.values().filter(|order| anyone || order.user as usize == user.slot());
        let ids: Vec<_> = orders.map(|order| OrderId::new(order.id)).collect();
        self.random.pick(&ids)
    }

    pub(super) fn cancel(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        let order = self.some_order(view, user).unwrap_or(OrderId::new(7));
        self.by_user(view, user, Command::CancelOrder(CancelOrder { order }))
    }

    pub(super) fn cancel_batch(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        let count = if self.random.chance(4) { 101 } else { self.random.below(6) };
        let orders = (0..count).map(|_| self.some_order(view, user).unwrap_or(OrderId::new(7))).collect();
        self.by_user(view, user, Command::CancelOrders(CancelOrders { orders }))
    }

    pub(super) fn cancel_all(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        if self.random.chance(40) {
            let seconds = self.random.one_of([0, 1, 5, 30, 600, 90_000]);
            return self.by_user(view, user, Command::CancelAfter(CancelAfter { seconds }));
        }
        if self.random.chance(40) {
            return self.connection(view, user);
        }
        let market = self
            .market(view)
            .filter(|_| self.random.chance(60))
            .map(|market| view.exchange.catalogue().market(market));
        let event = market
            .filter(|_| self.random.chance(40))
            .map(|market| view.exchange.catalogue().event(market.event).id);
        let currency = self.random.chance(40).then(|| self.currency());
        let market = market.map(|market| market.id);
        self.by_user(view, user, Command::CancelAllOrders(CancelAllOrders { event, market, currency }))
    }

    /// Arms, disarms or ends a connection. Few ids, so that they collide, but more than may be armed.
    fn connection(&mut self, view: View<'_>, user: UserIndex) -> Request {
        let connection = ConnectionId::new(self.random.below(12) as u128);
        if self.random.chance(50) {
            let enabled = self.random.chance(80);
            return self.by_user(
                view,
                user,
                Command::CancelOnDisconnect(CancelOnDisconnect { connection, enabled }),
            );
        }
        let record = view.exchange.directory().user(user);
        let armed: Vec<_> = record.connections.iter().copied().collect();
        let connection = self.random.pick(&armed).unwrap_or(connection);
        let command = Command::EndConnection(EndConnection { user: record.id, connection });
        Request { actor: Actor::System, idempotency: None, command }
    }

    pub(super) fn mint(&mut self, view: View<'_>) -> Request {
        let (user, currency) = (self.user(view), self.currency());
        let (market, amount) = (self.market_id(view), self.amount(view, user, currency));
        let id = OperationId::new(self.fresh_id());
        self.by_user(view, user, Command::MintSets(MintSets { id, market, currency, amount }))
    }

    /// Burns up to the available sets, plus one unit.
    pub(super) fn burn(&mut self, view: View<'_>) -> Request {
        let user = self.user(view);
        let positions: Vec<_> = view.exchange.positions_of(user).collect();
        let position = self.random.pick(&positions);
        let currency = position.map_or_else(|| self.currency(), |position| position.listing.currency());
        let market = position.map(|position| view.exchange.catalogue().market(position.listing.market()).id);
        let market = market.unwrap_or_else(|| self.market_id(view));
        let sets = position.map(|position| position.yes.free.min(position.no.free).payout(currency));
        let amount = match (sets, self.random.below(4)) {
            (Some(sets), 0) => sets,
            (Some(sets), 1) => exchange::numbers::Money::new(sets.units() + 100 * currency.base()),
            (Some(sets), 2) => exchange::numbers::Money::new(self.random.between(0, sets.units())),
            _ => self.amount(view, user, currency),
        };
        let id = OperationId::new(self.fresh_id());
        self.by_user(view, user, Command::BurnSets(BurnSets { id, market, currency, amount }))
    }

    pub(super) fn market_id(&mut self, view: View<'_>) -> MarketId {
        self.market(view).map_or(MarketId::new(99), |market| view.exchange.catalogue().market(market).id)
    }

    /// The price at which an order of this kind would cross the other side.
    pub(super) fn crossing_price(
        &mut self,
        view: View<'_>,
        listing: ListingIndex,
        outcome: Outcome,
        side: Side,
    ) -> Price {
        let book = view.exchange.catalogue().listing(listing).book();
        let best = book.and_then(|book| book.best(side.on_book(outcome).opposite()));
        match best {
            Some(best) => {
                Price::clamp(i64::from(outcome.yes_price(best).cents()) + self.random.between(-1, 1))
            }
            None => self.price_near(50),
        }
    }
}
