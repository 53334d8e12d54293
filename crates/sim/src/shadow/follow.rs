//! Follows one command: predicts it, compares, and removes orders that time or an operator has closed.

use exchange::Exchange;
use exchange::catalogue::Engine;
use exchange::change::{Change, OrderCause};
use exchange::command::{
    AmendOrders, CancelAllOrders, CancelOrder, CancelOrders, CancelOrdersOf, Command, FreezeUser,
    PlaceOrders, Request, SuspendUser,
};
use exchange::id::{EventId, MarketId, OrderId};
use exchange::identity::Actor;
use exchange::index::{EventIndex, ListingIndex, MarketIndex, UserIndex};
use exchange::numbers::Currency;
use exchange::order::{Amendment, Item, NewOrder, OrderStatus, Side};
use exchange::reject::Reject;
use exchange::reply::{ItemResult, Reply};

use super::place::Place;
use super::{Effect, Shadow, check_minimums};
use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};

const RULE: &str = "8 the exchange did what the rules say";
const FUNDS: &str = "3 an order is refused exactly when it is not funded";

/// The user who sent a request.
pub fn caller(exchange: &Exchange, request: &Request) -> Option<UserIndex> {
    match request.actor {
        Actor::Key { key, .. } => exchange.directory().find_by_key(key),
        Actor::Session { session } => exchange.directory().find_by_session(session),
        Actor::System | Actor::Operator { .. } => None,
    }
}

/// The funds of a single placement or amend, before it is applied.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrderFunds {
    pub user: Option<UserIndex>,
    free: Option<i64>,
}

impl Shadow {
    pub fn purse(&self, exchange: &Exchange, request: &Request) -> OrderFunds {
        let user = caller(exchange, request);
        let free = user.and_then(|user| match &request.command {
            Command::PlaceOrder(new) => {
                let (market, outcome) = exchange.catalogue().find_outcome(new.outcome)?;
                Some(free(exchange, user, ListingIndex::new(market, new.currency), outcome, new.side))
            }
            Command::AmendOrders(AmendOrders { items }) => match items.as_slice() {
                [Item::Valid(amendment)] => {
                    let order = self.orders.get(&amendment.order.as_u128())?;
                    Some(free(exchange, user, order.listing, order.outcome, order.side))
                }
                _ => None,
            },
            _ => None,
        });
        OrderFunds { user, free }
    }

    /// Call it after `exchange` has applied the request.
    pub fn follow(
        &mut self,
        exchange: &Exchange,
        request: &Request,
        result: &Result<Reply, Reject>,
        purse: OrderFunds,
        counts: &mut Counts,
    ) -> Result<(), Failure> {
        check_minimums(exchange, &self.orders, request, result, counts)?;
        let predicted = match (&request.command, purse.user, result) {
            (_, _, Ok(Reply::Replayed { .. })) => Some(Vec::new()),
            (Command::PlaceOrder(new), Some(user), result) => {
                self.place_one(exchange, user, new, result, purse, counts)?
            }
            (Command::PlaceOrders(PlaceOrders { items }), Some(user), Ok(Reply::Results(results))) => {
                Some(self.place_batch(exchange, user, items, results, counts))
            }
            (Command::AmendOrders(AmendOrders { items }), Some(_), Ok(Reply::Results(results))) => {
                Some(self.amend_batch(items, results, purse, counts)?)
            }
            (Command::CancelOrder(CancelOrder { order }), Some(user), result) => {
                Some(self.cancel(user, *order, result.is_ok())?)
            }
            (Command::CancelOrders(CancelOrders { orders }), Some(user), Ok(Reply::Results(results))) => {
                Some(self.cancel_batch(user, orders, results)?)
            }
            (Command::CancelAllOrders(CancelAllOrders { event, market, currency }), Some(user), Ok(_)) => {
                let scope = Scope::new(exchange, *event, *market, *currency);
                Some(self.cancel_all(user, scope, OrderCause::Cancelled))
            }
            (command, _, Ok(_)) => self.cancel_for(exchange, command, counts),
            _ => None,
        };
        match predicted {
            Some(predicted) => compare(&predicted, exchange.changes())?,
            None => self.let_go(exchange.changes())?,
        }
        self.compare_queues(exchange)
    }

    /// `None` if there is nothing to predict: an AMM order.
    fn place_one(
        &mut self,
        exchange: &Exchange,
        user: UserIndex,
        new: &NewOrder,
        result: &Result<Reply, Reject>,
        purse: OrderFunds,
        counts: &mut Counts,
    ) -> Result<Option<Vec<Effect>>, Failure> {
        let Some(place) = find_place(exchange, user, new) else {
            return Ok(if result.is_ok() { None } else { Some(Vec::new()) });
        };
        match result {
            Ok(_) => {
                let forecast = self.forecast(place, new, counts);
                if let (Some(free), true) = (purse.free, forecast.status != OrderStatus::Rejected) {
                    let have = free + forecast.released;
                    ensure(forecast.need <= have, FUNDS, || format!("needed {}, had {have}", forecast.need))?;
                    counts.note_if(forecast.need == have && new.side == Side::Buy, Rare::ExactFunds);
                }
                Ok(Some(self.place(forecast, counts)))
            }
            Err(refusal) => {
                if let Some((need, have)) = shortfall(refusal) {
                    let forecast = self.forecast(place, new, counts);
                    let expected = (forecast.need, purse.free.unwrap_or_default() + forecast.released);
                    ensure(expected == (need, have) && need > have, FUNDS, || {
                        format!("refused for {need} of {have}, expected {expected:?}")
                    })?;
                }
                Ok(Some(Vec::new()))
            }
        }
    }

    fn place_batch(
        &mut self,
        exchange: &Exchange,
        user: UserIndex,
        items: &[Item<NewOrder>],
        results: &[ItemResult],
        counts: &mut Counts,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (item, result) in items.iter().zip(results) {
            if let (Item::Valid(new), Ok(_)) = (item, &result.outcome)
                && let Some(place) = find_place(exchange, user, new)
            {
                let forecast = self.forecast(place, new, counts);
                effects.extend(self.place(forecast, counts));
            }
        }
        effects
    }

    fn amend_batch(
        &mut self,
        items: &[Item<Amendment>],
        results: &[ItemResult],
        purse: OrderFunds,
        counts: &mut Counts,
    ) -> Result<Vec<Effect>, Failure> {
        let valid = |item: &Item<Amendment>| match item {
            Item::Valid(amendment) => Some(amendment.order.as_u128()),
            Item::Malformed(_) => None,
        };
        let batch: Vec<u128> = items.iter().filter_map(valid).collect();
        let mut effects = Vec::new();
        for (item, result) in items.iter().zip(results) {
            let Item::Valid(amendment) = item else { continue };
            let forecast = self.forecast_amend(amendment, &batch);
            match (&result.outcome, forecast) {
                (Ok(_), Some(forecast)) => effects.extend(self.amend(forecast, counts)),
                (Ok(_), None) => {
                    return Err(Failure::new(RULE, format!("amended what is not open: {amendment:?}")));
                }
                (Err(refusal), forecast) => {
                    let short = shortfall(refusal);
                    counts.note_if(short.is_some(), Rare::AmendNotFunded);
                    if let (Some(short), Some(forecast), Some(free)) = (short, forecast, purse.free) {
                        let expected = (forecast.need, free + forecast.released);
                        ensure(expected == short && short.0 > short.1, FUNDS, || {
                            format!("amend refused for {short:?}, expected {expected:?}")
                        })?;
                    }
                }
            }
        }
        Ok(effects)
    }

    fn cancel(&mut self, user: UserIndex, order: OrderId, done: bool) -> Result<Vec<Effect>, Failure> {
        let id = order.as_u128();
        let is_own = self.orders.get(&id).is_some_and(|order| order.user as usize == user.slot());
        ensure(is_own || !done, RULE, || format!("cancelled order {order}, which is not the caller's"))?;
        match done {
            true => Ok(self.forget(id).iter().map(cancelled).collect()),
            false => Ok(Vec::new()),
        }
    }

    fn cancel_batch(
        &mut self,
        user: UserIndex,
        orders: &[OrderId],
        results: &[ItemResult],
    ) -> Result<Vec<Effect>, Failure> {
        let mut effects = Vec::new();
        for (order, result) in orders.iter().zip(results) {
            let is_own =
                self.orders.get(&order.as_u128()).is_some_and(|open| open.user as usize == user.slot());
            ensure(is_own == result.outcome.is_ok(), RULE, || format!("cancel of {order}: {result:?}"))?;
            effects.extend(self.cancel(user, *order, result.outcome.is_ok())?);
        }
        Ok(effects)
    }

    fn cancel_all(&mut self, user: UserIndex, scope: Scope<'_>, cause: OrderCause) -> Vec<Effect> {
        let own = self
            .orders
            .values()
            .filter(|order| order.user as usize == user.slot() && scope.has(order.listing));
        let mut ids: Vec<_> = own.map(|order| (order.serial, order.id)).collect();
        ids.sort_unstable();
        let ended = ids.iter().filter_map(|(_, id)| self.forget(*id));
        ended.map(|order| Effect::order(&order, cause, OrderStatus::Cancelled)).collect()
    }

    /// Predicts what an operator cancels of a user's orders. `None` if the command cancels nothing.
    fn cancel_for(
        &mut self,
        exchange: &Exchange,
        command: &Command,
        counts: &mut Counts,
    ) -> Option<Vec<Effect>> {
        let whole = Scope::new(exchange, None, None, None);
        let (user, scope, rare) = match command {
            Command::CancelOrdersOf(CancelOrdersOf { user, event, market, currency }) => {
                (user, Scope::new(exchange, *event, *market, *currency), Rare::OperatorCancels)
            }
            Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders: false }) => {
                (user, whole, Rare::SuspensionCancels)
            }
            Command::FreezeUser(FreezeUser { user, frozen: true }) => (user, whole, Rare::FreezeCancels),
            _ => return None,
        };
        let effects = self.cancel_all(exchange.directory().find(*user)?, scope, OrderCause::Operator);
        counts.note_if(!effects.is_empty(), rare);
        Some(effects)
    }

    /// Removes orders that time or an operator closed. Nothing else may affect an order, and nothing twice.
    fn let_go(&mut self, changes: &[Change]) -> Result<(), Failure> {
        for change in changes {
            let Change::Order { record, cause } = change else { continue };
            if *cause == OrderCause::Placed && record.status == OrderStatus::Filled {
                // An AMM order: created and filled at once.
                continue;
            }
            let known = self.forget(record.terms.id.as_u128());
            let is_closing = matches!(
                (cause, record.status),
                (OrderCause::MarketClosed, OrderStatus::Cancelled)
                    | (OrderCause::Switch | OrderCause::Disconnected, OrderStatus::Cancelled)
                    | (OrderCause::Expired, OrderStatus::Expired)
            );
            let filled = record.terms.filled.units();
            let fits = known.is_some_and(|order| order.filled == filled);
            ensure(fits && is_closing, "9 a closed order stays closed, an open one ends once", || {
                format!("{change:?}")
            })?;
        }
        Ok(())
    }
}

/// The listings of an event, a market or a currency, or all.
#[derive(Clone, Copy)]
struct Scope<'a> {
    exchange: &'a Exchange,
    event: Option<EventIndex>,
    market: Option<MarketIndex>,
    currency: Option<Currency>,
}

impl<'a> Scope<'a> {
    fn new(
        exchange: &'a Exchange,
        event: Option<EventId>,
        market: Option<MarketId>,
        currency: Option<Currency>,
    ) -> Scope<'a> {
        let event = event.and_then(|id| exchange.catalogue().find_event(id));
        let market = market.and_then(|id| exchange.catalogue().find_market(id));
        Scope { exchange, event, market, currency }
    }

    fn has(&self, listing: ListingIndex) -> bool {
        let event = self.exchange.catalogue().market(listing.market()).event;
        self.event.is_none_or(|wanted| wanted == event)
            && self.market.is_none_or(|market| market == listing.market())
            && self.currency.is_none_or(|currency| currency == listing.currency())
    }
}

fn cancelled(order: &super::Open) -> Effect {
    Effect::order(order, OrderCause::Cancelled, OrderStatus::Cancelled)
}

fn compare(predicted: &[Effect], changes: &[Change]) -> Result<(), Failure> {
    let actual: Vec<Effect> = changes.iter().filter_map(Effect::read).collect();
    ensure(actual == predicted, RULE, || format!("expected {predicted:#?}\ngot {actual:#?}"))
}

fn shortfall(refusal: &Reject) -> Option<(i64, i64)> {
    match refusal {
        Reject::InsufficientBalance { need, have } => Some((need.units(), have.units())),
        Reject::InsufficientShares { need, have } => Some((need.units(), have.units())),
        _ => None,
    }
}

/// The listing of a new order, if it goes to a book.
fn find_place(exchange: &Exchange, user: UserIndex, new: &NewOrder) -> Option<Place> {
    let catalogue = exchange.catalogue();
    let (market, outcome) = catalogue.find_outcome(new.outcome)?;
    let record = catalogue.market(market);
    let is_book = catalogue.event(record.event).engine == Engine::Clob;
    let listing = ListingIndex::new(market, new.currency);
    is_book.then_some(Place { listing, outcome, fee_rate: record.details.fee_rate, user: user.slot() as u32 })
}

/// Free money for a BUY, free shares for a SELL.
fn free(
    exchange: &Exchange,
    user: UserIndex,
    listing: ListingIndex,
    outcome: exchange::order::Outcome,
    side: Side,
) -> i64 {
    let currency: Currency = listing.currency();
    match side {
        Side::Buy => exchange.ledger().wallet(user, currency).free.units(),
        Side::Sell => {
            exchange.position(user, listing).map_or(0, |position| position.holding(outcome).free.units())
        }
    }
}
