//! Finds the market to watch from a word on the command line, its address and the key.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use uuid::Uuid;

use super::{Options, Outcome};
use crate::client::{NoResponse, client, send};

const PATIENCE: Duration = Duration::from_secs(20);
/// Events per page while searching for a market.
const PAGE: u64 = 100;

#[derive(Debug, thiserror::Error)]
pub(super) enum TargetError {
    #[error("{0} cannot be read: {1}")]
    Demo(String, String),
    #[error("{0} is not an address that begins with http:// or https://")]
    Address(String),
    #[error("{url} did not answer: {cause}")]
    Transport { url: String, cause: NoResponse },
    #[error("{0}")]
    Refused(String),
    #[error("there is no market or event {0}")]
    NotFound(String),
    #[error("the event has several markets, name one of them:\n{0}")]
    Several(String),
}

#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) url: String,
    /// Grants reading of orders, not placing them; still not to be printed.
    pub(super) public_key: Option<String>,
    pub(super) event: String,
    pub(super) market: String,
    pub(super) outcome: Outcome,
    pub(super) outcome_id: String,
    pub(super) currency: String,
    /// The event's title, and the market's if it has several.
    pub(super) title: String,
    /// YES first.
    pub(super) labels: [String; 2],
}

impl Target {
    pub(super) fn find(options: &Options) -> Result<Target, TargetError> {
        let (url, public_key) = match &options.data {
            Some(folder) => of_demo(folder)?,
            None => (options.url.clone(), None),
        };
        let url = url.trim_end_matches('/').to_owned();
        if !["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(TargetError::Address(url));
        }
        let (event, market) = find(&url, &options.market)?;
        let word = |value: &Value| printable(value.as_str().unwrap_or_default());
        let is_alone = event["markets"].as_array().is_some_and(|markets| markets.len() == 1);
        let outcome_id = match options.outcome {
            Outcome::Yes => &market["outcome1Id"],
            Outcome::No => &market["outcome2Id"],
        };
        Ok(Target {
            url,
            public_key: options.public_key.clone().or(public_key),
            event: word(&event["id"]),
            market: word(&market["id"]),
            outcome: options.outcome,
            outcome_id: word(outcome_id),
            currency: options.currency.to_uppercase(),
            title: match is_alone {
                true => word(&event["title"]),
                false => format!("{}: {}", word(&event["title"]), word(&market["title"])),
            },
            labels: [word(&market["outcome1Label"]), word(&market["outcome2Label"])],
        })
    }

    /// The URL of a stream.
    pub(super) fn stream(&self, path: &str) -> String {
        // `http` becomes `ws`, and `https` becomes `wss`.
        format!("ws{}{path}", self.url.strip_prefix("http").unwrap_or(&self.url))
    }

    /// The key owner's open orders in the market.
    pub(super) fn open_orders(&self, public_key: &str) -> Result<Vec<Value>, TargetError> {
        let path = format!("/v1/pm/orders?status=open&marketId={}&size={PAGE}", self.market);
        let page = get(&self.url, &path, Some(public_key))?;
        Ok(page["orders"].as_array().cloned().unwrap_or_default())
    }
}

/// Removes control characters: texts come from other users and could manipulate the terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}

/// Address and first key of a demo.
fn of_demo(folder: &Path) -> Result<(String, Option<String>), TargetError> {
    let path = folder.join("demo.json");
    let failed = |cause: String| TargetError::Demo(path.display().to_string(), cause);
    let text = fs::read(&path).map_err(|error| failed(error.to_string()))?;
    let record: Value = serde_json::from_slice(&text).map_err(|error| failed(error.to_string()))?;
    let url = record["baseUrl"].as_str().ok_or_else(|| failed("it has no baseUrl".to_owned()))?;
    let key = record.pointer("/users/0/publicKey").and_then(Value::as_str);
    Ok((url.to_owned(), key.map(str::to_owned)))
}

/// Finds the event and its market.
fn find(url: &str, wanted: &str) -> Result<(Value, Value), TargetError> {
    let Ok(id) = Uuid::parse_str(wanted) else {
        if !wanted.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character)) {
            return Err(TargetError::NotFound(printable(wanted)));
        }
        return only_market(get(url, &format!("/v1/pm/events/slug/{wanted}"), None)?);
    };
    match get(url, &format!("/v1/pm/events/{id}"), None) {
        Ok(event) => only_market(event),
        Err(TargetError::Refused(_)) => search(url, id),
        Err(error) => Err(error),
    }
}

fn only_market(event: Value) -> Result<(Value, Value), TargetError> {
    let markets = event["markets"].as_array().cloned().unwrap_or_default();
    match markets.as_slice() {
        [market] => Ok((event, market.clone())),
        several => {
            let line = |market: &Value| {
                let word = |key: &str| printable(market[key].as_str().unwrap_or_default());
                format!("  {}  {}", word("id"), word("title"))
            };
            Err(TargetError::Several(several.iter().map(line).collect::<Vec<_>>().join("\n")))
        }
    }
}

/// No endpoint returns the event of a market, so all events are searched page by page.
fn search(url: &str, market: Uuid) -> Result<(Value, Value), TargetError> {
    let wanted = market.to_string();
    for page in 1.. {
        let list = get(url, &format!("/v1/pm/events?size={PAGE}&page={page}"), None)?;
        let events = list["events"].as_array().cloned().unwrap_or_default();
        if events.is_empty() {
            break;
        }
        for event in events {
            let markets = event["markets"].as_array().into_iter().flatten();
            if let Some(found) = markets.into_iter().find(|market| market["id"] == *wanted).cloned() {
                return Ok((event, found));
            }
        }
    }
    Err(TargetError::NotFound(wanted))
}

fn get(url: &str, path: &str, public_key: Option<&str>) -> Result<Value, TargetError> {
    let failed = |cause| TargetError::Transport { url: url.to_owned(), cause };
    let client = client(url, PATIENCE).build().map_err(|error| failed(error.into()))?;
    let mut request = client.get(format!("{url}{path}"));
    if let Some(key) = public_key {
        request = request.header("X-Public-Key", key);
    }
    let response = send(request).map_err(failed)?;
    let body: Value = serde_json::from_str(&response.body).unwrap_or_default();
    if response.status.is_success() {
        return Ok(body);
    }
    Err(TargetError::Refused(printable(body["message"].as_str().unwrap_or("the answer cannot be read"))))
}
