//! One seed, one day: generate, apply, check; now and then restore; at the end replay.

use std::panic::{self, AssertUnwindSafe};

use exchange::Exchange;
use exchange::catalogue::{EventLink, Status};
use exchange::change::{Change, MatchType, OrderCause, SeriesAlert};
use exchange::command::{Command, Request};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;

use crate::checks::Before;
use crate::counts::{Counts, Rare};
use crate::failure::Failure;
use crate::generator::Generator;
use crate::harness::Harness;

/// Commands between two restored snapshots.
const RESTORE_EVERY: usize = 500;

/// A seed that failed, with all it takes to see it again.
#[derive(Clone, Debug)]
pub struct FailedRun {
    pub seed: u64,
    pub index: usize,
    pub failure: Failure,
    pub journal: Vec<(Time, Request)>,
}

/// Plays `commands` generated commands of a seed.
pub fn run_seed(seed: u64, commands: usize) -> Result<Counts, Box<FailedRun>> {
    let mut harness = Harness::default();
    let outcome = catch(|| play(seed, commands, &mut harness));
    match outcome {
        Ok(()) => {
            harness.counts.seeds = 1;
            Ok(harness.counts)
        }
        Err(failure) => {
            let journal = core::mem::take(&mut harness.journal);
            Err(Box::new(FailedRun { seed, index: journal.len().saturating_sub(1), failure, journal }))
        }
    }
}

fn play(seed: u64, commands: usize, harness: &mut Harness) -> Result<(), Failure> {
    let mut generator = Generator::new(seed);
    for index in 0..commands {
        let (at, request) = generator.next(&harness.exchange, &harness.shadow);
        let result = harness.step(at, &request)?;
        generator.learn(&request, &result);
        if index % RESTORE_EVERY == RESTORE_EVERY - 1 {
            harness.restore()?;
        }
    }
    harness.restore()?;
    harness.replay()
}

/// Applies a journal with every check; ticks come as they are.
pub fn run_journal(journal: &[(Time, Request)]) -> Result<(), Failure> {
    let mut harness = Harness::default();
    catch(|| {
        for (at, request) in journal {
            // A refusal is as good as an answer here.
            let _ = harness.step(*at, request)?;
        }
        harness.restore()?;
        harness.replay()
    })
}

/// A panic is a broken rule too: its words are the rule.
pub fn catch<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    panic::catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        let rule = words.lines().next().unwrap_or_default().split(": ").next().unwrap_or_default().to_owned();
        Err(Failure { rule: format!("panic: {rule}"), detail: words })
    })
}

/// Counts the rare states that a command and its changes show.
pub fn note_rare(
    counts: &mut Counts,
    exchange: &Exchange,
    before: &Before,
    request: &Request,
    result: &Result<Reply, Reject>,
) {
    match result {
        Ok(Reply::Replayed { .. }) => counts.note(Rare::Replayed),
        Err(Reject::IdempotencyMismatch) => counts.note(Rare::IdempotencyMismatch),
        Err(Reject::OverMaxLiability) => counts.note(Rare::OverMaxLiability),
        Err(Reject::Slippage | Reject::PriceLimit) => counts.note(Rare::PoolSlippage),
        Err(Reject::NeedsAnother) => counts.note(Rare::NeedsAnother),
        Err(Reject::NeedsProposal) => counts.note(Rare::NeedsProposal),
        Err(Reject::ProposalTooYoung { .. }) => counts.note(Rare::TooYoung),
        Err(Reject::OverEntryCap { .. } | Reject::OverDayCap { .. }) => counts.note(Rare::OverCap),
        Err(Reject::CancelOnly) => counts.note(Rare::CancelOnly),
        _ => {}
    }
    let changes = exchange.changes();
    let (mut closed, mut resolved, mut refunded) = (0, 0, false);
    for change in changes {
        match change {
            Change::Trade(trade) => {
                counts.trades += 1;
                counts.note_if(trade.match_type == MatchType::Mint, Rare::Mint);
                counts.note_if(trade.match_type == MatchType::Merge, Rare::Merge);
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
            _ => {}
        }
    }
    let pays = changes.iter().any(|change| matches!(change, Change::Settled(_)));
    counts.note_if(pays && matches!(request.command, Command::Finalise { .. }), Rare::FinalisedPays);
    counts.note_if(pays && matches!(request.command, Command::RecordGameResult { .. }), Rare::ResultPays);
    note_lifecycle(counts, exchange, request, closed, resolved);
    note_same_instant(counts, exchange, request);
    if matches!(request.command, Command::CancelMarkets { .. }) && result.is_ok() {
        counts.note_if(refunded, Rare::CancelledWithOrders);
        let had_pool = |(place, listing): (usize, _)| before.pools[place].is_some() && gone(listing);
        let holders = changes.iter().filter(|change| matches!(change, Change::Settled(_))).count();
        let mut listings = exchange.catalogue().listings().map(|(_, listing)| listing).enumerate();
        counts.note_if(holders > 1 && listings.any(had_pool), Rare::CancelledWithPool);
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
    if let Command::ResolveMarket { outcome: Outcome::Yes, .. } = request.command {
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

fn note_same_instant(counts: &mut Counts, exchange: &Exchange, request: &Request) {
    let changes = exchange.changes();
    if let Command::RecordPrice { value, .. } = &request.command {
        let counted = changes.iter().any(|change| {
            matches!(change, Change::SeriesBoundary { at, value: Some(settled), .. }
                if *at == exchange.now() && settled == value)
        });
        counts.note_if(counted, Rare::PriceAtBoundary);
    }
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

/// Prints what a seed sends and what comes back, up to a command index, or the last twenty of it.
pub fn print_seed(seed: u64, commands: usize, index: Option<usize>) {
    let mut harness = Harness::default();
    // What fails is reported by the run that follows.
    let _ = catch(|| play(seed, commands, &mut harness));
    let journal = core::mem::take(&mut harness.journal);
    let end = index.map_or(journal.len(), |index| (index + 1).min(journal.len()));
    let mut exchange = Exchange::new();
    let _ = catch(|| {
        for (place, (at, request)) in journal[..end].iter().enumerate() {
            let shown = place + 20 >= end;
            if shown {
                println!("{place:>6}  {at:?}  {:?}  {:?}", request.actor, request.command);
            }
            let result = exchange.apply(*at, request);
            if shown {
                println!("        {result:?}");
            }
        }
        Ok(())
    });
}
