//! A run: what the server has, then each check, then the extensions; at the end no order is left open.

use std::io;

use serde_json::json;
use tokio::runtime::Builder;

use crate::check::{Check, Difference, Needs, Stop, Verdict};
use crate::checks;
use crate::decimal::Decimal;
use crate::extensions::{FEATURES, ROUTES, has_route};
use crate::probe::{Ledger, Probe};
use crate::report::{ExtensionRow, Report, Row, Status};
use crate::target::Target;
use crate::wire::{Call, Wire};
use crate::world::World;

/// The writes of a run, a line for each check that writes.
pub fn plan(target: &Target) -> Vec<String> {
    let wanted = checks::all().into_iter().filter(|check| target.wants(check.id));
    let writes = wanted.filter(|check| missing(check, target).is_none());
    writes
        .filter_map(|check| match check.needs {
            Needs::Money(what) | Needs::TwoKeys(what) | Needs::Login(what) => {
                Some(format!("{}: {what}", check.id))
            }
            Needs::Nothing | Needs::Key => None,
        })
        .collect()
}

/// Runs the checks. `progress` is called with each row as soon as it is known.
pub fn run(target: &Target, progress: &mut dyn FnMut(&Row)) -> io::Result<Report> {
    // A worker of its own, so that connections are served between requests too.
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let wire = Wire::new(runtime, target.client.clone(), &target.url);
    let world = World::find(&wire);
    let mut ledger = Ledger::default();
    let mut rows = Vec::new();
    for check in checks::all().iter().filter(|check| target.wants(check.id)) {
        let verdict = match missing(check, target) {
            Some(reason) => Verdict::NotTried(reason),
            None => carry_out(check, target, &wire, &world, &mut ledger),
        };
        let row = Row::new(check, verdict);
        progress(&row);
        rows.push(row);
    }
    let clean_up = clean_up(target, &wire, &mut ledger);
    let extensions =
        if target.wants("extensions") { extensions(target, &wire, &world, &mut ledger) } else { Vec::new() };
    Ok(Report {
        url: target.url.clone(),
        max_spend: target.max_spend.to_string(),
        bound_at_most: ledger.most.to_string(),
        clean_up,
        checks: rows,
        extensions,
    })
}

/// Why a check cannot be tried with what was given.
fn missing(check: &Check, target: &Target) -> Option<String> {
    let no_key = || "no key was given".to_owned();
    let no_money = || "--max-spend 0 allows no writes".to_owned();
    match check.needs {
        Needs::Nothing => None,
        Needs::Key => target.key.is_none().then(no_key),
        Needs::Login(_) => target.login.is_none().then(|| "no email and password were given".to_owned()),
        Needs::Money(_) | Needs::TwoKeys(_) if target.key.is_none() => Some(no_key()),
        Needs::TwoKeys(_) if target.second_key.is_none() => Some("no second key was given".to_owned()),
        Needs::Money(_) | Needs::TwoKeys(_) => (target.max_spend == Decimal::ZERO).then(no_money),
    }
}

fn carry_out(check: &Check, target: &Target, wire: &Wire, world: &World, ledger: &mut Ledger) -> Verdict {
    let mut probe = Probe { target, wire, world, ledger, differences: Vec::new() };
    let ended = (check.run)(&mut probe);
    let mut differences = probe.differences;
    match ended {
        Ok(()) => {}
        Err(Stop::NotTried(reason)) if differences.is_empty() => return Verdict::NotTried(reason),
        Err(Stop::NotTried(_)) => {}
        Err(Stop::Broken(difference)) => differences.push(difference),
    }
    if differences.is_empty() { Verdict::Holds } else { Verdict::Differs(differences) }
}

/// Cancels what a check left open. Returns a line for each order.
fn clean_up(target: &Target, wire: &Wire, ledger: &mut Ledger) -> Vec<String> {
    let mut lines = Vec::new();
    for order in ledger.open.drain(..).filter(|order| !order.id.is_empty()) {
        let key = if order.is_second { target.second_key.as_ref() } else { target.key.as_ref() };
        let Some(key) = key else { continue };
        let body = json!({"orderIds": [order.id]}).to_string();
        let call = Call::new("DELETE", "/v1/pm/orders/batch").body(&body).signed(key);
        let result = match wire.send(&call) {
            Ok(answer) if answer.value().boolean("results/0/success") == Some(true) => "cancelled".to_owned(),
            Ok(answer) => format!("not cancelled: {}", answer.shown()),
            Err(Stop::NotTried(reason)) => format!("not cancelled: {reason}"),
            Err(Stop::Broken(Difference { seen, .. })) => format!("not cancelled: {seen}"),
        };
        lines.push(format!("order {}: {result}", order.id));
    }
    lines
}

fn extensions(target: &Target, wire: &Wire, world: &World, ledger: &mut Ledger) -> Vec<ExtensionRow> {
    let mut rows = Vec::new();
    let mut probe = Probe { target, wire, world, ledger, differences: Vec::new() };
    for feature in FEATURES {
        let found = (feature.run)(&mut probe);
        rows.push(extension_row(feature.id, feature.title, found));
    }
    for route in ROUTES {
        let found = has_route(&mut probe, route);
        rows.push(extension_row(route.name, route.title, found));
    }
    rows
}

fn extension_row(id: &str, title: &str, found: Result<bool, Stop>) -> ExtensionRow {
    let (status, reason) = match found {
        Ok(true) => (Status::Has, None),
        Ok(false) => (Status::HasNot, None),
        Err(Stop::NotTried(reason)) => (Status::NotTried, Some(reason)),
        // A server without the feature may answer in any way.
        Err(Stop::Broken(_)) => (Status::HasNot, None),
    };
    ExtensionRow { id: id.to_owned(), title: title.to_owned(), status, reason }
}
