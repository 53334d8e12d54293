//! One of each response, filled with numbers that show rounding, signs and empty values.

mod account;
mod catalogue;
mod changes;
mod market_data;
mod proof;
mod rewards;
mod trading;

pub use account::*;
pub use catalogue::*;
pub use changes::*;
pub use market_data::*;
pub use proof::*;
pub use rewards::*;
pub use trading::*;

use api::decimal::{Money, Shares, UnitPrice};
use api::query::PageQuery;
use api::response::Pagination;
use api::timestamp::{OptionalDate, Timestamp};
use uuid::Uuid;

pub fn id(number: u8) -> Uuid {
    let mut bytes = *b"\x01\x98\x0d\x2f\x7c\x1e\x7a\x64\x9a\x53\x3f\x7d\x2b\x8c\x1e\x00";
    bytes[15] = number;
    Uuid::from_bytes(bytes)
}

pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros((1_785_282_158 + seconds) * 1_000_000)
}

pub fn date(seconds: i64) -> OptionalDate {
    OptionalDate(Some(at(seconds)))
}

pub fn money(units: i64) -> Money {
    Money::from_units(units)
}

pub fn shares(units: i64) -> Shares {
    Shares::from_units(units)
}

pub fn unit_price(units: i64) -> UnitPrice {
    UnitPrice::from_units(units)
}

pub fn pagination() -> Pagination {
    Pagination::new(PageQuery { page: 1, size: 50 }, 1)
}
