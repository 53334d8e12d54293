//! Detects rare states in a command and its changes.

use exchange::Exchange;
use exchange::catalogue::{Event, EventLink, Status};
use exchange::change::{Change, MatchType, OrderCause, SeriesAlert};
use exchange::command::{
    Command, CreateUser, CreditWallet, DebitWallet, FeesTo, GrowPool, Request, ResetPassword, ResolveMarket,
    SeedPool,
};
use exchange::id::{Hash32, MarketId, OutcomeId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::checks::{Before, deed};
use crate::counts::{Counts, Rare};

/// Counts the rare states that a command and its changes show.
pub fn note_rare(
    counts: &mut Counts,
    exchange: &Exchange,
    before: &Before,
    request: &Request,
    result: &Result<Reply, Reject>,
) {
    note_refusal(counts, result);
    note_access(counts, exchange, request, result);
    note_agreed(counts, before, request, result);
    let changes = exchange.changes();
    let (mut closed, mut resolved, mut refunded) = (0, 0, false);
    for change in changes {
        match change {
            Change::Trade(trade) => {
                counts.trades += 1;
                counts.note_if(trade.match_type == MatchType::Mint, Rare::Mint);
                counts.note_if(trade.match_type == MatchType::Merge, Rare::Merge);
                let maker = exchange.directory().find(trade.maker.user);
                let is_suspended = maker.is_some_and(|maker| exchange.directory().user(maker).disabled);
                counts.note_if(is_suspended, Rare::SuspendedTrades);
            }
            Change::Settled(_) => counts.settlements += 1,
            Change::SeriesAlert { reason: SeriesAlert::StalePrice, .. } => counts.note(Rare::SeriesStale),
            Change::MarketStatus { status, .. } => {
                closed += usize::from(*status == Status::Closed);
                resolved += usize::from(*status == Status::Resolved);
            }
            Change::Order { cause: OrderCause::MarketClosed, .. } => refunded = true,
            Change::Order { cause: OrderCause::Switch, .. } => counts.note(Rare::SwitchFired),
            Change::Order { cause: OrderCause::Disconnected, .. } => counts.note(Rare::Disconnected),
            Change::EventRetired(retired) => note_retired(counts, &retired.event),
            Change::FeesMoved { to: FeesTo::House, .. } => counts.note(Rare::FeesToHouse),
            Change::FeesMoved { to: FeesTo::Outside, .. } => counts.note(Rare::FeesOut),
            _ => {}
        }
    }
    note_retired_names(counts, exchange, request, result);
    let pays = changes.iter().any(|change| matches!(change, Change::Settled(_)));
    counts.note_if(pays && matches!(request.command, Command::Finalise(_)), Rare::FinalisedPays);
    counts.note_if(pays && matches!(request.command, Command::RecordGameResult(_)), Rare::ResultPays);
    let is_bulk = matches!(result, Ok(Reply::Finalised(results)) if *results > 1);
    counts.note_if(pays && is_bulk, Rare::BulkPays);
    note_lifecycle(counts, exchange, request, closed, resolved);
    note_same_instant(counts, exchange);
    if matches!(request.command, Command::CancelMarkets(_)) && result.is_ok() {
        counts.note_if(refunded, Rare::CancelledWithOrders);
        let had_pool = |(index, listing): (_, _)| before.pools.contains_key(&index) && gone(listing);
        let holders = changes.iter().filter(|change| matches!(change, Change::Settled(_))).count();
        let mut listings = exchange.catalogue().listings();
        counts.note_if(holders > 1 && listings.any(had_pool), Rare::CancelledWithPool);
    }
}

/// Counts answers that are rare in themselves, most of them refusals.
fn note_refusal(counts: &mut Counts, result: &Result<Reply, Reject>) {
    match result {
        Ok(Reply::Replayed { .. }) => counts.note(Rare::Replayed),
        Err(Reject::IdempotencyMismatch) => counts.note(Rare::IdempotencyMismatch),
        Err(Reject::OverMaxLiability) => counts.note(Rare::OverMaxLiability),
        Err(Reject::Slippage | Reject::PriceLimit) => counts.note(Rare::PoolSlippage),
        Err(Reject::NeedsAnother) => counts.note(Rare::NeedsAnother),
        Err(Reject::NeedsProposal) => counts.note(Rare::NeedsProposal),
        Err(Reject::ProposalTooYoung { .. }) => counts.note(Rare::TooYoung),
        Err(Reject::OverEntryCap { .. }) => counts.note(Rare::OverEntryCap),
        Err(Reject::OverDayCap { .. }) => counts.note(Rare::OverDayCap),
        Err(Reject::CancelOnly) => counts.note(Rare::CancelOnly),
        Err(Reject::TooFewApprovers) => counts.note(Rare::TooFewApprovers),
        Err(Reject::LastApprover) => counts.note(Rare::LastApprover),
        Err(Reject::OperatorSuspended) => counts.note(Rare::OperatorSuspended),
        Err(Reject::AccountNotEmpty) => counts.note(Rare::EraseRefused),
        Err(Reject::RowExpired) => counts.note(Rare::RowExpired),
        Err(Reject::UserFrozen) => counts.note(Rare::FrozenRefused),
        _ => {}
    }
}

fn note_retired(counts: &mut Counts, event: &Event) {
    let is_of_series = matches!(event.link, EventLink::Series { .. });
    counts.note(if is_of_series { Rare::SeriesRetired } else { Rare::Retired });
    counts.note_if(event.status == Status::Cancelled, Rare::CancelledRetired);
}

/// Notes a name that is refused although nothing in memory has it, because a retired event had it. An unknown outcome
/// may have retired or may never have existed; those that never existed all belong to one market.
fn note_retired_names(
    counts: &mut Counts,
    exchange: &Exchange,
    request: &Request,
    result: &Result<Reply, Reject>,
) {
    let catalogue = exchange.catalogue();
    match (&request.command, result) {
        (Command::CreateEvent(new), Err(Reject::DuplicateId)) => {
            let is_in_memory = catalogue.find_event(new.id).is_some()
                || new.markets.iter().any(|market| catalogue.find_market(market.id).is_some());
            counts.note_if(!is_in_memory, Rare::RetiredNameRefused);
        }
        (Command::CreateEvent(new), Err(Reject::DuplicateSlug)) => {
            let is_in_memory = catalogue.find_event_by_slug(&new.slug).is_some();
            counts.note_if(!is_in_memory, Rare::RetiredNameRefused);
        }
        (Command::PlaceOrder(new), Err(Reject::OutcomeNotFound)) => {
            let never = Outcome::BOTH.map(|outcome| OutcomeId::of(MarketId::new(99), outcome as u64));
            let is_retired = catalogue.find_outcome(new.outcome).is_none() && !never.contains(&new.outcome);
            counts.note_if(is_retired, Rare::RetiredTraded);
        }
        _ => {}
    }
}

fn gone(listing: &exchange::catalogue::Listing) -> bool {
    listing.pool().is_none()
}

fn note_lifecycle(
    counts: &mut Counts,
    exchange: &Exchange,
    request: &Request,
    closed: usize,
    resolved: usize,
) {
    if let Command::ResolveMarket(ResolveMarket { outcome: Outcome::Yes, .. }) = request.command {
        counts.note_if(resolved > 1 && closed > 0, Rare::AutoNoWithOpenSiblings);
        return;
    }
    let is_series_end = |change: &Change| match change {
        Change::EventStatus { event, status: Status::Resolved } => {
            let event =
                exchange.catalogue().find_event(*event).map(|index| exchange.catalogue().event(index));
            event.is_some_and(|event| matches!(event.link, EventLink::Series { .. }))
        }
        _ => false,
    };
    counts.note_if(exchange.changes().iter().any(is_series_end), Rare::SeriesResolution);
}

fn note_same_instant(counts: &mut Counts, exchange: &Exchange) {
    let changes = exchange.changes();
    let has_price_of_its_instant = |change: &Change| {
        let Change::SeriesBoundary { series, at: start, .. } = *change else { return false };
        let link = EventLink::Series { series, start };
        let mut made = exchange.catalogue().events().filter(|(_, event)| event.link == link);
        made.any(|(_, event)| event.open_samples.iter().any(|sample| sample.at == start))
    };
    counts.note_if(changes.iter().any(has_price_of_its_instant), Rare::PriceAtBoundary);
    let expired_at = changes.iter().find_map(|change| match change {
        Change::Order { record, cause: OrderCause::Expired } => record.terms.expires_at,
        _ => None,
    });
    let closes_then = |change: &Change| match change {
        Change::EventStatus { event, status: Status::Closed } => {
            let event =
                exchange.catalogue().find_event(*event).map(|index| exchange.catalogue().event(index));
            event.is_some_and(|event| event.details.closing_date == expired_at)
        }
        _ => false,
    };
    counts.note_if(expired_at.is_some() && changes.iter().any(closes_then), Rare::ExpiryAtClose);
}

/// Notes keys and password resets that are pending.
fn note_access(counts: &mut Counts, exchange: &Exchange, request: &Request, result: &Result<Reply, Reject>) {
    let directory = exchange.directory();
    match (&request.command, request.actor, result) {
        (Command::CreateUser(CreateUser { id, address, .. }), _, Ok(_)) => {
            // The simulator's format of addresses.
            let own = Hash32::of(&format!("user{}@example.com", id.as_u128()));
            counts.note_if(*address != own, Rare::AddressFreed);
        }
        (Command::ResetPassword(_), _, Ok(_)) => counts.note(Rare::ResetRedeemed),
        (Command::ResetPassword(ResetPassword { token_hash, .. }), _, Err(Reject::TokenNotFound)) => {
            counts.note_if(directory.find_reset(*token_hash).is_some(), Rare::ResetUnapproved)
        }
        (_, Actor::Key { key, generation }, Err(Reject::StaleKey)) => {
            let owner = directory.find_by_key(key).map(|owner| directory.user(owner));
            let found = owner.and_then(|owner| owner.key(key));
            let waits = found.is_some_and(|key| key.generation == generation && key.needs_rotation);
            counts.note_if(waits, Rare::KeyAwaitsRotation);
        }
        _ => {}
    }
}

/// Notes agreed amounts above a cap.
fn note_agreed(counts: &mut Counts, before: &Before, request: &Request, result: &Result<Reply, Reject>) {
    if !matches!(request.command, Command::Finalise(_)) {
        return;
    }
    let is_over = |currency: Currency, amount: Money| amount > before.pending.entry_max(currency);
    match deed(before, request, result) {
        Some(
            Command::CreditWallet(CreditWallet { currency, amount, .. })
            | Command::DebitWallet(DebitWallet { currency, amount, .. }),
        ) => counts.note_if(is_over(*currency, *amount), Rare::MoneyAgreed),
        Some(
            Command::SeedPool(SeedPool { currency, amount, .. })
            | Command::GrowPool(GrowPool { currency, amount, .. }),
        ) => counts.note_if(is_over(*currency, *amount), Rare::SeedAgreed),
        _ => {}
    }
}
