//! The one-pass readers against `crate::read`: equal results on generated, damaged and recorded bodies.

use proptest::prelude::*;

use super::{BatchAmend, BatchCancel, BatchPlace, PlaceOrder, Quote};
use crate::json::PlainReader;
use crate::read::read;

/// The plain result of a body for each request, after a comparison with the general one. True if it was plain.
fn compare(body: &[u8]) -> bool {
    macro_rules! compare {
        ($($request:ident, $general:expr;)+) => {
            [$(match PlainReader::body(body, $request::read_plain) {
                Some(plain) => {
                    assert_eq!($general(body), Ok(plain), "{}", String::from_utf8_lossy(body));
                    true
                }
                None => {
                    assert_eq!($request::read(body), $general(body), "{}", String::from_utf8_lossy(body));
                    false
                }
            }),+].contains(&true)
        };
    }
    compare! {
        PlaceOrder, read::<PlaceOrder>;
        Quote, read::<Quote>;
        BatchPlace, BatchPlace::read_any;
        BatchAmend, BatchAmend::read_any;
        BatchCancel, BatchCancel::read_any;
    }
}

const ID: &str = r#""01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00""#;

/// Values of fields: the usual ones, then all kinds of others. `$` stands for an id.
const VALUES: [&str; 58] = [
    "$",
    "1",
    "100.25",
    "0.65",
    "\"BUY\"",
    "\"SELL\"",
    "\"LIMIT\"",
    "\"MARKET\"",
    "\"USD\"",
    "\"NGN\"",
    "\"GTC\"",
    "\"GTD\"",
    "\"FOK\"",
    "true",
    "false",
    "null",
    "\"SKIP\"",
    "\"CANCEL_BOTH\"",
    "\"mm-001\"",
    "0.05",
    "\"2026-07-28T23:42:38Z\"",
    "\"\"",
    "0",
    "-1",
    "-0",
    "1.",
    "01",
    "1.50",
    "1e2",
    "1E-2",
    "0e999",
    "1e999",
    "0.655",
    "0.6500000001",
    "123456789012345678901234567890123456789",
    "12345678901234567890123456789012345678901234567890",
    "99999999999999",
    "0.0000000000000000000000000000000000000000000001",
    "--1",
    "-",
    "1.2.3",
    "nul",
    "nulll",
    "truex",
    "\"buy\"",
    "\"\\u0042UY\"",
    "\"é\"",
    "\"a\u{1}\"",
    "\"no good\"",
    "[]",
    "{}",
    "[$]",
    "{\"a\":1,\"a\":2}",
    "\"x",
    "\"01980D2F-7C1E-7A64-9A53-3F7D2B8C1E00\"",
    "\"01980d2f7c1e7a649a533f7d2b8c1e00\"",
    "",
    "0.29999999999999998",
];

const KEYS: [&str; 18] = [
    "side",
    "outcomeId",
    "amount",
    "quantity",
    "type",
    "currency",
    "price",
    "timeInForce",
    "postOnly",
    "stpMode",
    "maxSlippage",
    "expiresAt",
    "clientOrderId",
    "orderId",
    "newPrice",
    "newSize",
    "other",
    "\\u0073ide",
];

/// An object that is often valid: required keys with usual values, and a few others.
fn object() -> impl Strategy<Value = String> {
    let base = prop_oneof![
        4 => Just(vec![r#""side":"BUY""#, r#""outcomeId":$"#, r#""amount":1.5"#, r#""type":"MARKET""#]),
        4 => Just(vec![r#""side":"SELL""#, r#""outcomeId":$"#, r#""quantity":10"#, r#""type":"LIMIT""#, r#""price":0.65"#]),
        2 => Just(vec![r#""side":"SELL""#, r#""outcomeId":$"#, r#""quantity":10"#]),
        3 => Just(vec![r#""orderId":$"#, r#""newPrice":0.5"#]),
        1 => Just(vec![]),
    ];
    let key = 0..KEYS.len();
    let extra =
        (key, 0..VALUES.len()).prop_map(|(key, value)| format!("\"{}\":{}", KEYS[key], VALUES[value]));
    let extras = proptest::collection::vec(extra, 0..4);
    let space = prop_oneof![3 => Just(""), 1 => Just(" "), 1 => Just("\n\t\r ")];
    (base, extras, space, any::<u64>()).prop_map(|(base, extras, space, order)| {
        let mut members: Vec<String> = base.into_iter().map(str::to_owned).chain(extras).collect();
        let length = members.len().max(1);
        members.rotate_left(order as usize % length);
        let members = members.join(&format!("{space},{space}"));
        format!("{space}{{{space}{members}{space}}}{space}").replace('$', ID)
    })
}

fn body() -> impl Strategy<Value = String> {
    let list = proptest::collection::vec(object(), 0..22).prop_map(|items| items.join(","));
    let ids = proptest::collection::vec(prop_oneof![9 => Just(0), 1 => 0..VALUES.len()], 0..102)
        .prop_map(|ids| ids.into_iter().map(|id| VALUES[id].replace('$', ID)).collect::<Vec<_>>().join(","));
    prop_oneof![
        object(),
        (prop_oneof![Just("orders"), Just("items")], list)
            .prop_map(|(key, list)| format!("{{\"{key}\":[{list}]}}")),
        ids.prop_map(|ids| format!("{{\"orderIds\":[{ids}]}}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_generated_body_is_read_alike(body in body()) {
        compare(body.as_bytes());
    }

    #[test]
    fn a_damaged_body_is_read_alike(
        body in body(),
        at in any::<proptest::sample::Index>(),
        cut in 0_usize..4,
        insert in proptest::collection::vec(prop_oneof![
            4 => proptest::sample::select(b"[]{}\",:0-9eE.\\ntf \x00\x1f\x7f".to_vec()),
            1 => any::<u8>(),
        ], 0..3),
    ) {
        let mut bytes = body.into_bytes();
        let start = at.index(bytes.len() + 1);
        let end = (start + cut).min(bytes.len());
        bytes.splice(start..end, insert);
        compare(&bytes);
    }
}

#[test]
fn the_corpus_of_the_fuzzer_is_read_alike() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus/http");
    let files: Vec<_> = std::fs::read_dir(folder).expect("the corpus").collect();
    assert!(files.len() > 100, "the corpus has its inputs");
    for file in files {
        compare(&std::fs::read(file.expect("a file").path()).expect("a readable file"));
    }
}

/// Every prefix, and every body with one byte replaced by a significant one.
#[test]
fn a_body_with_one_wrong_byte_is_read_alike() {
    for body in USUAL.map(|body| body.replace('$', ID).into_bytes()) {
        for at in 0..body.len() {
            compare(&body[..at]);
            for byte in *b"{}[]\",:\\0-.e nt\x1f\x80\xc3" {
                let mut damaged = body.clone();
                damaged[at] = byte;
                compare(&damaged);
            }
        }
    }
}

const USUAL: [&str; 6] = [
    r#"{"side":"BUY","outcomeId":$,"amount":100.25,"type":"LIMIT","price":0.65,"currency":"NGN","timeInForce":"GTD","postOnly":true,"stpMode":"SKIP","expiresAt":"2026-07-28T23:42:38Z","clientOrderId":"mm-001","maxSlippage":null}"#,
    r#"{"side":"SELL","outcomeId":$,"quantity":10,"type":"MARKET","maxSlippage":0.05,"price":7,"expiresAt":""}"#,
    r#"{"side":"BUY","outcomeId":$,"amount":10,"currency":"USD"}"#,
    r#"{ "orders": [ {"side":"BUY","outcomeId":$,"amount":1,"type":"MARKET"}, {"side":"BUY","outcomeId":$,"amount":1,"type":"LIMIT","price":0.5} ] }"#,
    r#"{"items":[{"orderId":$,"newPrice":0.5,"newSize":15},{"orderId":$}]}"#,
    r#"{"orderIds":[$,$,$]}"#,
];

/// Without this, a reader that accepts nothing would pass the other tests.
#[test]
fn usual_bodies_are_plain() {
    for body in USUAL {
        assert!(compare(body.replace('$', ID).as_bytes()), "{body}");
    }
    let full = |key: &str, item: &str, count| {
        format!("{{\"{key}\":[{}]}}", vec![item; count].join(",")).replace('$', ID)
    };
    let order = r#"{"side":"BUY","outcomeId":$,"amount":1,"type":"MARKET"}"#;
    assert!(compare(full("orders", order, 20).as_bytes()) && !compare(full("orders", order, 21).as_bytes()));
    assert!(
        compare(full("orderIds", "$", 100).as_bytes()) && !compare(full("orderIds", "$", 101).as_bytes())
    );
    let padded = format!("{}{}", USUAL[5].replace('$', ID), " ".repeat(crate::read::BODY_BYTES_MAX));
    assert!(!compare(padded.as_bytes()) && compare(&padded.as_bytes()[..crate::read::BODY_BYTES_MAX]));
}
