//! A run: the server's markets, then each check, then the clean-up, then the extensions.

use std::{fmt, io};

use tokio::runtime::Builder;

use crate::check::{Check, Needs, Stop, Verdict};
use crate::checks;
use crate::clean_up::{OpenBefore, clean_up};
use crate::decimal::Decimal;
use crate::extensions::{FEATURES, ROUTES, has_route};
use crate::ledger::Ledger;
use crate::probe::Probe;
use crate::report::{EndpointRow, ExtensionRow, Report, Row, Status};
use crate::target::{Key, Target, is_wanted};
use crate::wire::{Call, Wire};
use crate::world::World;

/// A run that cannot begin.
#[derive(Debug)]
pub enum RunError {
    Runtime(io::Error),
    /// Both keys belong to one account, so trades between the two would be self-trades.
    SameAccount,
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Runtime(error) => write!(formatter, "no runtime: {error}"),
            RunError::SameAccount => {
                formatter.write_str("--second-key must belong to another account than --key")
            }
        }
    }
}

impl std::error::Error for RunError {}

/// The first prefix of `only` that neither a check nor `extensions` begins with.
pub fn unmatched(only: &[String]) -> Option<&str> {
    let ids: Vec<&str> = checks::all().iter().map(|check| check.id).chain(["extensions"]).collect();
    let is_unmatched = |start: &&String| !ids.iter().any(|id| is_wanted(&[(*start).clone()], id));
    only.iter().find(is_unmatched).map(String::as_str)
}

/// The writes of a run, a line for each check that writes.
pub fn plan(target: &Target) -> Vec<String> {
    let wanted = checks::all().into_iter().filter(|check| target.wants(check.id));
    let given = Given::of(target);
    let writes = wanted.filter(|check| given.lacks(check.needs).is_none());
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
pub fn run(target: &Target, progress: &mut dyn FnMut(&Row)) -> Result<Report, RunError> {
    // A worker of its own, so that connections are served between requests too.
    let runtime =
        Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(RunError::Runtime)?;
    let wire = Wire::new(runtime, target);
    if is_one_account(target, &wire) {
        return Err(RunError::SameAccount);
    }
    let world = World::find(&wire);
    let before =
        if plan(target).is_empty() { OpenBefore::default() } else { OpenBefore::read(target, &wire) };
    let (given, mut ledger) = (Given::of(target), Ledger::default());
    let mut rows = Vec::new();
    for check in checks::all().iter().filter(|check| target.wants(check.id)) {
        let verdict = match given.lacks(check.needs) {
            Some(reason) => Verdict::NotTried(reason.to_owned()),
            None => carry_out(check, target, &wire, &world, &mut ledger),
        };
        let row = Row::new(check, verdict);
        progress(&row);
        rows.push(row);
    }
    let clean_up = clean_up(target, &wire, &mut ledger, &before);
    let extensions =
        if target.wants("extensions") { extensions(target, &wire, &world, &mut ledger) } else { Vec::new() };
    Ok(Report {
        url: target.url.clone(),
        max_spend: target.max_spend.to_string(),
        bound_at_most: ledger.most.to_string(),
        clean_up,
        endpoints: EndpointRow::of(&rows),
        checks: rows,
        extensions,
    })
}

/// Whether both keys belong to one account, as far as the server tells.
fn is_one_account(target: &Target, wire: &Wire) -> bool {
    let (Some(first), Some(second)) = (&target.key, &target.second_key) else { return false };
    let user = |key: &Key| {
        let answer = wire.send(&Call::new("GET", "/v1/wallet/assets").reader(key)).ok()?;
        answer.value().text("assets/0/userId").map(str::to_owned)
    };
    first.public == second.public || user(first).is_some_and(|id| user(second) == Some(id))
}

/// The credentials and the money of a run.
#[derive(Clone, Copy, Debug)]
struct Given {
    has_key: bool,
    has_second_key: bool,
    has_login: bool,
    has_money: bool,
}

impl Given {
    fn of(target: &Target) -> Given {
        Given {
            has_key: target.key.is_some(),
            has_second_key: target.second_key.is_some(),
            has_login: target.login.is_some(),
            has_money: target.max_spend > Decimal::ZERO,
        }
    }

    /// Why a check with these needs cannot be tried.
    fn lacks(self, needs: Needs) -> Option<&'static str> {
        let needs_key = matches!(needs, Needs::Key | Needs::Money(_) | Needs::TwoKeys(_));
        let writes = matches!(needs, Needs::Money(_) | Needs::TwoKeys(_) | Needs::Login(_));
        if needs_key && !self.has_key {
            return Some("no key was given");
        }
        match needs {
            Needs::TwoKeys(_) if !self.has_second_key => Some("no second key was given"),
            Needs::Login(_) if !self.has_login => Some("no email and password were given"),
            _ if writes && !self.has_money => Some("--max-spend 0 allows no writes"),
            _ => None,
        }
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

#[cfg(test)]
mod tests {
    use super::{Given, unmatched};
    use crate::check::Needs;
    use crate::checks;

    const ALL: Given = Given { has_key: true, has_second_key: true, has_login: true, has_money: true };

    #[test]
    fn a_limit_of_nothing_leaves_every_write_untried() {
        for check in checks::all() {
            assert_eq!(ALL.lacks(check.needs), None, "{}", check.id);
            let writes = !matches!(check.needs, Needs::Nothing | Needs::Key);
            let lacks = Given { has_money: false, ..ALL }.lacks(check.needs);
            assert_eq!(lacks.is_some(), writes, "{}", check.id);
        }
    }

    #[test]
    fn a_missing_credential_is_named_before_the_money() {
        let nothing = Given { has_key: false, has_second_key: false, has_login: false, has_money: false };
        assert_eq!(nothing.lacks(Needs::Nothing), None);
        assert_eq!(nothing.lacks(Needs::Money("")), Some("no key was given"));
        assert_eq!(
            Given { has_second_key: false, ..ALL }.lacks(Needs::TwoKeys("")),
            Some("no second key was given")
        );
        assert_eq!(nothing.lacks(Needs::Login("")), Some("no email and password were given"));
    }

    #[test]
    fn a_prefix_that_no_check_has_is_found() {
        let only = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(unmatched(&only(&["orders", "events.list", "extensions"])), None);
        assert_eq!(unmatched(&only(&["orders", "ordres"])), Some("ordres"));
        assert_eq!(unmatched(&[]), None);
    }
}
