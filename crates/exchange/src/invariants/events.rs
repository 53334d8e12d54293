//! Rule 12 and the lifecycle: winners, settlements and consistent statuses.

use super::{Broken, ensure, rule};
use crate::catalogue::{Event, EventKind, Game, Instrument, Market, Status};
use crate::exchange::Exchange;
use crate::index::{ListingIndex, MarketIndex};
use crate::numbers::Currency;
use crate::order::Outcome;
use crate::time::Span;
use crate::timers::TimerKind;

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    for (index, event) in exchange.catalogue.events() {
        let markets = event.markets.iter().map(|market| exchange.catalogue.market(*market));
        for market in markets.clone() {
            ensure(market.event == index, rule::LISTS_AGREE, || {
                format!("market {} is another event's", market.id)
            })?;
            check_settlement(market)?;
        }
        for market in &event.markets {
            check_closing_price(exchange, *market)?;
            let shown = Instrument::of(event, exchange.catalogue.market(*market));
            ensure(**exchange.catalogue.instrument(*market) == shown, rule::INSTRUMENT_IS_CURRENT, || {
                format!("replies show {:?}, not {shown:?}", exchange.catalogue.instrument(*market))
            })?;
        }
        let status = Status::of_event(markets.clone().map(|market| market.status));
        ensure(event.status == status, rule::EVENT_FOLLOWS_MARKETS, || {
            format!("event {} is {:?}, its markets imply {status:?}", event.id, event.status)
        })?;
        let is_late = event.details.closing_date.is_some_and(|closing| closing <= exchange.now);
        ensure(!(is_late && status.has_orders()), rule::CLOSES_IN_TIME, || {
            format!("event {} is {status:?} after its closing date", event.id)
        })?;
        check_timer(exchange, event)?;
        check_winner(event, markets)?;
        let listed = exchange.ended_at(index).map(|ended_at| (ended_at, index));
        let is_listed = listed.is_none_or(|ended| exchange.catalogue.ended.contains(&ended));
        ensure(is_listed, rule::RETIRES_IN_TIME, || {
            format!("event {} has ended and is not listed", event.id)
        })?;
    }
    check_retirement(exchange)
}

/// The timer is set for the event that ended first; all listed events have ended.
fn check_retirement(exchange: &Exchange) -> Result<(), Broken> {
    let ended = &exchange.catalogue.ended;
    let final_events = exchange.catalogue.events().filter(|(_, event)| event.status.is_final()).count();
    ensure(ended.len() == final_events, rule::RETIRES_IN_TIME, || {
        format!("{} events are listed as ended, {final_events} have", ended.len())
    })?;
    for (game, _) in exchange.catalogue.ended_games.iter() {
        let is_over = exchange.catalogue.sports.games.get(&game).is_some_and(Game::is_over);
        let is_listed = is_over && exchange.catalogue.events_of_game(game).next().is_none();
        ensure(is_listed, rule::RETIRES_IN_TIME, || format!("game {game} has not ended and is listed"))?;
    }
    let age = Span::seconds(exchange.governance.policy.retire_after_seconds.into());
    let games = exchange.catalogue.ended_games.first().map(|(since, _)| since);
    let due = ended.first().map(|(ended_at, _)| *ended_at).into_iter().chain(games).min();
    let due = due.map(|ended_at| ended_at + age);
    let is_timed = due == exchange.retirement_at
        && due.is_none_or(|due| exchange.timers.contains(due, TimerKind::Retirement, 0));
    ensure(is_timed, rule::RETIRES_IN_TIME, || format!("the next retirement is due at {due:?}"))
}

/// The closing timer is set while trading is possible.
fn check_timer(exchange: &Exchange, event: &Event) -> Result<(), Broken> {
    let Some(closing) = event.details.closing_date.filter(|_| event.status.has_orders()) else {
        return Ok(());
    };
    let is_timed = exchange.timers.contains(closing, TimerKind::Close, event.id.as_u128());
    ensure(is_timed, rule::LISTS_AGREE, || format!("event {} has no closing timer", event.id))
}

fn check_settlement(market: &Market) -> Result<(), Broken> {
    let fits = match market.status {
        Status::Resolved => market.resolved_outcome().is_some(),
        Status::Cancelled => market.settlement.is_some(),
        _ => market.settlement.is_none(),
    };
    ensure(fits, rule::SETTLEMENT_FITS_STATUS, || {
        format!("market {} is {:?} with {:?}", market.id, market.status, market.settlement)
    })
}

/// A cancelled market may or may not have been closed before.
fn check_closing_price(exchange: &Exchange, index: MarketIndex) -> Result<(), Broken> {
    let market = exchange.catalogue.market(index);
    for currency in Currency::ALL {
        let price = exchange.catalogue.listing(ListingIndex::new(index, currency)).closing_price;
        let fits = match market.status {
            Status::Draft | Status::Open | Status::Paused => price.is_none(),
            Status::Closed | Status::Resolved => price.is_some(),
            Status::Cancelled => true,
        };
        ensure(fits, rule::CLOSED_KEEPS_ITS_PRICE, || {
            format!("market {} is {:?} with {price:?}", market.id, market.status)
        })?;
    }
    Ok(())
}

fn check_winner<'a>(event: &Event, markets: impl Iterator<Item = &'a Market> + Clone) -> Result<(), Broken> {
    if event.kind != EventKind::Combined {
        return Ok(());
    }
    let won = |market: &&Market| market.resolved_outcome() == Some(Outcome::Yes);
    let winners = markets.clone().filter(won).count();
    // A market cancelled before the event was won stays cancelled.
    let is_over = |market: &Market| market.status.is_final();
    let fits = winners == 0 || (winners == 1 && markets.clone().all(is_over));
    ensure(fits, rule::ONE_WINNER, || format!("event {} has {winners} winners", event.id))
}
