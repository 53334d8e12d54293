//! Proofs of inclusion: every account can be proved in every tree, and every change to a proof is detected.
//!
//! The example of docs/proofs.md is computed again here, by independent code.

use api::decimal::{Money, Shares};
use api::json;
use api::proof::{Balance, Balances, Hash, InclusionProof, Instant, Leaf, LeafPosition, ProofFault, Tree};
use api::terms::Currency;
use proptest::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

fn instant() -> Instant {
    let at = 1_893_456_000_000_000;
    Instant { sequence: 48_213, at, frame_hash: Hash([0xaa; 32]), state_digest: Hash([0xbb; 32]) }
}

fn nonce(number: u128) -> Hash {
    Hash(Sha256::digest(number.to_be_bytes()).into())
}

fn balance(free: i64, held: i64) -> Balance {
    Balance { free: Money::from_units(free), held: Money::from_units(held) }
}

fn position(market: u128, currency: Currency, shares: [i64; 4]) -> LeafPosition {
    let [yes_free, yes_held, no_free, no_held] = shares.map(Shares::from_units);
    LeafPosition { market_id: Uuid::from_u128(market), currency, yes_free, yes_held, no_free, no_held }
}

/// The three accounts of the example.
fn example() -> Tree {
    let leaf = |user: u128, usd, ngn, positions| Leaf {
        user_id: Uuid::from_u128(user),
        balances: Balances { usd, ngn },
        positions,
    };
    let accounts = vec![
        leaf(1, balance(12_500_000, 0), balance(0, 0), vec![]),
        leaf(
            2,
            balance(900_000_000, 100_000_000),
            balance(5_000_000_000, 0),
            vec![
                position(77, Currency::Usd, [1_000_000, 250_000, 0, 0]),
                position(77, Currency::Ngn, [0, 0, 123_456, 0]),
            ],
        ),
        leaf(3, balance(0, 0), balance(1, 2), vec![position(78, Currency::Usd, [0, 0, 1_250_000, 0])]),
    ];
    let with_nonces = accounts.into_iter().map(|leaf| {
        let nonce = nonce(leaf.user_id.as_u128());
        (leaf, nonce)
    });
    Tree::new(instant(), with_nonces.collect()).expect("possible accounts")
}

/// A random account: some money, up to three positions.
fn account(user: u128) -> impl Strategy<Value = Leaf> {
    let amount = || 0..1_000_000_000_000_i64;
    let money = (amount(), amount(), amount(), amount());
    let positions = prop::collection::btree_map(
        (0..5_u128, prop::bool::ANY),
        prop::array::uniform4(0..1_000_000_000_i64),
        0..4,
    );
    (money, positions).prop_map(move |((usd, usd_held, ngn, ngn_held), positions)| Leaf {
        user_id: Uuid::from_u128(user),
        balances: Balances { usd: balance(usd, usd_held), ngn: balance(ngn, ngn_held) },
        positions: positions
            .into_iter()
            .map(|((market, naira), shares)| {
                position(market, if naira { Currency::Ngn } else { Currency::Usd }, shares)
            })
            .collect(),
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    (1_usize..20).prop_flat_map(|users| {
        let accounts: Vec<_> = (0..users as u128).map(account).collect();
        accounts.prop_map(|accounts| {
            let rows = accounts.into_iter().enumerate().map(|(number, leaf)| (leaf, nonce(number as u128)));
            Tree::new(instant(), rows.collect()).expect("possible accounts")
        })
    })
}

/// Every scalar of a JSON document, as a path to it.
fn values(document: &Value, path: String, found: &mut Vec<String>) {
    match document {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| values(value, format!("{path}/{key}"), found));
        }
        Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(index, value)| values(value, format!("{path}/{index}"), found));
        }
        _ => found.push(path),
    }
}

/// A slightly different value of the same JSON type.
fn changed(value: &Value, bit: u32) -> Value {
    match value {
        Value::Number(number) => {
            let units = (number.as_f64().expect("a number") * 1_000_000.0).round() as i64;
            // A whole unit of money or shares at least, or a whole number where only those are.
            let step = if number.is_u64() { 1_000_000 } else { 100 };
            serde_json::from_str(&api::decimal::print(units + step, 6)).expect("a number")
        }
        Value::String(text) if text == "USD" => Value::from("NGN"),
        Value::String(text) if text == "NGN" => Value::from("USD"),
        Value::String(text) if text.starts_with("bellwether") => Value::from("bellwether-proof-2"),
        Value::String(text) if text.ends_with('Z') => Value::from("2030-01-01T00:00:00.000001Z"),
        Value::String(text) => {
            let place = bit as usize % text.len();
            let place = if text.as_bytes()[place] == b'-' { place + 1 } else { place };
            let mut bytes = text.clone().into_bytes();
            bytes[place] = if bytes[place] == b'0' { b'1' } else { b'0' };
            Value::from(String::from_utf8(bytes).expect("digits"))
        }
        other => other.clone(),
    }
}

fn read(document: &Value) -> Option<InclusionProof> {
    serde_json::from_str(&document.to_string()).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_account_proves_itself_and_the_sums_are_everybodys(tree in tree()) {
        let mut total = 0;
        for user in 0..tree.leaves() {
            let proof = tree.prove(Uuid::from_u128(user.into())).expect("an account");
            prop_assert_eq!(proof.check(), Ok(()));
            prop_assert_eq!(proof.root, tree.root());
            prop_assert_eq!(proof.root_sums, tree.sums());
            let usd = &proof.leaf.balances.usd;
            total += usd.free.units() + usd.held.units();
        }
        prop_assert_eq!(total, tree.sums().usd.money.units());
        prop_assert!(tree.prove(Uuid::from_u128(1_000)).is_none());
    }

    /// Covers every field: balance, position, sum, sibling, nonce, place, instant, root.
    #[test]
    fn no_changed_value_goes_unseen(tree in tree(), user in 0_u64..20, bit in 0_u32..64) {
        let user = user % tree.leaves();
        let proof = tree.prove(Uuid::from_u128(user.into())).expect("an account");
        let document = serde_json::from_slice(&json::to_vec(&proof)).expect("JSON");
        prop_assert_eq!(read(&document), Some(proof));
        let mut paths = Vec::new();
        values(&document, String::new(), &mut paths);
        for path in paths {
            let mut planted = document.clone();
            let place = planted.pointer_mut(&path).expect("a value");
            *place = changed(place, bit);
            prop_assert!(planted != document, "{path} was not changed");
            let holds = read(&planted).is_some_and(|proof| proof.check().is_ok());
            prop_assert!(!holds, "a changed {} was not seen", path);
        }
    }

    #[test]
    fn a_sibling_left_out_added_or_swapped_is_seen(tree in tree(), place in 0_usize..8) {
        let proof = tree.prove(Uuid::from_u128(0)).expect("an account");
        if proof.siblings.is_empty() {
            return Ok(());
        }
        let place = place % proof.siblings.len();
        let mut shorter = proof.clone();
        shorter.siblings.remove(place);
        prop_assert_eq!(shorter.check(), Err(ProofFault::WrongShape));
        let mut longer = proof.clone();
        longer.siblings.push(proof.siblings[place]);
        prop_assert_eq!(longer.check(), Err(ProofFault::WrongShape));
        let mut swapped = proof.clone();
        swapped.siblings.reverse();
        prop_assert!(swapped.siblings == proof.siblings || swapped.check().is_err());
    }
}

#[test]
fn a_debt_cannot_be_hidden_among_siblings() {
    let mut proof = example().prove(Uuid::from_u128(2)).expect("an account");
    proof.siblings[0].sums.usd.money = Money::from_units(-1);
    assert_eq!(proof.check(), Err(ProofFault::WrongSums));
    let mut proof = example().prove(Uuid::from_u128(2)).expect("an account");
    proof.siblings[0].sums.usd.money = Money::from_units(i64::MAX);
    assert_eq!(proof.check(), Err(ProofFault::WrongSums));
    let mut proof = example().prove(Uuid::from_u128(2)).expect("an account");
    proof.leaf.positions.reverse();
    assert_eq!(proof.check(), Err(ProofFault::MalformedLeaf));
}

#[test]
fn an_empty_tree_has_a_root() {
    let tree = Tree::new(instant(), Vec::new()).expect("an empty tree");
    assert_eq!((tree.leaves(), tree.sums()), (0, Default::default()));
    assert!(tree.prove(Uuid::nil()).is_none());
    let other = Tree::new(Instant { sequence: 1, ..instant() }, Vec::new()).expect("another");
    assert_ne!(tree.root(), other.root(), "a root is of one state");
}

/// The document's example is this tree; following its steps gives its root.
#[test]
fn the_example_of_the_document_is_computed_again() {
    let proof = example().prove(Uuid::from_u128(2)).expect("an account");
    let page = include_str!("../../../docs/proofs.md");
    let block = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let wanted = json::pretty(&json::to_vec(&proof));
    let shown: Option<InclusionProof> = serde_json::from_str(block).ok();
    let shown = shown.filter(|shown| *shown == proof);
    let shown = shown.unwrap_or_else(|| panic!("put this into docs/proofs.md:\n{wanted}"));
    assert_eq!(shown.check(), Ok(()));
    assert_eq!(by_hand(block), shown.root.to_string());
}

/// The bytes of digits, dashes left out.
fn bytes(text: &Value) -> Vec<u8> {
    let digits: Vec<u8> = text.as_str().expect("a text").bytes().filter(|byte| *byte != b'-').collect();
    let pair =
        |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16).expect("a byte");
    digits.chunks(2).map(pair).collect()
}

/// A number in whole units. Those of the example are far below what a float holds exactly.
fn units(value: &Value, places: i32) -> u64 {
    (value.as_f64().expect("a number") * 10_f64.powi(places)).round() as u64
}

fn sums(sums: &Value) -> Vec<u64> {
    let of = |currency: &str| {
        let sums = &sums[currency];
        [units(&sums["money"], 6), units(&sums["yesShares"], 4), units(&sums["noShares"], 4)]
    };
    [of("USD"), of("NGN")].concat()
}

fn packed(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

fn hash(parts: &[&[u8]]) -> Vec<u8> {
    Sha256::digest(parts.concat()).to_vec()
}

/// An account's bytes and its sums.
fn leaf_of(leaf: &Value) -> (Vec<u8>, Vec<u64>) {
    let (mut content, mut own) = (bytes(&leaf["userId"]), vec![0; 6]);
    for (place, currency) in [(0, "USD"), (3, "NGN")] {
        for key in ["free", "held"] {
            let amount = units(&leaf["balances"][currency][key], 6);
            own[place] += amount;
            content.extend(amount.to_be_bytes());
        }
    }
    let positions = leaf["positions"].as_array().expect("positions");
    content.extend((positions.len() as u32).to_be_bytes());
    for position in positions {
        let currency = usize::from(position["currency"] == "NGN");
        content.extend(bytes(&position["marketId"]));
        content.push(currency as u8);
        for (place, key) in [(1, "yesFree"), (1, "yesHeld"), (2, "noFree"), (2, "noHeld")] {
            let shares = units(&position[key], 4);
            own[3 * currency + place] += shares;
            content.extend(shares.to_be_bytes());
        }
    }
    (content, own)
}

/// A verifier without any of our types.
fn by_hand(text: &str) -> String {
    let document: Value = serde_json::from_str(text).expect("JSON");
    let whole = |key: &str| document[key].as_u64().expect("a whole number");
    let (content, mut own) = leaf_of(&document["leaf"]);
    let mut node = hash(&[&[0], &bytes(&document["nonce"]), &content]);
    let (mut index, mut width) = (whole("index"), whole("leaves"));
    let mut siblings = document["siblings"].as_array().expect("siblings").iter();
    while width > 1 {
        if index ^ 1 < width {
            let sibling = siblings.next().expect("a sibling");
            let (other, other_node) = (sums(&sibling["sums"]), bytes(&sibling["hash"]));
            node = match index % 2 {
                0 => hash(&[&[1], &packed(&own), &node, &packed(&other), &other_node]),
                _ => hash(&[&[1], &packed(&other), &other_node, &packed(&own), &node]),
            };
            own = own.iter().zip(&other).map(|(own, other)| own + other).collect();
        }
        (index, width) = (index / 2, width.div_ceil(2));
    }
    assert_eq!(own, sums(&document["rootSums"]), "the sums of the root");
    let at = api::Timestamp::parse(document["at"].as_str().expect("a time")).expect("a time").micros();
    let root = hash(&[
        &[2],
        &whole("sequence").to_be_bytes(),
        &at.to_be_bytes(),
        &bytes(&document["frameHash"]),
        &bytes(&document["stateDigest"]),
        &whole("leaves").to_be_bytes(),
        &packed(&own),
        &node,
    ]);
    root.iter().map(|byte| format!("{byte:02x}")).collect()
}
