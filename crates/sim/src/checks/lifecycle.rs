//! Rule 9 for markets and events: statuses change only as the table allows, and final ones stay.

use exchange::Exchange;
use exchange::catalogue::{Action, Status};
use exchange::change::Change;

use super::Before;
use crate::failure::{Failure, ensure};

pub const BY_THE_TABLE: &str = "9 statuses move by the table, and final is final";
pub const REPORTED: &str = "9 every move of a status is reported";

pub fn check_lifecycle(before: &Before, exchange: &Exchange, changes: &[Change]) -> Result<(), Failure> {
    let mut moved = false;
    for change in changes {
        moved |= matches!(change, Change::MarketStatus { .. } | Change::EventStatus { .. });
    }
    for (index, market) in exchange.catalogue().markets() {
        let start = before.markets.get(&index).copied().unwrap_or(Status::Draft);
        if !moved {
            ensure(start == market.status, REPORTED, || {
                format!("market {} is {:?}", market.id, market.status)
            })?;
            continue;
        }
        let steps = changes.iter().filter_map(|change| match change {
            Change::MarketStatus { market: id, status } if *id == market.id => Some(*status),
            _ => None,
        });
        let mut at = start;
        for next in steps {
            let allowed = Action::ALL.iter().any(|action| at.after(*action) == Some(next));
            ensure(allowed, BY_THE_TABLE, || format!("market {}: {at:?} to {next:?}", market.id))?;
            at = next;
        }
        ensure(at == market.status, REPORTED, || {
            format!("market {} is {:?}, not {at:?}", market.id, market.status)
        })?;
    }
    for (index, event) in exchange.catalogue().events() {
        let start = before.events.get(&index).copied().unwrap_or(Status::Draft);
        let was_final = start.is_final();
        ensure(!was_final || event.status == start, BY_THE_TABLE, || {
            format!("event {} was {start:?}", event.id)
        })?;
    }
    Ok(())
}
