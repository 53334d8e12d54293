//! Samples of solvency, and of the proof of one account.

use api::proof::{Balance, Balances, Hash, InclusionProof, Instant, Leaf, LeafPosition, Tree};
use api::response::{CurrencyAccounts, MarketBacking, ProofRoot, Solvency};
use api::terms::{Currency, Status};

use super::{at, id, money, shares};

fn tree() -> Tree {
    let instant =
        Instant { sequence: 7, at: at(0).micros(), frame_hash: Hash([1; 32]), state_digest: Hash([2; 32]) };
    let leaf = |number: u8, free, positions| Leaf {
        user_id: id(number),
        balances: Balances {
            usd: Balance { free: money(free), held: money(1_500_000) },
            ngn: Balance::default(),
        },
        positions,
    };
    let position = LeafPosition {
        market_id: id(2),
        currency: Currency::Usd,
        yes_free: shares(150_000),
        yes_held: shares(100_000),
        no_free: shares(250_000),
        no_held: shares(0),
    };
    let accounts = [leaf(20, 975_000_000, vec![position]), leaf(21, 98_039_212, Vec::new())];
    Tree::new(instant, accounts.into_iter().zip([Hash([3; 32]), Hash([4; 32])]).collect()).expect("a tree")
}

pub fn solvency() -> Solvency {
    let tree = tree();
    Solvency {
        sequence: 7,
        at: at(0),
        frame_hash: Hash([1; 32]),
        state_digest: Hash([2; 32]),
        solvent: true,
        currencies: vec![CurrencyAccounts {
            currency: Currency::Usd,
            users_free: money(1_073_039_212),
            users_held: money(3_000_000),
            house_free: money(0),
            house_held: money(0),
            fees: money(48_000),
            collateral: money(25_000_000),
            external: money(-1_101_087_212),
            rounding: money(0),
            sum: money(0),
        }],
        markets: vec![MarketBacking {
            event_id: id(1),
            market_id: id(2),
            status: Status::Open,
            currency: Currency::Usd,
            collateral: money(25_000_000),
            yes_outstanding: shares(250_000),
            no_outstanding: shares(250_000),
            users_yes: shares(250_000),
            users_no: shares(250_000),
            house_yes: shares(0),
            house_no: shares(0),
            pool_yes: shares(0),
            pool_no: shares(0),
            backed: true,
        }],
        proof: ProofRoot {
            format: InclusionProof::FORMAT,
            root: tree.root(),
            leaves: tree.leaves(),
            sums: tree.sums(),
        },
    }
}

pub fn my_solvency() -> InclusionProof {
    tree().prove(id(20)).expect("an account of the tree")
}
