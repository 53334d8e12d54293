//! The exchange's arithmetic, example by example: each test is one worked example with its exact numbers.
//!
//! A: notional and size. B: fee. C: market orders. D: one order's life. E: the pool. F: sets, cost, value,
//! cancellation. `quotes` holds the five printed quotes. Money is in 10⁻⁶, shares in 10⁻⁴.

mod a_notional;
mod b_fee;
mod c_market_orders;
mod d_order_life;
mod e_pool;
mod f_positions;
mod quotes;

/// Fee 2 %, the asks and bids that most examples trade against.
const BOOK: &str = "
    market rain clob fee 2%
    bob has 300 sets
    bob has 207 USD
    bob sells YES 100 shares at 0.50 as ask50
    bob sells YES 200 shares at 0.52 as ask52
    bob buys YES 150 shares at 0.48 as bid48
    bob buys YES 300 shares at 0.45 as bid45
";
