//! Malformed bodies: each is refused with a clear message, and none causes a panic.

use api::decimal::Money;
use api::read::{BODY_BYTES_MAX, read};
use api::request::{BatchAmend, BatchCancel, BatchPlace, PlaceOrder};
use proptest::prelude::*;
use serde::Deserialize;

/// Has one known key.
#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Known {
    known: Option<Money>,
}

fn check(body: &[u8], message: &str) {
    match read::<Known>(body) {
        Ok(known) => panic!("{} was read as {known:?}", String::from_utf8_lossy(body)),
        Err(bad_request) => assert_eq!(bad_request.message, message, "{}", String::from_utf8_lossy(body)),
    }
}

fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{{\"a\":{}{inner}{}}}", open.repeat(depth - 1), close.repeat(depth - 1))
}

#[test]
fn a_body_is_one_json_object() {
    for body in ["[]", "null", "7", "\"x\"", "true", "x", "\u{feff}{}"] {
        check(body.as_bytes(), "The body must be a JSON object");
    }
    for body in ["", " ", "\r\n\t "] {
        check(body.as_bytes(), "The body is empty; a JSON object is required");
    }
    check(b"{} {}", "The body has characters after its JSON object");
    check(b"{}x", "The body has characters after its JSON object");
    assert!(read::<Known>(b" \r\n\t{ } \n").is_ok());
}

#[test]
fn broken_json_is_refused_with_its_place() {
    for (body, message) in [
        ("{", "The body is not valid JSON: EOF while parsing an object at line 1 column 1"),
        (r#"{"a""#, "The body is not valid JSON: EOF while parsing an object at line 1 column 4"),
        (r#"{"a":}"#, "The body is not valid JSON: expected value at line 1 column 6"),
        ("{\n\"a\":1,}", "The body is not valid JSON: trailing comma at line 2 column 7"),
        (r#"{a:1}"#, "The body is not valid JSON: key must be a string at line 1 column 2"),
        (r#"{"a":'x'}"#, "The body is not valid JSON: expected value at line 1 column 6"),
        (r#"{"a":01}"#, "The body is not valid JSON: invalid number at line 1 column 7"),
        (r#"{"a":NaN}"#, "The body is not valid JSON: expected value at line 1 column 6"),
        (r#"{"a":-Infinity}"#, "The body is not valid JSON: invalid number at line 1 column 7"),
        (r#"{"a":1e999}"#, "The body is not valid JSON: number out of range at line 1 column 10"),
        (r#"{"a":"\x"}"#, "The body is not valid JSON: invalid escape at line 1 column 8"),
        (r#"{"a":"\ud800"}"#, "The body is not valid JSON: unexpected end of hex escape at line 1 column 13"),
        (
            "{\"a\":\"\u{1}\"}",
            "The body is not valid JSON: control character (\\u0000-\\u001F) found while parsing a string at line 1 column 7",
        ),
    ] {
        check(body.as_bytes(), message);
    }
    check(b"{\"a\":\"\xff\"}", "The body must be UTF-8");
    check(b"{\"a\":\"\xed\xa0\x80\"}", "The body must be UTF-8");
}

#[test]
fn a_key_may_come_once_in_its_object_at_any_level() {
    check(br#"{"known":1,"known":1}"#, "the key `known` is given twice");
    check(br#"{"other":1,"known":1,"other":2}"#, "the key `other` is given twice");
    check(br#"{"a":{"b":[1,{"c":1,"d":2,"c":3}]}}"#, "a.b[1]: the key `c` is given twice");
    check(br#"{"known":1,"\u006bnown":2}"#, "the key `known` is given twice");
    check(br#"{"":1,"":2}"#, "the key `` is given twice");
    assert!(read::<Known>(br#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#).is_ok());
    let mut keys: Vec<_> = (0..2000).map(|index| format!("\"key{index}\":{index}")).collect();
    assert!(read::<Known>(format!("{{{}}}", keys.join(",")).as_bytes()).is_ok());
    keys.push("\"key1234\":0".to_owned());
    check(format!("{{{}}}", keys.join(",")).as_bytes(), "the key `key1234` is given twice");
}

#[test]
fn values_are_nested_at_most_sixteen_deep() {
    let too_deep = "values are nested more than 16 deep";
    for (open, close, path) in [("[", "]", "[0]"), (r#"{"b":"#, "}", ".b")] {
        assert!(read::<Known>(nested(16, open, "1", close).as_bytes()).is_ok());
        let message = format!("a{}: {too_deep}", path.repeat(15));
        check(nested(17, open, "1", close).as_bytes(), &message);
        // Deep enough to overflow the stack if the recursion had no limit.
        let deep = nested(5000, open, "1", close);
        assert!(read::<Known>(deep.as_bytes()).unwrap_err().message.ends_with(too_deep));
        let unclosed = format!("{{\"a\":{}", open.repeat(10_000));
        assert!(read::<Known>(unclosed.as_bytes()).unwrap_err().message.ends_with(too_deep));
    }
}

#[test]
fn a_body_has_at_most_64_kibibytes() {
    let padded = |length: usize| format!("{{{}}}", " ".repeat(length - 2)).into_bytes();
    assert!(read::<Known>(&padded(BODY_BYTES_MAX)).is_ok());
    check(&padded(BODY_BYTES_MAX + 1), "The body must not be longer than 65536 bytes");
}

#[test]
fn a_message_does_not_grow_with_the_body() {
    for body in [
        format!(r#"{{"side":"{}"}}"#, "é".repeat(20_000)),
        format!(r#"{{"{0}":1,"{0}":2}}"#, "k".repeat(20_000)),
    ] {
        let message = read::<PlaceOrder>(body.as_bytes()).unwrap_err().message;
        assert!(message.len() <= 303 && message.ends_with('…'), "{message}");
    }
}

#[test]
fn unknown_keys_are_ignored_with_any_value() {
    let known: Known =
        read(br#"{"x":[null,true,{"y":"z"}],"known":1.5,"z":-1e-30,"emoji":"\ud83d\ude00"}"#).unwrap();
    assert_eq!(known.known, Some(Money::from_units(1_500_000)));
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read::<PlaceOrder>(&bytes);
        let _ = BatchPlace::read(&bytes);
        let _ = BatchAmend::read(&bytes);
        let _ = BatchCancel::read(&bytes);
    }

    /// Near misses: a good body with one part replaced.
    #[test]
    fn no_damaged_body_makes_a_reader_panic(at in 0_usize..220, length in 0_usize..8, insert in "[\\[\\]{}\",:0-9eE.\\\\u-]{0,6}") {
        let good = r#"{"orders":[{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","amount":100.25,"type":"LIMIT","price":0.65,"expiresAt":"2026-07-28T23:42:38Z","clientOrderId":"mm-001","postOnly":true,"stpMode":"SKIP"}]}"#;
        let start = at.min(good.len());
        let end = (start + length).min(good.len());
        let damaged = format!("{}{insert}{}", &good[..start], &good[end..]);
        if let Ok(batch) = BatchPlace::read(damaged.as_bytes()) {
            prop_assert!((1..=20).contains(&batch.items.len()));
        }
    }
}
