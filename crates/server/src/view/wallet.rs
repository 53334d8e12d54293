//! A user's wallets, one per currency.

use api::response::{WalletAsset, WalletAssets};
use api::terms::WalletActivity;
use exchange::Exchange;
use exchange::id::UserId;
use exchange::index::UserIndex;
use exchange::numbers::Currency;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use super::words::ToApi;

/// Both wallets. Money held by resting orders is pending. Operators credit and debit wallets, so there are no deposit
/// addresses.
pub fn wallet(exchange: &Exchange, user: UserIndex) -> WalletAssets {
    WalletAssets { assets: Currency::ALL.iter().map(|currency| asset(exchange, user, *currency)).collect() }
}

fn asset(exchange: &Exchange, user: UserIndex, currency: Currency) -> WalletAsset {
    let record = exchange.directory().user(user);
    let wallet = exchange.ledger().wallet(user, currency);
    let activity = if record.is_active() { WalletActivity::Active } else { WalletActivity::Suspended };
    WalletAsset {
        id: asset_id(record.id, currency),
        symbol: currency.to_api(),
        user_id: record.id.to_api(),
        network: "internal".to_owned(),
        available_balance: wallet.free.to_api(),
        pending_balance: wallet.held.to_api(),
        deposit_activity: activity,
        withdrawal_activity: activity,
        wager_activity: activity,
        is_default: currency == Currency::Usd,
        is_local_currency_asset: currency == Currency::Ngn,
        addresses: Vec::new(),
        currency_base_multiplier: currency.to_api().base_multiplier(),
        created_at: record.created_at.to_api(),
        // An unused wallet has the date of its user.
        updated_at: wallet.moved_at.max(record.created_at).to_api(),
    }
}

/// The id of a wallet, derived from its user and currency.
pub(super) fn asset_id(user: UserId, currency: Currency) -> Uuid {
    derived_id("wallet asset", user.as_u128(), currency.code())
}

/// A version 8 UUID from a hash of kind, owner and name.
pub(super) fn derived_id(kind: &str, owner: u128, which: &str) -> Uuid {
    let hash = Sha256::new()
        .chain_update(kind)
        .chain_update([0])
        .chain_update(owner.to_be_bytes())
        .chain_update(which)
        .finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    Builder::from_custom_bytes(bytes).into_uuid()
}
