//! The end of a run: cancels orders and burns sets that checks left behind, and names everything that stays.

use std::collections::BTreeSet;

use serde_json::json;

use crate::check::{Difference, Stop};
use crate::ledger::{Ledger, OpenOrder, Sets};
use crate::probe::number;
use crate::target::{Key, Target};
use crate::wire::{Answer, Call, Wire};
use crate::world::rows;

/// Pages of open orders that are read.
const PAGES_MAX: usize = 50;

/// The open orders of both accounts before the run. They are not the run's, so they stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenBefore {
    /// By account: the first, the second. `None`: the list cannot be read.
    ids: [Option<BTreeSet<String>>; 2],
}

impl OpenBefore {
    pub fn read(target: &Target, wire: &Wire) -> OpenBefore {
        let of = |is_second| target.key_of(is_second).and_then(|key| open_orders(wire, key));
        OpenBefore { ids: [of(false), of(true)] }
    }
}

/// Cancels and burns. Returns a line for each thing that a check had left.
pub(crate) fn clean_up(
    target: &Target,
    wire: &Wire,
    ledger: &mut Ledger,
    before: &OpenBefore,
) -> Vec<String> {
    let mut lines = Vec::new();
    for is_second in [false, true] {
        let Some(key) = target.key_of(is_second) else { continue };
        let before = before.ids[usize::from(is_second)].as_ref();
        let now = if before.is_some() { open_orders(wire, key) } else { None };
        for id in left_open(&ledger.open, is_second, before, now) {
            let result = cancel(wire, key, &id);
            lines.push(format!("order {id}: {result}"));
        }
    }
    ledger.open.clear();
    for sets in ledger.sets.drain(..) {
        let Some(key) = target.key_of(sets.is_second) else { continue };
        let account = if sets.is_second { "the second account" } else { "the account" };
        let result = burn(wire, key, &sets);
        lines.push(format!("{} sets in market {} of {account}: {result}", sets.quantity, sets.market));
    }
    lines.append(&mut ledger.left);
    lines
}

/// The orders to cancel: those that are open now and were not before. Without lists, those that no check saw closed.
fn left_open(
    noted: &[OpenOrder],
    is_second: bool,
    before: Option<&BTreeSet<String>>,
    now: Option<BTreeSet<String>>,
) -> Vec<String> {
    match (before, now) {
        (Some(before), Some(now)) => now.difference(before).cloned().collect(),
        _ => {
            let own = noted.iter().filter(|order| order.is_second == is_second);
            own.map(|order| order.id.clone()).collect::<BTreeSet<_>>().into_iter().collect()
        }
    }
}

/// The ids of an account's open and partly filled orders. `None`: the list cannot be read.
fn open_orders(wire: &Wire, key: &Key) -> Option<BTreeSet<String>> {
    let mut ids = BTreeSet::new();
    for status in ["open", "partial_filled"] {
        for page in 1..=PAGES_MAX {
            let path = format!("/v1/pm/orders?status={status}&page={page}&size=100");
            let answer = wire.send(&Call::new("GET", &path).reader(key)).ok()?;
            if answer.status != 200 {
                return None;
            }
            let orders = rows(answer.value(), "orders");
            let known = ids.len();
            // A server that ignores the filter lists closed orders too.
            let open = orders.iter().filter(|order| order.text("status") == Some(status));
            ids.extend(open.filter_map(|order| order.text("id").map(str::to_owned)));
            if orders.len() < 100 || ids.len() == known {
                break;
            }
        }
    }
    Some(ids)
}

fn cancel(wire: &Wire, key: &Key, id: &str) -> String {
    let path = format!("/v1/pm/orders/{id}");
    match wire.send(&Call::new("DELETE", &path).signed(key)) {
        Ok(answer) if answer.is_success() => "cancelled".to_owned(),
        other => format!("not cancelled: {}", shown(other)),
    }
}

fn burn(wire: &Wire, key: &Key, sets: &Sets) -> String {
    let path = format!("/v1/pm/markets/{}/burn", sets.market);
    let body = json!({"quantity": number(sets.quantity), "currency": "USD"}).to_string();
    match wire.send(&Call::new("POST", &path).body(&body).signed(key)) {
        Ok(answer) if answer.is_success() => "burned".to_owned(),
        other => format!("not burned: {}", shown(other)),
    }
}

fn shown(result: Result<Answer, Stop>) -> String {
    match result {
        Ok(answer) => answer.shown(),
        Err(Stop::NotTried(reason)) => reason,
        Err(Stop::Broken(Difference { seen, .. })) => seen,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::left_open;
    use crate::ledger::OpenOrder;

    fn ids(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn orders_of_before_the_run_stay_and_unnoted_orders_of_the_run_are_found() {
        let noted = [OpenOrder { id: "noted".to_owned(), is_second: false }];
        let before = ids(&["old"]);
        let now = Some(ids(&["old", "unnoted"]));
        assert_eq!(left_open(&noted, false, Some(&before), now), ["unnoted"]);
    }

    #[test]
    fn without_a_readable_list_the_noted_orders_of_the_account_are_cancelled() {
        let order = |id: &str, is_second| OpenOrder { id: id.to_owned(), is_second };
        let noted = [order("a", false), order("b", true), order("a", false)];
        assert_eq!(left_open(&noted, false, None, None), ["a"]);
        assert_eq!(left_open(&noted, true, Some(&ids(&[])), None), ["b"]);
    }
}
