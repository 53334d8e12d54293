//! Lines about the running venue's policy and operators, which its operators' listener reports.

use std::time::Duration;

use api::admin::response::{OperatorState, Operators, PolicyState};
use api::decimal::Money;
use api::terms::Role;
use exchange::governance::Policy;
use exchange::numbers::Money as LedgerMoney;
use serde::de::DeserializeOwned;
use server::admin::access::read_token;

use super::Finding;
use crate::blocking_http::{NoResponse, client, send};
use crate::health::reachable;
use crate::settings::Settings;

const PATIENCE: Duration = Duration::from_secs(10);

pub(super) struct Venue {
    pub(super) policy: PolicyState,
    pub(super) operators: Vec<OperatorState>,
}

impl Venue {
    /// Reads both from the operators' listener, with the token in the file of the settings.
    pub(super) fn fetch(settings: &Settings) -> Result<Venue, String> {
        let url = format!("http://{}", reachable(settings.admin_listen));
        let file = settings.operator_token_file.display();
        let token = read_token(&settings.operator_token_file).map_err(|error| error.to_string())?;
        let token = token.ok_or_else(|| {
            format!(
                "{file} has no token: start the exchange, or name a token's file with --operator-token-file"
            )
        })?;
        Ok(Venue {
            policy: fetch(&url, "/admin/v1/policy", &token)?,
            operators: fetch::<Operators>(&url, "/admin/v1/operators", &token)?.operators,
        })
    }
}

/// The metrics of the running exchange, as text. `None` if it does not answer.
pub(super) fn metrics(settings: &Settings) -> Option<String> {
    let url = format!("http://{}", reachable(settings.admin_listen));
    let client = client(&url, PATIENCE).no_proxy().build().ok()?;
    let response = send(client.get(format!("{url}/metrics"))).ok()?;
    response.status.is_success().then_some(response.body)
}

fn fetch<T: DeserializeOwned>(url: &str, path: &str, token: &str) -> Result<T, String> {
    let unanswered = |cause: NoResponse| format!("{url} does not answer ({cause}): start the exchange first");
    let client = client(url, PATIENCE).no_proxy().build().map_err(|error| unanswered(error.into()))?;
    let response = send(client.get(format!("{url}{path}")).bearer_auth(token)).map_err(unanswered)?;
    if !response.status.is_success() {
        return Err(format!(
            "{url} refuses the token of the settings with {}: {}",
            response.status, response.body
        ));
    }
    serde_json::from_str(&response.body)
        .map_err(|error| format!("{url}{path} answers something else: {error}"))
}

/// A new venue lets one operator credit millions: its owner must have chosen other limits.
pub(super) fn caps(policy: &PolicyState) -> Finding {
    let usual = Policy::default();
    let all = [
        ("--entry-max USD", policy.entry_max.usd, usual.entry_max.usd),
        ("--entry-max NGN", policy.entry_max.ngn, usual.entry_max.ngn),
        ("--day-max USD", policy.day_max.usd, usual.day_max.usd),
        ("--day-max NGN", policy.day_max.ngn, usual.day_max.ngn),
    ];
    let is_chosen =
        |cap: Option<Money>, usual: LedgerMoney| cap.is_some_and(|cap| cap.units() != usual.units());
    let open: Vec<&str> =
        all.iter().filter(|(_, cap, usual)| !is_chosen(*cap, *usual)).map(|(flag, ..)| *flag).collect();
    if open.is_empty() {
        return Ok("credits and debits of one operator have chosen limits in both currencies".to_owned());
    }
    Err(format!(
        "one operator may credit millions alone, as in a new venue: set {} with `bellwether admin policy set`",
        open.join(", ")
    ))
}

/// Two approvers who are different persons, and a policy that requires two.
pub(super) fn second_approver(policy: &PolicyState, operators: &[OperatorState]) -> Finding {
    let is_active = |operator: &&OperatorState| {
        operator.role == Role::Approver && !operator.revoked && !operator.suspended
    };
    let mut persons: Vec<&OperatorState> = Vec::new();
    for operator in operators.iter().filter(is_active) {
        let is_same = |other: &&OperatorState| {
            operator.one_person_with.contains(&other.name) || other.one_person_with.contains(&operator.name)
        };
        if !persons.iter().any(is_same) {
            persons.push(operator);
        }
    }
    if persons.len() < 2 {
        return Err(format!(
            "approvers who are different persons: {}. Create a second one (`bellwether admin operators create --role approver`) and confirm it",
            persons.len()
        ));
    }
    if !policy.two_required {
        return Err(
            "one person may pay out alone: `bellwether admin policy set --two-required true`".to_owned()
        );
    }
    Ok(format!("two persons are required, and {} approvers are different persons", persons.len()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn policy(two_required: bool, entry_max: &Value, day_max: &Value) -> PolicyState {
        let policy = json!({
            "twoRequired": two_required, "resolutionDelaySeconds": 0, "entryMax": entry_max, "dayMax": day_max,
            "retireAfterSeconds": 60,
        });
        serde_json::from_str(&policy.to_string()).expect("a policy")
    }

    fn operator(name: &str, role: &str, one_person_with: &[&str]) -> OperatorState {
        let operator = json!({
            "operatorId": "01a1e590-2647-72d3-b5d3-2e5ab88e6f67", "name": name, "role": role, "revoked": false,
            "suspended": false, "createdAt": "2026-01-01T00:00:00Z", "onePersonWith": one_person_with,
            "movedToday": [],
        });
        serde_json::from_str(&operator.to_string()).expect("an operator")
    }

    #[test]
    fn a_cap_of_a_new_venue_is_named() {
        let entry = json!({"USD": 1000, "NGN": 100_000});
        let day = json!({"USD": 5000, "NGN": 500_000});
        assert!(caps(&policy(true, &entry, &day)).is_ok());
        let usual = json!({"USD": 5000, "NGN": 1_000_000_000});
        for day in [usual, json!({"USD": 5000})] {
            let wrong = caps(&policy(true, &entry, &day)).expect_err("a cap is missing");
            assert!(wrong.contains("--day-max NGN") && !wrong.contains("--entry-max"), "{wrong}");
        }
    }

    #[test]
    fn one_person_with_two_tokens_is_not_a_second_approver() {
        let policy = |two_required| policy(two_required, &json!({}), &json!({}));
        let (first, second) = (operator("first", "approver", &[]), operator("ada", "approver", &[]));
        assert!(second_approver(&policy(true), &[first.clone(), second.clone()]).is_ok());
        let wrong = second_approver(&policy(false), &[first.clone(), second.clone()]).expect_err("a policy");
        assert!(wrong.contains("--two-required"), "{wrong}");
        let helper = operator("bob", "approver", &["first"]);
        assert!(second_approver(&policy(true), &[first.clone(), helper]).is_err());
        assert!(second_approver(&policy(true), &[first.clone(), operator("eve", "operator", &[])]).is_err());
        let suspended = OperatorState { suspended: true, ..second };
        assert!(second_approver(&policy(true), &[first, suspended]).is_err());
    }
}
