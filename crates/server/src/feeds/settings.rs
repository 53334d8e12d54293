//! The settings of feeds, and their validation.
//!
//! A `FeedTable` is a `[[feeds]]` table as written in the file; `read_feeds` validates all of them into `FeedSettings`.

use std::collections::BTreeSet;
use std::time::Duration;

use api::decimal;
use exchange::catalogue::AssetPrice;
use exchange::text::Text;
use reqwest::Url;
use serde::Deserialize;

use super::http::{self, Client};
use super::simulated::SimulatedSettings;
use super::status::FeedKind;

const NAME_CHARACTERS_MAX: usize = 60;
const SYMBOL_CHARACTERS_MAX: usize = 20;
/// A series boundary looks back one minute: a feed must deliver at least two samples in it.
const INTERVAL_MILLISECONDS: std::ops::RangeInclusive<u64> = 100..=30_000;
const TIMEOUT_MILLISECONDS: std::ops::RangeInclusive<u64> = 50..=30_000;
const RETRIES_MAX: u32 = 5;
/// Largest step of a simulated price, in millionths.
const STEP_PPM: std::ops::RangeInclusive<u32> = 1..=10_000;

/// A feed as written in the settings file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FeedTable {
    pub name: String,
    pub kind: Option<FeedKind>,
    pub symbol: String,
    pub interval_milliseconds: Option<u64>,
    // For `simulated`.
    pub start: Option<String>,
    pub step_ppm: Option<u32>,
    pub seed: Option<u64>,
    // For `http`.
    pub url: Option<String>,
    pub value_pointer: Option<String>,
    pub time_pointer: Option<String>,
    pub time_format: Option<TimeFormat>,
    pub timeout_milliseconds: Option<u64>,
    pub retries: Option<u32>,
}

/// The format of an endpoint's times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeFormat {
    Seconds,
    #[default]
    Milliseconds,
    Microseconds,
    Rfc3339,
}

/// A validated feed.
#[derive(Clone, Debug)]
pub struct FeedSettings {
    /// The source's name: series refer to it, and every sample carries it.
    pub name: Text,
    pub symbol: Text,
    pub interval: Duration,
    pub source: Source,
}

#[derive(Clone, Debug)]
pub enum Source {
    Simulated(SimulatedSettings),
    /// An operator pushes the price.
    Push,
    Http(Box<HttpSettings>),
}

#[derive(Clone, Debug)]
pub struct HttpSettings {
    pub url: Url,
    /// RFC 6901 pointer to the price in the response.
    pub value_pointer: String,
    /// Pointer to the price's time; without one the time of the request counts.
    pub time_pointer: Option<String>,
    pub time_format: TimeFormat,
    pub retries: u32,
    pub(super) client: Client,
}

/// An invalid feed, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("feed {feed:?}: {fault}")]
pub struct FeedFault {
    pub feed: String,
    pub fault: String,
}

impl Source {
    pub const fn kind(&self) -> FeedKind {
        match self {
            Source::Simulated(_) => FeedKind::Simulated,
            Source::Push => FeedKind::Push,
            Source::Http(_) => FeedKind::Http,
        }
    }

    /// Whether it takes samples by itself.
    pub const fn is_active(&self) -> bool {
        !matches!(self, Source::Push)
    }
}

/// Validates every table. Returns the first fault.
pub fn read_feeds(tables: &[FeedTable]) -> Result<Vec<FeedSettings>, FeedFault> {
    let mut seen = BTreeSet::new();
    let read = |table: &FeedTable| {
        let fault = |fault: String| FeedFault { feed: table.name.clone(), fault };
        let feed = read_feed(table).map_err(fault)?;
        if !seen.insert((feed.name.clone(), feed.symbol.clone())) {
            return Err(fault(format!("is there twice for {}", feed.symbol)));
        }
        Ok(feed)
    };
    tables.iter().map(read).collect()
}

fn read_feed(table: &FeedTable) -> Result<FeedSettings, String> {
    check_name(&table.name)?;
    check_symbol(&table.symbol)?;
    let kind = table.kind.ok_or("kind is simulated, push or http")?;
    refuse_unused_keys(kind, table)?;
    let source = match kind {
        FeedKind::Simulated => Source::Simulated(read_simulated(table)?),
        FeedKind::Push => Source::Push,
        FeedKind::Http => Source::Http(Box::new(read_http(table)?)),
    };
    let usual = if kind == FeedKind::Http { 5_000 } else { 1_000 };
    let interval = milliseconds(
        "interval-milliseconds",
        table.interval_milliseconds.unwrap_or(usual),
        INTERVAL_MILLISECONDS,
    )?;
    let (name, symbol) = (Text::from(table.name.as_str()), Text::from(table.symbol.as_str()));
    Ok(FeedSettings { name, symbol, interval, source })
}

fn check_name(name: &str) -> Result<(), String> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if !name.is_empty() && name.len() <= NAME_CHARACTERS_MAX && name.bytes().all(legal) {
        Ok(())
    } else {
        Err(format!("name has 1 to {NAME_CHARACTERS_MAX} letters, digits, hyphens, underscores or dots"))
    }
}

fn check_symbol(symbol: &str) -> Result<(), String> {
    let legal = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    if !symbol.is_empty() && symbol.len() <= SYMBOL_CHARACTERS_MAX && symbol.bytes().all(legal) {
        Ok(())
    } else {
        Err(format!("symbol has 1 to {SYMBOL_CHARACTERS_MAX} uppercase letters and digits"))
    }
}

/// A key without effect is more likely a mistake than intended.
fn refuse_unused_keys(kind: FeedKind, table: &FeedTable) -> Result<(), String> {
    use FeedKind::{Http, Simulated};
    let keys: [(&str, bool, &[FeedKind]); 10] = [
        ("interval-milliseconds", table.interval_milliseconds.is_some(), &[Simulated, Http]),
        ("start", table.start.is_some(), &[Simulated]),
        ("step-ppm", table.step_ppm.is_some(), &[Simulated]),
        ("seed", table.seed.is_some(), &[Simulated]),
        ("url", table.url.is_some(), &[Http]),
        ("value-pointer", table.value_pointer.is_some(), &[Http]),
        ("time-pointer", table.time_pointer.is_some(), &[Http]),
        ("time-format", table.time_format.is_some(), &[Http]),
        ("timeout-milliseconds", table.timeout_milliseconds.is_some(), &[Http]),
        ("retries", table.retries.is_some(), &[Http]),
    ];
    match keys.iter().find(|(_, is_given, kinds)| *is_given && !kinds.contains(&kind)) {
        Some((key, ..)) => Err(format!("{key} means nothing to a {kind} feed")),
        None => Ok(()),
    }
}

fn read_simulated(table: &FeedTable) -> Result<SimulatedSettings, String> {
    let start = table.start.as_deref().ok_or("start is missing: the price to begin with, as \"96250.5\"")?;
    let start = decimal::AssetPrice::parse(start).map_err(|fault| format!("start {fault}"))?;
    let step_ppm = table.step_ppm.unwrap_or(150);
    if start.units() <= 0 {
        return Err("start must be more than 0".to_owned());
    }
    if !STEP_PPM.contains(&step_ppm) {
        return Err(format!("step-ppm must be {} to {}", STEP_PPM.start(), STEP_PPM.end()));
    }
    Ok(SimulatedSettings { start: AssetPrice(start.units()), step_ppm, seed: table.seed.unwrap_or(7) })
}

fn read_http(table: &FeedTable) -> Result<HttpSettings, String> {
    let url = table.url.as_deref().ok_or("url is missing")?;
    let url = Url::parse(url).map_err(|fault| format!("url cannot be read: {fault}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("url must begin with http:// or https://".to_owned());
    }
    let value_pointer = table
        .value_pointer
        .clone()
        .ok_or("value-pointer is missing: where the price stands, as \"/price\"")?;
    check_pointer("value-pointer", &value_pointer)?;
    table.time_pointer.as_deref().map_or(Ok(()), |pointer| check_pointer("time-pointer", pointer))?;
    if table.time_pointer.is_none() && table.time_format.is_some() {
        return Err("time-format means nothing without time-pointer".to_owned());
    }
    let timeout = table.timeout_milliseconds.unwrap_or(3_000);
    let timeout = milliseconds("timeout-milliseconds", timeout, TIMEOUT_MILLISECONDS)?;
    let retries = table.retries.unwrap_or(2);
    if retries > RETRIES_MAX {
        return Err(format!("retries must be 0 to {RETRIES_MAX}"));
    }
    let client =
        http::client(&url, timeout).map_err(|fault| format!("cannot create the HTTP client: {fault}"))?;
    let (time_pointer, time_format) = (table.time_pointer.clone(), table.time_format.unwrap_or_default());
    Ok(HttpSettings { url, value_pointer, time_pointer, time_format, retries, client })
}

fn check_pointer(key: &str, pointer: &str) -> Result<(), String> {
    if pointer.is_empty() || pointer.starts_with('/') {
        Ok(())
    } else {
        Err(format!("{key} is empty or begins with a slash, as \"/data/price\""))
    }
}

fn milliseconds(key: &str, given: u64, allowed: std::ops::RangeInclusive<u64>) -> Result<Duration, String> {
    if allowed.contains(&given) {
        Ok(Duration::from_millis(given))
    } else {
        Err(format!("{key} must be {} to {}", allowed.start(), allowed.end()))
    }
}
