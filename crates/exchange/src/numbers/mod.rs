//! Exact numbers: money, shares, prices and rates as integers of fixed units.
//!
//! This module is independent of markets and users. Products are computed in `i128` and checked when converted back; a
//! division always defines who gets the remainder.

mod currency;
mod money;
mod price;
mod print;
mod rate;
mod rounding;
mod shares;

pub use currency::{Currency, PerCurrency};
pub use money::Money;
pub use price::{Cents, Ppm, Price};
pub use rate::{FeeRate, Slippage};
pub use rounding::{ceil_sqrt, div_ceil, div_floor, half_up, mul_ceil, mul_floor, narrow};
pub use shares::Shares;
