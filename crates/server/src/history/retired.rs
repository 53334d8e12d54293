//! Events that have left memory: the record of each, found by its id, its slug, a market or an outcome; and lists of them in
//! the order of creation, put together with those that memory still has.
//!
//! All of the store behind retired events is in this file. Everything else asks `History::retired` and
//! `History::retired_page`.

use std::sync::Arc;

use exchange::catalogue::{Engine, Event, EventKind, EventLink, RetiredEvent, Status};
use exchange::codec::{decode_retired, encode_retired};
use exchange::id::{EventId, GameId, MarketId, OutcomeId, SeriesId};
use exchange::numbers::Currency;
use exchange::order::Outcome;
use exchange::time::Time;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::HistoryError;

pub(super) const TABLES: &str = "
-- What lists are narrowed by. `serial` is the event's place in the order of creation, `sequence` the request that retired it.
CREATE TABLE retired (
    serial INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, ended INTEGER NOT NULL, status INTEGER NOT NULL,
    kind INTEGER NOT NULL, engine INTEGER NOT NULL, currencies INTEGER NOT NULL, category TEXT NOT NULL,
    subcategory TEXT NOT NULL, series BLOB, game BLOB, title TEXT NOT NULL, slug TEXT NOT NULL
);
CREATE INDEX retired_by_status ON retired (status, serial);
CREATE INDEX retired_by_category ON retired (category, serial);
CREATE INDEX retired_by_series ON retired (series, serial) WHERE series IS NOT NULL;
CREATE INDEX retired_by_game ON retired (game, serial) WHERE game IS NOT NULL;
CREATE INDEX retired_by_end ON retired (ended);
CREATE TABLE retired_records (serial INTEGER PRIMARY KEY, record BLOB NOT NULL);
-- Ids and slugs, each after a letter for its kind.
CREATE TABLE retired_names (name BLOB PRIMARY KEY, serial INTEGER NOT NULL) WITHOUT ROWID;
";

/// What a retired event is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetiredName {
    Event(EventId),
    Slug(String),
    Market(MarketId),
    Outcome(OutcomeId),
}

impl RetiredName {
    fn key(&self) -> Vec<u8> {
        let (kind, name): (u8, &[u8]) = match self {
            RetiredName::Event(id) => (b'e', &id.as_u128().to_be_bytes()),
            RetiredName::Slug(slug) => (b's', slug.as_bytes()),
            RetiredName::Market(id) => (b'm', &id.as_u128().to_be_bytes()),
            RetiredName::Outcome(id) => (b'o', &id.as_u128().to_be_bytes()),
        };
        [&[kind], name].concat()
    }

    /// All names of an event.
    fn all(retired: &RetiredEvent) -> Vec<RetiredName> {
        let event = &retired.event;
        let mut names = vec![RetiredName::Event(event.id), RetiredName::Slug(event.slug.to_string())];
        for market in &retired.markets {
            let id = market.market.id;
            names.push(RetiredName::Market(id));
            names
                .extend(Outcome::BOTH.map(|outcome| RetiredName::Outcome(OutcomeId::of(id, outcome as u64))));
        }
        names
    }
}

/// Which events a list shows. Words are lowercase; one that is none leaves nothing out.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    pub shows_drafts: bool,
    pub status: Option<Status>,
    pub kind: Option<EventKind>,
    pub engine: Option<Engine>,
    pub currency: Option<Currency>,
    pub category: Option<String>,
    pub subcategory: Option<String>,
    pub series: Option<SeriesId>,
    pub game: Option<GameId>,
    /// Part of the title.
    pub title: Option<String>,
    /// Part of the title or of the slug.
    pub title_or_slug: Option<String>,
    /// Only these.
    pub events: Option<Vec<EventId>>,
}

impl EventFilter {
    pub fn admits(&self, event: &Event) -> bool {
        let details = &event.details;
        let has = |part: &String| details.title.to_lowercase().contains(part);
        let (series, game) = links(event.link);
        (self.shows_drafts || event.status != Status::Draft)
            && self.status.is_none_or(|status| status == event.status)
            && self.kind.is_none_or(|kind| kind == event.kind)
            && self.engine.is_none_or(|engine| engine == event.engine)
            && self.currency.is_none_or(|currency| event.supports(currency))
            && self.category.as_ref().is_none_or(|word| *word == details.category.to_lowercase())
            && self.subcategory.as_ref().is_none_or(|word| *word == details.subcategory.to_lowercase())
            && (self.series.is_none() || self.series == series)
            && (self.game.is_none() || self.game == game)
            && self.events.as_ref().is_none_or(|events| events.contains(&event.id))
            && self.title.as_ref().is_none_or(has)
            && self.title_or_slug.as_ref().is_none_or(|part| has(part) || event.slug.contains(part.as_str()))
    }

    /// Whether it can show a retired event at all.
    pub fn admits_ended(&self) -> bool {
        self.status.is_none_or(Status::is_final)
            && self.events.as_ref().is_none_or(|events| !events.is_empty())
    }

    /// The filter as a condition, with its values.
    fn condition(&self, connection: &Connection, up_to: u64) -> Result<(String, Vec<Value>), HistoryError> {
        let mut condition = Condition { text: String::from("sequence <= ?"), values: vec![number(up_to)] };
        condition.and_if("status = ?", self.status.map(|status| Value::from(status as i64)));
        condition.and_if("kind = ?", self.kind.map(|kind| Value::from(kind as i64)));
        condition.and_if("engine = ?", self.engine.map(|engine| Value::from(engine as i64)));
        condition.and_if(
            "currencies & ? != 0",
            self.currency.map(|currency| Value::from(1_i64 << currency as u8)),
        );
        condition.and_if("category = ?", self.category.clone().map(Value::from));
        condition.and_if("subcategory = ?", self.subcategory.clone().map(Value::from));
        condition.and_if("series = ?", self.series.map(|series| bytes(series.as_u128())));
        condition.and_if("game = ?", self.game.map(|game| bytes(game.as_u128())));
        condition.and_if("instr(title, ?) > 0", self.title.clone().map(Value::from));
        if let Some(part) = &self.title_or_slug {
            condition.and(
                "(instr(title, ?) > 0 OR instr(slug, ?) > 0)",
                [part.clone().into(), part.clone().into()],
            );
        }
        if let Some(events) = &self.events {
            let serials = events.iter().map(|event| find(connection, &RetiredName::Event(*event)));
            let serials: Vec<u64> = serials.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
            condition.and("serial IN (SELECT value FROM json_each(?))", [array(&serials)]);
        }
        Ok((condition.text, condition.values))
    }
}

struct Condition {
    text: String,
    values: Vec<Value>,
}

impl Condition {
    fn and(&mut self, text: &str, values: impl IntoIterator<Item = Value>) {
        self.text.push_str(" AND ");
        self.text.push_str(text);
        self.values.extend(values);
    }

    fn and_if(&mut self, text: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.and(text, [value]);
        }
    }
}

/// A page of events, newest first, out of those that memory has and those that have left it.
#[derive(Clone, Debug, Default)]
pub struct RetiredQuestion {
    pub filter: EventFilter,
    /// Events that a later request retired are memory's: the reader has them among `in_memory`.
    pub up_to: u64,
    /// Serials of what memory has.
    pub in_memory: Vec<u64>,
    /// Serials of retired events that are shown elsewhere.
    pub without: Vec<u64>,
    pub offset: u64,
    pub size: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    /// The serial of an event in memory.
    InMemory(u64),
    Retired(Arc<RetiredEvent>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetiredPage {
    pub rows: Vec<Listed>,
    /// Retired events that the filter admits.
    pub total: u64,
}

/// Puts a retired event away.
pub(super) fn store(connection: &Connection, seq: u64, retired: &RetiredEvent) -> rusqlite::Result<()> {
    let event = &retired.event;
    let serial = event.serial.cast_signed();
    let settled = retired.markets.iter().filter_map(|market| market.market.settlement);
    let ended = settled.map(|settlement| settlement.at.micros()).max().unwrap_or_default();
    let currencies = event.currencies.iter().fold(0_i64, |mask, currency| mask | 1 << *currency as u8);
    let (series, game) = links(event.link);
    let query =
        "INSERT OR REPLACE INTO retired VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    connection.prepare_cached(query)?.execute(params![
        serial,
        seq.cast_signed(),
        ended,
        event.status as i64,
        event.kind as i64,
        event.engine as i64,
        currencies,
        event.details.category.to_lowercase(),
        event.details.subcategory.to_lowercase(),
        series.map(|series| bytes(series.as_u128())),
        game.map(|game| bytes(game.as_u128())),
        event.details.title.to_lowercase(),
        &*event.slug,
    ])?;
    let query = "INSERT OR REPLACE INTO retired_records VALUES (?1, ?2)";
    connection.prepare_cached(query)?.execute(params![serial, encode_retired(retired)])?;
    let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO retired_names VALUES (?1, ?2)")?;
    for name in RetiredName::all(retired) {
        statement.execute(params![name.key(), serial])?;
    }
    Ok(())
}

/// The events that have these names, each once.
pub(super) fn named(
    connection: &Connection,
    names: &[RetiredName],
) -> Result<Vec<Arc<RetiredEvent>>, HistoryError> {
    let mut serials = Vec::new();
    for name in names {
        serials.extend(find(connection, name)?.filter(|serial| !serials.contains(serial)));
    }
    serials.into_iter().map(|serial| record(connection, serial)).collect()
}

pub(super) fn page(connection: &Connection, question: &RetiredQuestion) -> Result<RetiredPage, HistoryError> {
    let (condition, values) = question.filter.condition(connection, question.up_to)?;
    let count = format!("SELECT count(*) FROM retired WHERE {condition}");
    let total: i64 =
        connection.prepare_cached(&count)?.query_row(params_from_iter(&values), |row| row.get(0))?;
    let query = format!(
        "SELECT serial, 1 FROM retired WHERE {condition} AND serial NOT IN (SELECT value FROM json_each(?)) \
         UNION ALL SELECT value, 0 FROM json_each(?) ORDER BY 1 DESC LIMIT ? OFFSET ?"
    );
    let slice = [
        array(&question.without),
        array(&question.in_memory),
        number(question.size),
        number(question.offset),
    ];
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map(params_from_iter(values.iter().chain(&slice)), |row| {
        Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get::<_, bool>(1)?))
    })?;
    let mut page = RetiredPage { rows: Vec::new(), total: total.unsigned_abs() };
    for row in rows {
        let (serial, is_retired) = row?;
        page.rows.push(match is_retired {
            true => Listed::Retired(record(connection, serial)?),
            false => Listed::InMemory(serial),
        });
    }
    Ok(page)
}

/// Retired events that a filter admits and that ended at or after a time, newest first.
pub(super) fn ended_since(
    connection: &Connection,
    filter: &EventFilter,
    up_to: u64,
    from: Time,
) -> Result<Vec<Arc<RetiredEvent>>, HistoryError> {
    let (condition, mut values) = filter.condition(connection, up_to)?;
    values.push(Value::from(from.micros()));
    let query = format!("SELECT serial FROM retired WHERE {condition} AND ended >= ? ORDER BY serial DESC");
    let mut statement = connection.prepare_cached(&query)?;
    let serials = statement.query_map(params_from_iter(&values), |row| row.get::<_, i64>(0))?;
    let serials: Vec<i64> = serials.collect::<Result<_, _>>()?;
    serials.into_iter().map(|serial| record(connection, serial.unsigned_abs())).collect()
}

fn find(connection: &Connection, name: &RetiredName) -> rusqlite::Result<Option<u64>> {
    let mut statement = connection.prepare_cached("SELECT serial FROM retired_names WHERE name = ?1")?;
    let found = statement.query_row([name.key()], |row| row.get::<_, i64>(0)).optional()?;
    Ok(found.map(i64::unsigned_abs))
}

fn record(connection: &Connection, serial: u64) -> Result<Arc<RetiredEvent>, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT record FROM retired_records WHERE serial = ?1")?;
    let found: Option<Vec<u8>> = statement.query_row([serial.cast_signed()], |row| row.get(0)).optional()?;
    let bytes = found.ok_or(HistoryError::Missing("the record of a retired event"))?;
    Ok(Arc::new(decode_retired(&bytes)?))
}

fn links(link: EventLink) -> (Option<SeriesId>, Option<GameId>) {
    match link {
        EventLink::None => (None, None),
        EventLink::Series { series, .. } => (Some(series), None),
        EventLink::Game { game, .. } => (None, Some(game)),
    }
}

fn number(value: u64) -> Value {
    Value::from(i64::try_from(value).unwrap_or(i64::MAX))
}

fn bytes(id: u128) -> Value {
    Value::from(id.to_be_bytes().to_vec())
}

/// Numbers as SQLite's JSON functions read them.
fn array(numbers: &[u64]) -> Value {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    Value::from(format!("[{}]", numbers.join(",")))
}
