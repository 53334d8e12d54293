//! The expected behaviour of a new order on a book: the four stpModes, times in force, postOnly, by money and by
//! shares.

use exchange::book::naive::{self, Own, Taker, Walk, Want};
use exchange::change::OrderCause;
use exchange::index::ListingIndex;
use exchange::numbers::FeeRate;
use exchange::order::{NewOrder, OrderKind, OrderStatus, Outcome, SelfTrade, Side, Sizing, TimeInForce};

use super::effect::open_status;
use super::{Effect, Open, Shadow, base, fee_on, naive_side, yes_price};
use crate::counts::{Counts, Rare};

/// The listing and terms of an order's market.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub listing: ListingIndex,
    pub outcome: Outcome,
    pub fee_rate: FeeRate,
    pub user: u32,
}

/// The predicted effect of an order, before it is applied.
#[derive(Clone, Debug)]
pub struct Forecast {
    pub status: OrderStatus,
    pub walk: Walk,
    pub rest: i64,
    /// Money for a BUY, shares for a SELL.
    pub need: i64,
    /// The amount that its own cancels add to the free funds.
    pub released: i64,
    order: Open,
}

fn own(mode: SelfTrade) -> Own {
    match mode {
        SelfTrade::Skip => Own::Skip,
        SelfTrade::CancelOldest => Own::CancelOldest,
        SelfTrade::CancelNewest => Own::CancelNewest,
        SelfTrade::CancelBoth => Own::CancelBoth,
    }
}

/// The value that may be traded so that the wallet changes by at most `amount`, including the fee.
fn tradable(rate: FeeRate, side: Side, amount: i64) -> i64 {
    let (rate, amount) = (i128::from(rate.basis_points()), i128::from(amount));
    let money = match side {
        Side::Buy => 10_000 * amount / (10_000 + rate),
        Side::Sell => (10_000 * (amount + 1) - 1) / (10_000 - rate),
    };
    money as i64
}

impl Shadow {
    pub fn forecast(&self, place: Place, new: &NewOrder, counts: &mut Counts) -> Forecast {
        let side = naive_side(new.side.on_book(place.outcome));
        let unit = base(new.currency);
        let limit = self.own_limit(place, new);
        let want = match (new.sizing, new.kind) {
            (Sizing::Quantity(shares), _) => Want::Shares(shares.units()),
            (Sizing::Amount(amount), OrderKind::Limit) => Want::Shares(amount.units() / (limit * unit)),
            (Sizing::Amount(amount), OrderKind::Market) => {
                Want::Money(tradable(place.fee_rate, new.side, amount.units()))
            }
        };
        let taker = Taker {
            user: place.user,
            side,
            in_no: place.outcome == Outcome::No,
            limit: yes_price(place.outcome, limit),
            want,
            base: unit,
            own: own(new.self_trade),
        };
        let book = self.books.get(&place.listing).cloned().unwrap_or_default();
        let (status, walk, rest) = match new.post_only {
            true => self.post_only(place, &taker),
            false => by_walk(new, &taker, book.walk(&taker), counts),
        };
        if new.kind == OrderKind::Market && new.max_slippage.is_some() {
            let anywhere = Taker { limit: if side == naive::Side::Bid { 99 } else { 1 }, ..taker };
            counts.note_if(book.walk(&anywhere).shares > walk.shares, Rare::SlippageCut);
        }
        let size = match (want, status) {
            (Want::Shares(shares), _) => shares,
            (Want::Money(_), OrderStatus::Rejected) => 0,
            (Want::Money(_), _) => walk.shares,
        };
        self.put_together(place, new, limit, size, status, walk, rest)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one forecast, put together in one place")]
    fn put_together(
        &self,
        place: Place,
        new: &NewOrder,
        limit: i64,
        size: i64,
        status: OrderStatus,
        walk: Walk,
        rest: i64,
    ) -> Forecast {
        let order = Open {
            id: new.id.as_u128(),
            user: place.user,
            listing: place.listing,
            outcome: place.outcome,
            side: new.side,
            price: limit,
            size,
            filled: 0,
            taker_value: 0,
            fee: 0,
            fee_rate: place.fee_rate,
            post_only: new.post_only,
            serial: self.serials,
        };
        let (cash, shares) = self.released(&walk.cancels, place.outcome);
        let (need, released) = match new.side {
            Side::Buy => {
                let held = rest * limit * base(new.currency);
                (walk.value + fee_on(place.fee_rate, walk.value) + held, cash)
            }
            Side::Sell => (walk.shares + rest, shares),
        };
        Forecast { status, walk, rest, need, released, order }
    }

    /// The worst acceptable price: the limit, or the slippage bound around the best price of others.
    fn own_limit(&self, place: Place, new: &NewOrder) -> i64 {
        if let (OrderKind::Limit, Some(price)) = (new.kind, new.price) {
            return price.cents().into();
        }
        let side = naive_side(new.side.on_book(place.outcome));
        let best = self.books.get(&place.listing).and_then(|book| book.best_of_others(side, place.user));
        let best = best.map(|price| yes_price(place.outcome, price));
        match (new.side, new.max_slippage, best) {
            (Side::Buy, Some(slippage), Some(best)) => {
                (best * (10_000 + slippage.basis_points()) / 10_000).min(99)
            }
            (Side::Sell, Some(slippage), Some(best)) => {
                (best * (10_000 - slippage.basis_points()) + 9_999).div_euclid(10_000).max(1)
            }
            (Side::Buy, _, _) => 99,
            (Side::Sell, _, _) => 1,
        }
    }

    /// Checked first against others: any cross is rejected. Then against own orders, by stpMode.
    fn post_only(&self, place: Place, taker: &Taker) -> (OrderStatus, Walk, i64) {
        let makers = self.books.get(&place.listing).map(|book| book.makers(taker.side, taker.limit));
        let crosses_others = makers.is_some_and(|makers| makers.iter().any(|maker| maker.user != taker.user));
        let own_makers = self.own_crossers(taker.user, place.listing, taker.side, taker.limit);
        let size = match taker.want {
            Want::Shares(shares) => shares,
            Want::Money(_) => 0,
        };
        let mut walk = Walk { met_own: !own_makers.is_empty(), ..Walk::default() };
        let is_alone = own_makers.is_empty();
        let rejected = match taker.own {
            _ if crosses_others => return (OrderStatus::Rejected, walk, 0),
            Own::Skip => false,
            Own::CancelOldest => {
                walk.cancels = own_makers;
                false
            }
            Own::CancelNewest => !is_alone,
            Own::CancelBoth => {
                walk.cancels = own_makers;
                !is_alone
            }
        };
        if rejected { (OrderStatus::Rejected, walk, 0) } else { (OrderStatus::Open, walk, size) }
    }

    /// Applies the forecast and returns the expected effects.
    pub fn place(&mut self, forecast: Forecast, counts: &mut Counts) -> Vec<Effect> {
        let Forecast { status, walk, rest, mut order, .. } = forecast;
        self.serials += 1;
        let mut effects = Vec::new();
        if order.post_only {
            counts.note_if(!walk.cancels.is_empty(), Rare::PostOnlyCancelsOwn);
        }
        self.cancel_own(&walk.cancels, &mut effects);
        if status != OrderStatus::Rejected {
            self.take(&mut order, &walk.fills, &mut effects);
        }
        let status = if rest > 0 { open_status(&order) } else { status };
        effects.push(Effect::order(&order, OrderCause::Placed, status));
        if rest > 0 {
            self.rest(order);
        }
        effects
    }
}

/// The status, the effects and the remainder to rest.
fn by_walk(new: &NewOrder, taker: &Taker, mut walk: Walk, counts: &mut Counts) -> (OrderStatus, Walk, i64) {
    let is_fok = new.time_in_force == Some(TimeInForce::Fok);
    counts.note_if(is_fok && walk.met_own, Rare::FokMeetsOwn);
    counts.note_if(walk.stopped_at_own && taker.own == Own::CancelBoth, Rare::CancelBoth);
    let has_fills = !walk.fills.is_empty();
    counts.note_if(
        walk.stopped_at_own && taker.own == Own::CancelNewest && has_fills,
        Rare::CancelNewestAfterFills,
    );
    counts.note_if(taker.own == Own::CancelOldest && !walk.cancels.is_empty(), Rare::CancelOldest);
    if is_fok && !walk.complete {
        // Nothing happens, except that CANCEL_BOTH cancels the own order it met.
        let cancels = if walk.stopped_at_own { walk.cancels } else { Vec::new() };
        return (OrderStatus::Rejected, Walk { cancels, met_own: walk.met_own, ..Walk::default() }, 0);
    }
    if walk.stopped_at_own {
        let status = if has_fills { OrderStatus::Cancelled } else { OrderStatus::Rejected };
        return (status, walk, 0);
    }
    let rests = matches!(new.time_in_force, None | Some(TimeInForce::Gtc | TimeInForce::Gtd));
    if let (OrderKind::Limit, true, Want::Shares(size)) = (new.kind, rests, taker.want) {
        let rest = size - walk.shares;
        walk.complete = rest == 0;
        return (OrderStatus::Filled, walk, rest);
    }
    let status = if walk.complete { OrderStatus::Filled } else { OrderStatus::Cancelled };
    (status, walk, 0)
}
