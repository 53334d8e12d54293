//! A user's activities: orders in their current state, fills from the user's side, mints and burns, payouts by outcome.

use api::decimal::DecimalString;
use api::query::PageQuery;
use api::response::{Activities, Activity, Pagination};
use api::terms::{ActivityEventType, ActivityGroup, ActivityStatus, ActivityType};
use exchange::Exchange;
use exchange::catalogue::{Event, EventKind, Market};
use exchange::change::{Party, Settled};
use exchange::id::{MarketId, UserId};
use exchange::numbers::{Cents, Currency, Money, Ppm, Price, Shares};
use exchange::order::{OrderKind, OrderRecord, OrderStatus, Outcome, Side};
use exchange::time::Time;
use uuid::Uuid;

use super::order::{event_and_market_of, outcome_id};
use super::pages::cursor;
use super::wallet::derived_id;
use super::words::ToApi;
use crate::history::{ActivityFilter, Page, StoredActivity, StoredSets, StoredSettlement, StoredTrade};
use crate::view::live_and_retired::LiveAndRetired;

pub const fn group(group: ActivityGroup) -> ActivityFilter {
    match group {
        ActivityGroup::Buys => ActivityFilter::Buys,
        ActivityGroup::Sells => ActivityFilter::Sells,
        ActivityGroup::Limits => ActivityFilter::Limits,
        ActivityGroup::Payout => ActivityFilter::Payout,
        ActivityGroup::Sets => ActivityFilter::Sets,
    }
}

pub fn activities(
    known: &LiveAndRetired<'_>,
    page: &Page<StoredActivity<OrderRecord>>,
    pages: PageQuery,
) -> Activities {
    let shown = |entry| activity(known.exchange_of(market_of(entry)), entry);
    Activities {
        activities: page.rows.iter().map(shown).collect(),
        pagination: Pagination::new(pages, page.total),
        next_cursor: cursor(page.next),
    }
}

/// The market of an activity.
pub fn market_of(entry: &StoredActivity<OrderRecord>) -> MarketId {
    match entry {
        StoredActivity::Created(record)
        | StoredActivity::Cancelled(record)
        | StoredActivity::Expired(record) => record.market,
        StoredActivity::Took(trade) | StoredActivity::Made(trade) => trade.trade.market,
        StoredActivity::Sets(sets) => sets.sets.market,
        StoredActivity::PaidOut { settlement, .. } => settlement.settled.market,
    }
}

fn activity(exchange: &Exchange, entry: &StoredActivity<OrderRecord>) -> Activity {
    match entry {
        StoredActivity::Created(record) => of_order(exchange, record, End::None),
        StoredActivity::Cancelled(record) => of_order(exchange, record, End::Cancelled),
        StoredActivity::Expired(record) => of_order(exchange, record, End::Expired),
        StoredActivity::Took(trade) => of_fill(exchange, trade, &trade.trade.taker, trade.trade.taker_fee),
        StoredActivity::Made(trade) => of_fill(exchange, trade, &trade.trade.maker, Money::ZERO),
        StoredActivity::Sets(sets) => of_sets(exchange, sets),
        StoredActivity::PaidOut { settlement, outcome } => of_payout(exchange, settlement, *outcome),
    }
}

/// The fields that all activities share.
struct Common<'a> {
    event: &'a Event,
    market: &'a Market,
    outcome: Outcome,
    currency: Currency,
}

impl<'a> Common<'a> {
    fn new(exchange: &'a Exchange, market: MarketId, outcome: Outcome, currency: Currency) -> Common<'a> {
        let (event, market) = event_and_market_of(exchange, market);
        Common { event, market, outcome, currency }
    }

    /// An activity with all numbers zero.
    fn activity(&self, id: Uuid, activity_type: ActivityType, at: Time) -> Activity {
        let zero = DecimalString::integer(0);
        Activity {
            id,
            activity_type,
            event_id: self.event.id.to_api(),
            market_id: self.market.id.to_api(),
            outcome_id: outcome_id(self.market, self.outcome).to_api(),
            order_id: None,
            settlement_id: None,
            transaction_id: None,
            event_type: match self.event.kind {
                EventKind::Single => ActivityEventType::Single,
                EventKind::Combined => ActivityEventType::Combined,
                EventKind::Grouped => ActivityEventType::Grouped,
            },
            image_url: self.event.details.image_url.to_string(),
            event_title: self.event.details.title.to_string(),
            market_title: self.market.details.title.to_string(),
            outcome: self.outcome.to_api(),
            resolved_outcome: self.market.resolved_outcome().map(Outcome::to_api),
            currency: self.currency.to_api(),
            amount: zero,
            fee: zero,
            size: zero,
            filled_size: None,
            remaining_size: None,
            price: zero,
            avg_fill_price: None,
            total_cost: zero,
            currency_base_multiplier: DecimalString::integer(self.currency.base()),
            status: ActivityStatus::Filled,
            expires_at: None,
            payout: None,
            amount_spent: None,
            amount_refunded: None,
            amount_earned: None,
            shares_returned: None,
            created_at: at.to_api(),
            updated_at: at.to_api(),
        }
    }
}

fn money(money: Money) -> DecimalString {
    money.to_api().into()
}

fn shares(shares: Shares) -> DecimalString {
    shares.to_api().into()
}

fn price(price: Ppm) -> DecimalString {
    price.to_api().into()
}

/// How a resting order ended without being filled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    None,
    Cancelled,
    Expired,
}

fn of_order(exchange: &Exchange, record: &OrderRecord, end: End) -> Activity {
    let terms = &record.terms;
    let common = Common::new(exchange, record.market, terms.outcome, record.currency);
    let (activity_type, word) = match (terms.kind, terms.side, end) {
        (OrderKind::Market, Side::Buy, _) => (ActivityType::BuyMarketOrderCreated, "created"),
        (OrderKind::Market, Side::Sell, _) => (ActivityType::SellMarketOrderCreated, "created"),
        (OrderKind::Limit, Side::Buy, End::None) => (ActivityType::BuyLimitOrderCreated, "created"),
        (OrderKind::Limit, Side::Sell, End::None) => (ActivityType::SellLimitOrderCreated, "created"),
        (OrderKind::Limit, Side::Buy, End::Cancelled) => (ActivityType::BuyLimitOrderCancelled, "cancelled"),
        (OrderKind::Limit, Side::Sell, End::Cancelled) => {
            (ActivityType::SellLimitOrderCancelled, "cancelled")
        }
        (OrderKind::Limit, Side::Buy, End::Expired) => (ActivityType::BuyLimitOrderExpired, "expired"),
        (OrderKind::Limit, Side::Sell, End::Expired) => (ActivityType::SellLimitOrderExpired, "expired"),
    };
    let id = derived_id("activity", terms.id.as_u128(), word);
    let at = if end == End::None { terms.created_at } else { terms.updated_at };
    // The change of the wallet so far; `rest` is what a cancel or an expiry releases.
    let moved = match terms.side {
        Side::Buy => terms.value + terms.fee,
        Side::Sell => terms.value - terms.fee,
    };
    let rest = terms.remaining();
    let is_buy_end = end != End::None && terms.side == Side::Buy;
    let is_sell_end = end != End::None && terms.side == Side::Sell;
    let refunded = |limit: Price| rest.value_at(limit.into(), record.currency);
    Activity {
        order_id: Some(terms.id.to_api()),
        amount: money(terms.amount),
        fee: money(terms.fee),
        size: shares(terms.size),
        filled_size: Some(shares(terms.filled)),
        remaining_size: Some(shares(record.remaining())),
        price: terms.price.map_or_else(|| price(record.average_price()), |limit| price(limit.into())),
        avg_fill_price: Some(price(record.average_price())),
        total_cost: money(moved),
        status: status(record.status),
        expires_at: terms.expires_at.map(Time::to_api),
        amount_spent: is_buy_end.then(|| money(moved)),
        amount_refunded: terms.price.filter(|_| is_buy_end).map(|limit| money(refunded(limit))),
        amount_earned: is_sell_end.then(|| money(moved)),
        shares_returned: is_sell_end.then(|| shares(rest)),
        updated_at: terms.updated_at.to_api(),
        ..common.activity(id, activity_type, at)
    }
}

const fn status(status: OrderStatus) -> ActivityStatus {
    match status {
        OrderStatus::Open => ActivityStatus::Open,
        OrderStatus::PartialFilled => ActivityStatus::PartialFilled,
        OrderStatus::Filled => ActivityStatus::Filled,
        OrderStatus::Cancelled => ActivityStatus::Cancelled,
        OrderStatus::Rejected => ActivityStatus::Rejected,
        OrderStatus::Expired => ActivityStatus::Expired,
    }
}

fn of_fill(exchange: &Exchange, stored: &StoredTrade, party: &Party, fee: Money) -> Activity {
    let trade = &stored.trade;
    let common = Common::new(exchange, trade.market, party.outcome, trade.currency);
    let value = trade.size.value_at(party.price.into(), trade.currency);
    let (activity_type, moved) = match party.side {
        Side::Buy => (ActivityType::BuyTradeFill, value + fee),
        Side::Sell => (ActivityType::SellTradeFill, value - fee),
    };
    let id = derived_id("activity", trade.id().as_u128(), &party.order.to_string());
    Activity {
        order_id: Some(party.order.to_api()),
        transaction_id: Some(trade.id().to_api()),
        amount: money(value),
        fee: money(fee),
        size: shares(trade.size),
        filled_size: Some(shares(trade.size)),
        price: price(party.price.into()),
        avg_fill_price: Some(price(party.price.into())),
        total_cost: money(moved),
        ..common.activity(id, activity_type, stored.at)
    }
}

/// A set is one share of each outcome; the activity shows YES for both. A set costs as much as a winning share pays.
fn of_sets(exchange: &Exchange, stored: &StoredSets) -> Activity {
    let sets = &stored.sets;
    let common = Common::new(exchange, sets.market, Outcome::Yes, sets.currency);
    let (activity_type, cost) = match sets.side {
        Side::Buy => (ActivityType::Mint, sets.cash),
        Side::Sell => (ActivityType::Burn, sets.cost),
    };
    Activity {
        transaction_id: Some(sets.id.to_api()),
        amount: money(sets.cash),
        size: shares(sets.sets),
        price: price(Ppm::WHOLE),
        total_cost: money(cost),
        ..common.activity(derived_id("activity", sets.id.as_u128(), "sets"), activity_type, stored.at)
    }
}

/// Shares of a cancelled market are refunded; those of a resolved market have won or lost.
fn of_payout(exchange: &Exchange, stored: &StoredSettlement, outcome: Outcome) -> Activity {
    let settled = &stored.settled;
    let common = Common::new(exchange, settled.market, outcome, settled.currency);
    let (held, paid) = (settled.shares(outcome), settled.pays(outcome));
    let cost = match outcome {
        Outcome::Yes => settled.yes_cost,
        Outcome::No => settled.no_cost,
    };
    let activity_type = match (settled.is_refund, paid > Money::ZERO) {
        (true, _) => ActivityType::BuyRefund,
        (false, true) => ActivityType::PayoutWin,
        (false, false) => ActivityType::PayoutLoss,
    };
    let pays: Cents = if outcome == Outcome::Yes { settled.yes_pays } else { settled.yes_pays.complement() };
    let settlement = settlement_id(settled.user, settled);
    Activity {
        settlement_id: Some(settlement),
        amount: money(paid),
        size: shares(held),
        price: pays.to_api().into(),
        total_cost: money(cost),
        payout: (paid > Money::ZERO).then(|| money(paid)),
        ..common.activity(
            derived_id("activity", settlement.as_u128(), &outcome_id(common.market, outcome).to_string()),
            activity_type,
            stored.at,
        )
    }
}

fn settlement_id(user: UserId, settled: &Settled) -> Uuid {
    derived_id("settlement", user.as_u128(), &format!("{} {}", settled.market, settled.currency.code()))
}
