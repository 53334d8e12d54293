//! Liabilities of the exchange, their backing, and the root of the tree over all accounts, all at one instant.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::decimal::{Money, Shares};
use crate::json::WriteJson;
use crate::proof::{Hash, Sums};
use crate::terms::{Currency, Status};
use crate::timestamp::Timestamp;

/// All accounts of a currency. Their sum is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyAccounts {
    pub currency: Currency,
    pub users_free: Money,
    /// For resting orders.
    pub users_held: Money,
    pub house_free: Money,
    pub house_held: Money,
    pub fees: Money,
    /// Of all markets.
    pub collateral: Money,
    /// The world outside: minus what was paid in and not paid out.
    pub external: Money,
    pub rounding: Money,
    pub sum: Money,
}

/// The backing of the shares of one market in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketBacking {
    pub event_id: Uuid,
    pub market_id: Uuid,
    pub status: Status,
    pub currency: Currency,
    pub collateral: Money,
    /// All there are: users', the house's and the pool's.
    pub yes_outstanding: Shares,
    pub no_outstanding: Shares,
    pub users_yes: Shares,
    pub users_no: Shares,
    pub house_yes: Shares,
    pub house_no: Shares,
    pub pool_yes: Shares,
    pub pool_no: Shares,
    /// As many YES as NO, and collateral for all of them.
    pub backed: bool,
}

/// The tree over the accounts of all users but the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct ProofRoot {
    #[schema(example = "bellwether-proof-1")]
    pub format: &'static str,
    pub root: Hash,
    pub leaves: u64,
    pub sums: Sums,
}

/// The state of the exchange's money at one instant.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Solvency {
    /// The last command in the state.
    pub sequence: u64,
    /// Time of that command's frame.
    pub at: Timestamp,
    /// Hash of that frame: with the sequence, the head of the journal.
    pub frame_hash: Hash,
    /// Hash of the whole state.
    pub state_digest: Hash,
    /// Every sum is zero and every market is backed.
    pub solvent: bool,
    pub currencies: Vec<CurrencyAccounts>,
    /// Those that are not settled.
    pub markets: Vec<MarketBacking>,
    pub proof: ProofRoot,
}
