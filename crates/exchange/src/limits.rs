//! Limits that clients may want to know in advance. Those about people are in `identity`, those about idempotency keys
//! in `idempotency`.

/// Items in a batch of new orders or amends. Spec, Limits.
pub const BATCH_ITEMS_MAX: usize = 20;
/// Ids in a batch cancel. Spec, Limits.
pub const BATCH_CANCELS_MAX: usize = 100;
/// Open orders of a user in one market, both currencies together.
pub const OPEN_ORDERS_PER_MARKET_MAX: u32 = 500;
/// Open orders of a user in all markets.
pub const OPEN_ORDERS_MAX: u32 = 5_000;
