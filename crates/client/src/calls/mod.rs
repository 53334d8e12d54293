//! The calls of `Client`, by subject.

mod account;
mod market_data;
mod streams;
mod trading;

pub use account::{ActivityFilters, PnlSpan, PositionFilters, StatementFilters};
pub use market_data::{EventFilters, TradeFilters};
pub use trading::OrderFilters;
