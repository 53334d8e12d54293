//! The tables of an export with their columns. docs/data.md describes each column; a test compares both.

use std::fmt;

use exchange::time::Time;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// UTF-8.
    Text,
    /// A point in time, to the microsecond, in UTC.
    Time,
    /// An exact number.
    Decimal(Places),
}

/// The decimal places of an exact number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    Two = 2,
    Four = 4,
    Six = 6,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether a row may have no value.
    pub is_optional: bool,
}

const fn column(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, is_optional: false }
}

const fn text(name: &'static str) -> Column {
    column(name, Kind::Text)
}

const fn time(name: &'static str) -> Column {
    column(name, Kind::Time)
}

const fn integer(name: &'static str) -> Column {
    column(name, Kind::Integer)
}

/// Money, a price that may be an average, or the price of an asset.
const fn money(name: &'static str) -> Column {
    column(name, Kind::Decimal(Places::Six))
}

const fn shares(name: &'static str) -> Column {
    column(name, Kind::Decimal(Places::Four))
}

/// A price in whole cents, or a percentage.
const fn hundredths(name: &'static str) -> Column {
    column(name, Kind::Decimal(Places::Two))
}

const fn optional(column: Column) -> Column {
    Column { is_optional: true, ..column }
}

const SEQUENCE: Column = integer("sequence");
const AT: Column = time("at");

const EVENTS: &[Column] = &[
    SEQUENCE,
    AT,
    text("event_id"),
    text("slug"),
    text("title"),
    text("category"),
    text("subcategory"),
    text("type"),
    text("engine"),
    text("status"),
    text("currencies"),
    text("description"),
    text("resolution_source"),
    text("additional_context"),
    time("created_at"),
    optional(time("opening_date")),
    optional(time("closing_date")),
    optional(time("resolution_date")),
    optional(time("resolved_at")),
    optional(text("series_slug")),
    optional(text("asset_symbol")),
    optional(money("threshold")),
    optional(money("close_value")),
];

const MARKETS: &[Column] = &[
    SEQUENCE,
    AT,
    text("market_id"),
    text("event_id"),
    text("title"),
    text("status"),
    text("outcome1_id"),
    text("outcome1_label"),
    text("outcome2_id"),
    text("outcome2_label"),
    hundredths("fee_percentage"),
    money("minimum_usd"),
    money("minimum_ngn"),
    optional(money("threshold")),
];

const RULES: &[Column] = &[SEQUENCE, AT, text("event_id"), text("sha256"), text("rules")];

const RESOLUTIONS: &[Column] = &[
    SEQUENCE,
    AT,
    text("market_id"),
    text("event_id"),
    text("status"),
    optional(text("resolved_outcome")),
    money("yes_payout"),
    time("settled_at"),
];

const VERDICTS: &[Column] = &[
    SEQUENCE,
    AT,
    text("event_id"),
    text("stage"),
    text("type"),
    text("outcomes"),
    optional(money("yes_price")),
    optional(text("score")),
    text("evidence"),
    text("evidence_link"),
    text("proposed_by"),
    time("proposed_at"),
    optional(text("ended_by")),
    optional(time("ended_at")),
    optional(text("reason")),
];

const TRADES: &[Column] = &[
    SEQUENCE,
    AT,
    text("trade_id"),
    text("market_id"),
    text("event_id"),
    text("currency"),
    text("engine"),
    text("outcome"),
    text("side"),
    money("price"),
    shares("quantity"),
    money("value"),
    money("taker_fee"),
    text("match_type"),
    text("maker_outcome"),
    money("maker_price"),
];

const CANDLES: &[Column] = &[
    SEQUENCE,
    time("start"),
    text("market_id"),
    text("event_id"),
    text("currency"),
    text("interval"),
    money("open"),
    money("high"),
    money("low"),
    money("close"),
    shares("volume"),
    integer("count"),
];

const BOOK: &[Column] = &[
    SEQUENCE,
    AT,
    text("market_id"),
    text("currency"),
    text("side"),
    hundredths("price"),
    shares("quantity"),
];

const TRADE_PARTIES: &[Column] = &[
    SEQUENCE,
    AT,
    text("trade_id"),
    text("taker_user_id"),
    text("maker_user_id"),
    text("taker_order_id"),
    optional(text("maker_order_id")),
];

const ORDERS: &[Column] = &[
    SEQUENCE,
    AT,
    text("order_id"),
    text("user_id"),
    text("market_id"),
    text("currency"),
    text("cause"),
    text("status"),
    text("outcome"),
    text("side"),
    text("type"),
    text("time_in_force"),
    optional(hundredths("price")),
    money("amount"),
    shares("size"),
    shares("filled"),
    money("value"),
    money("fee"),
    time("created_at"),
    optional(time("expires_at")),
    optional(text("client_order_id")),
];

/// A table of an export. Each has a folder with a file for each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    Events,
    Markets,
    Rules,
    Verdicts,
    Resolutions,
    Trades,
    Candles,
    BookChanges,
    BookSnapshots,
    /// Private: the users and orders of a trade.
    TradeParties,
    /// Private: every state that an order reached.
    Orders,
}

impl Table {
    pub const ALL: [Table; 11] = [
        Table::Events,
        Table::Markets,
        Table::Rules,
        Table::Verdicts,
        Table::Resolutions,
        Table::Trades,
        Table::Candles,
        Table::BookChanges,
        Table::BookSnapshots,
        Table::TradeParties,
        Table::Orders,
    ];

    /// The name of its folder.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Events => "events",
            Table::Markets => "markets",
            Table::Rules => "rules",
            Table::Verdicts => "verdicts",
            Table::Resolutions => "resolutions",
            Table::Trades => "trades",
            Table::Candles => "candles",
            Table::BookChanges => "book_changes",
            Table::BookSnapshots => "book_snapshots",
            Table::TradeParties => "trade_parties",
            Table::Orders => "orders",
        }
    }

    pub const fn columns(self) -> &'static [Column] {
        match self {
            Table::Events => EVENTS,
            Table::Markets => MARKETS,
            Table::Rules => RULES,
            Table::Verdicts => VERDICTS,
            Table::Resolutions => RESOLUTIONS,
            Table::Trades => TRADES,
            Table::Candles => CANDLES,
            Table::BookChanges | Table::BookSnapshots => BOOK,
            Table::TradeParties => TRADE_PARTIES,
            Table::Orders => ORDERS,
        }
    }

    /// Whether it names users; only `--private` exports it.
    pub const fn is_private(self) -> bool {
        matches!(self, Table::TradeParties | Table::Orders)
    }
}

/// A value of a row. Its column gives a decimal its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Nothing,
    Integer(i64),
    Text(String),
    /// Microseconds since 1970.
    Time(i64),
    /// Units of the column's smallest place.
    Decimal(i64),
}

impl Cell {
    pub(crate) fn text(shown: impl fmt::Display) -> Cell {
        Cell::Text(shown.to_string())
    }

    pub(crate) fn sequence(sequence: u64) -> Cell {
        Cell::Integer(sequence.cast_signed())
    }

    /// `None` becomes a missing value.
    pub(crate) fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
        value.map_or(Cell::Nothing, cell)
    }
}

impl From<Time> for Cell {
    fn from(at: Time) -> Cell {
        Cell::Time(at.micros())
    }
}

impl From<Option<Time>> for Cell {
    fn from(at: Option<Time>) -> Cell {
        Cell::maybe(at, Cell::from)
    }
}

/// The sequence and the time of the request that a row is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) sequence: u64,
    pub(crate) at: Time,
}

impl Stamp {
    /// The first two cells of most tables.
    pub(crate) fn cells(self) -> [Cell; 2] {
        [Cell::sequence(self.sequence), self.at.into()]
    }

    /// A row that begins with them.
    pub(crate) fn row(self, rest: Vec<Cell>) -> Vec<Cell> {
        self.cells().into_iter().chain(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Table};

    const DOCUMENT: &str = include_str!("../../../docs/data.md");

    /// The kind of a column as the document spells it.
    fn word(kind: Kind) -> String {
        match kind {
            Kind::Integer => "integer".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::Time => "time".to_owned(),
            Kind::Decimal(places) => format!("decimal({})", places as u32),
        }
    }

    #[test]
    fn the_document_has_every_table_with_its_columns_in_order() {
        for table in Table::ALL {
            let (_, section) = DOCUMENT
                .split_once(&format!("\n### {}\n", table.name()))
                .unwrap_or_else(|| panic!("docs/data.md lacks the table {}", table.name()));
            let section = section.split("\n#").next().unwrap_or_default();
            let shown: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
            let expected: Vec<String> = table
                .columns()
                .iter()
                .map(|column| {
                    let optional = if column.is_optional { ", optional" } else { "" };
                    format!("| `{}` | {}{optional} |", column.name, word(column.kind))
                })
                .collect();
            assert_eq!(shown.len(), expected.len(), "{}", table.name());
            for (line, start) in shown.iter().zip(&expected) {
                assert!(line.starts_with(start), "{}: {line} does not begin with {start}", table.name());
            }
        }
    }

    #[test]
    fn no_public_table_names_a_user_or_an_order() {
        for table in Table::ALL.into_iter().filter(|table| !table.is_private()) {
            for column in table.columns() {
                let is_person = column.name.contains("user") || column.name.contains("order_id");
                assert!(!is_person, "{} has {}", table.name(), column.name);
            }
        }
    }
}
