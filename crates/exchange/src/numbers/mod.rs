//! Exact numbers: money, shares, prices and rates as integers of fixed units.
//!
//! Nothing here knows a market or a user. Products go through `i128` and are
//! checked on the way back; a division always says who gets the remainder.

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
