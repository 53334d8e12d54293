//! Limits of the rules that a caller may want to know before it asks. Those of people are in `identity`,
//! those of idempotency keys in `idempotency`.

/// Items of a batch of new orders or amends. Spec, Limits.
pub const BATCH_ITEMS_MAX: usize = 20;
/// Ids of a batch cancel. Spec, Limits.
pub const BATCH_CANCELS_MAX: usize = 100;
/// Open orders of a user in one market, in both currencies together.
pub const OPEN_ORDERS_PER_MARKET_MAX: u32 = 500;
/// Open orders of a user altogether.
pub const OPEN_ORDERS_MAX: u32 = 5_000;
