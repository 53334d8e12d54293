//! A user's money.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::decimal::Money;
use crate::json::WriteJson;
use crate::terms::{Currency, WalletActivity};
use crate::timestamp::Timestamp;

/// The wallet of one currency.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WalletAsset {
    pub id: Uuid,
    pub symbol: Currency,
    pub user_id: Uuid,
    #[schema(example = "internal")]
    pub network: String,
    /// Free money.
    pub available_balance: Money,
    /// Held for resting orders.
    pub pending_balance: Money,
    pub deposit_activity: WalletActivity,
    pub withdrawal_activity: WalletActivity,
    pub wager_activity: WalletActivity,
    pub is_default: bool,
    pub is_local_currency_asset: bool,
    pub addresses: Vec<WalletAddress>,
    #[schema(example = 1)]
    pub currency_base_multiplier: u16,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Where money can be sent to.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct WalletAddress {
    pub id: Uuid,
    pub address: String,
    pub symbol: String,
    pub provider: String,
    pub network: String,
}

/// All wallets of a user.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct WalletAssets {
    pub assets: Vec<WalletAsset>,
}
