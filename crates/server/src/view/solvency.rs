//! All money of the state at one instant, and the accounts for the proof tree.

use api::proof::{self, Balance, Balances, Leaf, LeafPosition, Tree};
use api::response::{CurrencyAccounts, MarketBacking, ProofRoot, Solvency};
use api::signing::{MasterKey, derive_nonce};
use exchange::Exchange;
use exchange::index::UserIndex;
use exchange::numbers::{Currency, Money, Shares};
use exchange::position::Position;
use exchange::solvency::{AccountTotals, Backing};
use journal::Head;

use super::words::ToApi;

/// The published figures of a state that ends with `head`, and their tree. Slow for a large state: do not call it under
/// a lock that others wait for. None if the state has an impossible account.
pub fn solvency(exchange: &Exchange, head: &Head, master: &MasterKey) -> Option<(Solvency, Tree)> {
    let instant = proof::Instant {
        sequence: exchange.seq(),
        at: head.at,
        frame_hash: proof::Hash(head.hash.0),
        state_digest: proof::Hash(exchange.digest()),
    };
    let tree = Tree::new(instant, accounts(exchange, &instant, master))?;
    let currencies: Vec<_> =
        Currency::ALL.iter().map(|currency| all_accounts(&exchange.all_accounts(*currency))).collect();
    let markets: Vec<_> =
        exchange.all_backing().iter().map(|backing| market_backing(exchange, backing)).collect();
    let is_zero = |accounts: &CurrencyAccounts| accounts.sum.units() == 0;
    let shown = Solvency {
        sequence: instant.sequence,
        at: api::Timestamp::from_micros(instant.at),
        frame_hash: instant.frame_hash,
        state_digest: instant.state_digest,
        solvent: currencies.iter().all(is_zero) && markets.iter().all(|market| market.backed),
        currencies,
        markets,
        proof: ProofRoot {
            format: proof::InclusionProof::FORMAT,
            root: tree.root(),
            leaves: tree.leaves(),
            sums: tree.sums(),
        },
    };
    Some((shown, tree))
}

/// All accounts of a currency.
pub fn all_accounts(accounts: &AccountTotals) -> CurrencyAccounts {
    CurrencyAccounts {
        currency: accounts.currency.to_api(),
        users_free: accounts.users_free.to_api(),
        users_held: accounts.users_held.to_api(),
        house_free: accounts.house_free.to_api(),
        house_held: accounts.house_held.to_api(),
        fees: accounts.fees.to_api(),
        collateral: accounts.collateral.to_api(),
        external: accounts.external.to_api(),
        // There is no account for rounding differences, but the contract has the field.
        rounding: Money::ZERO.to_api(),
        sum: accounts.sum().to_api(),
    }
}

/// The backing of one listing.
pub fn market_backing(exchange: &Exchange, backing: &Backing) -> MarketBacking {
    let market = exchange.catalogue().market(backing.listing.market());
    let outstanding = backing.outstanding();
    MarketBacking {
        event_id: exchange.catalogue().event(market.event).id.to_api(),
        market_id: market.id.to_api(),
        status: market.status.to_api(),
        currency: backing.listing.currency().to_api(),
        collateral: backing.collateral.to_api(),
        yes_outstanding: outstanding.yes.to_api(),
        no_outstanding: outstanding.no.to_api(),
        users_yes: backing.users.yes.to_api(),
        users_no: backing.users.no.to_api(),
        house_yes: backing.house.yes.to_api(),
        house_no: backing.house.no.to_api(),
        pool_yes: backing.pool.yes.to_api(),
        pool_no: backing.pool.no.to_api(),
        backed: backing.is_backed(),
    }
}

/// Every account except the house's, each with its nonce.
fn accounts(exchange: &Exchange, instant: &proof::Instant, master: &MasterKey) -> Vec<(Leaf, proof::Hash)> {
    let people = exchange.directory().users().filter(|(index, _)| *index != UserIndex::HOUSE);
    people
        .map(|(index, user)| {
            let id = user.id.as_u128().to_be_bytes();
            let nonce = derive_nonce(master, instant.sequence, &instant.state_digest.0, &id);
            (leaf(exchange, index), proof::Hash(nonce))
        })
        .collect()
}

/// The account of one user.
pub fn leaf(exchange: &Exchange, user: UserIndex) -> Leaf {
    let balance = |currency| {
        let wallet = exchange.ledger().wallet(user, currency);
        Balance { free: wallet.free.to_api(), held: wallet.held.to_api() }
    };
    let has_shares =
        |position: &&Position| position.yes.total() > Shares::ZERO || position.no.total() > Shares::ZERO;
    let mut positions: Vec<_> = exchange
        .positions_of(user)
        .filter(has_shares)
        .map(|position| LeafPosition {
            market_id: exchange.catalogue().market(position.listing.market()).id.to_api(),
            currency: position.listing.currency().to_api(),
            yes_free: position.yes.free.to_api(),
            yes_held: position.yes.held.to_api(),
            no_free: position.no.free.to_api(),
            no_held: position.no.held.to_api(),
        })
        .collect();
    positions.sort_unstable_by_key(|position| (position.market_id, position.currency));
    Leaf {
        user_id: exchange.directory().user(user).id.to_api(),
        balances: Balances { usd: balance(Currency::Usd), ngn: balance(Currency::Ngn) },
        positions,
    }
}
