//! Replies agree with the changes: every order in a reply is among the changes, with the same content.

use exchange::change::Change;
use exchange::order::ReportedOrder;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::failure::{Failure, ensure};

pub const REPORTED: &str = "14 every order that is answered is reported";

pub fn check_replies(result: &Result<Reply, Reject>, changes: &[Change]) -> Result<(), Failure> {
    let is_reported = |record: &ReportedOrder| {
        changes
            .iter()
            .any(|change| matches!(change, Change::Order { record: reported, .. } if reported == record))
    };
    let missing = match result {
        Ok(Reply::Order(record)) => Some(record).filter(|record| !is_reported(record)),
        Ok(Reply::Orders(records)) => records.iter().find(|record| !is_reported(record)),
        Ok(Reply::Results(results)) => results
            .iter()
            .filter_map(|result| result.outcome.as_ref().ok())
            .find(|record| !is_reported(record)),
        _ => None,
    };
    ensure(missing.is_none(), REPORTED, || format!("{missing:?}"))
}
