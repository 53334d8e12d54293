//! Request signing as clients do it: known vectors, and every way to get it wrong.

use api::signing::{Payload, SecretKey, SignedRequest, SigningFault, SigningKey, body_hash};

const NOW: i64 = 1_730_000_000;
const BODY: &[u8] = br#"{"side":"BUY","outcomeId":"abc","amount":100,"type":"MARKET","currency":"USD"}"#;
const PLACE: &str = "/v1/pm/events/evt_123/markets/mkt_456/orders";
const PLACE_SIGNATURE: &[u8] = b"eHnnuHkCoYh6RWaXzb1MGrbjnuvENAUXpeEFs9Guano=";
const CANCEL_SIGNATURE: &[u8] = b"P3zqZRSqwC5MFKtA1QIO+/tNKw+V1JTZCVgOpJ8YEIQ=";

fn key() -> SigningKey {
    SigningKey::new(&SecretKey::from_text("sk_live_secret789xyz"))
}

fn placement() -> SignedRequest<'static> {
    SignedRequest {
        timestamp: Some(b"1730000000"),
        signature: Some(PLACE_SIGNATURE),
        method: "POST",
        path: PLACE,
        body: BODY,
    }
}

fn cancellation() -> SignedRequest<'static> {
    SignedRequest {
        signature: Some(CANCEL_SIGNATURE),
        method: "DELETE",
        path: "/v1/pm/orders/ord_1",
        body: b"",
        ..placement()
    }
}

#[test]
fn the_published_vectors_are_signed_and_verified() {
    for request in [placement(), cancellation()] {
        let hash = body_hash(request.body);
        let payload =
            Payload { timestamp: "1730000000", method: request.method, path: request.path, body_hash: &hash };
        assert_eq!(key().sign(&payload).as_bytes(), request.signature.unwrap());
        assert_eq!(request.verify(&key(), NOW), Ok(()));
    }
}

#[test]
fn an_empty_body_may_be_hashed_either_way() {
    let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let payload =
        Payload { timestamp: "1730000000", method: "DELETE", path: "/v1/pm/orders/ord_1", body_hash: hash };
    let signature = key().sign(&payload);
    let request = SignedRequest { signature: Some(signature.as_bytes()), ..cancellation() };
    assert_eq!(request.verify(&key(), NOW), Ok(()));
    // Neither form accepts a body.
    for signature in [signature.as_bytes(), CANCEL_SIGNATURE] {
        let smuggled = SignedRequest { signature: Some(signature), body: b"{}", ..cancellation() };
        assert_eq!(smuggled.verify(&key(), NOW), Err(SigningFault::BodyHashMismatch));
    }
}

#[test]
fn the_window_is_three_hundred_seconds_either_way() {
    for (now, expected) in [
        (NOW - 301, Err(SigningFault::TimestampOutsideWindow { skew_seconds: 301 })),
        (NOW - 300, Ok(())),
        (NOW - 299, Ok(())),
        (NOW, Ok(())),
        (NOW + 299, Ok(())),
        (NOW + 300, Ok(())),
        (NOW + 301, Err(SigningFault::TimestampOutsideWindow { skew_seconds: -301 })),
    ] {
        assert_eq!(placement().verify(&key(), now), expected, "{now}");
    }
}

#[test]
fn a_timestamp_is_decimal_digits_and_nothing_else() {
    let texts: [&[u8]; 11] = [
        b"",
        b" ",
        b"+1730000000",
        b"-1730000000",
        b"1730000000 ",
        b" 1730000000",
        b"1730000000.0",
        b"0x67",
        b"1e9",
        "١٧٣".as_bytes(),
        b"\xff\xfe",
    ];
    for text in texts {
        let request = SignedRequest { timestamp: Some(text), ..placement() };
        assert_eq!(request.verify(&key(), NOW), Err(SigningFault::TimestampNotANumber), "{text:?}");
    }
    let huge = SignedRequest { timestamp: Some(b"99999999999999999999"), ..placement() };
    assert_eq!(huge.verify(&key(), NOW), Err(SigningFault::TimestampNotANumber));
    let milliseconds = SignedRequest { timestamp: Some(b"1730000000000"), ..placement() };
    assert!(matches!(
        milliseconds.verify(&key(), NOW),
        Err(SigningFault::TimestampOutsideWindow { skew_seconds: 1_728_270_000_000 })
    ));
    // The text is signed, not its value.
    let padded = SignedRequest { timestamp: Some(b"01730000000"), ..placement() };
    assert_eq!(padded.verify(&key(), NOW), Err(SigningFault::SignatureMismatch));
}

#[test]
fn a_missing_header_is_named() {
    let request = SignedRequest { timestamp: None, signature: None, ..placement() };
    assert_eq!(request.verify(&key(), NOW), Err(SigningFault::HeaderMissing { header: "X-Timestamp" }));
    let request = SignedRequest { signature: None, ..placement() };
    assert_eq!(request.verify(&key(), NOW), Err(SigningFault::HeaderMissing { header: "X-Signature" }));
}

#[test]
fn a_signature_is_strict_base64_of_thirty_two_bytes() {
    let long = vec![b'A'; 5000];
    let table: [(&[u8], SigningFault); 9] = [
        (b"eHnnuHkCoYh6RWaXzb1MGrbjnuvENAUXpeEFs9Guano", SigningFault::SignatureNotBase64),
        (b"eHnnuHkCoYh6RWaXzb1MGrbjnuvENAUXpeEFs9Guanp=", SigningFault::SignatureNotBase64),
        (b" eHnnuHkCoYh6RWaXzb1MGrbjnuvENAUXpeEFs9Guano=", SigningFault::SignatureNotBase64),
        (b"P3zqZRSqwC5MFKtA1QIO-_tNKw-V1JTZCVgOpJ8YEIQ=", SigningFault::SignatureNotBase64),
        (b"\xff\xff\xff\xff", SigningFault::SignatureNotBase64),
        (b"", SigningFault::SignatureLength { bytes: 0 }),
        (b"AAAA", SigningFault::SignatureLength { bytes: 3 }),
        // The digits of a hexadecimal code happen to be base64 too.
        (
            b"7879e7b879026a887a45a697cdbd4c1ab6e39eebc4340517a5e105b3d1ae6a7a",
            SigningFault::SignatureLength { bytes: 48 },
        ),
        (&long, SigningFault::SignatureLength { bytes: 3750 }),
    ];
    for (signature, expected) in table {
        let request = SignedRequest { signature: Some(signature), ..placement() };
        assert_eq!(request.verify(&key(), NOW), Err(expected), "{}", String::from_utf8_lossy(signature));
    }
}

#[test]
fn any_other_method_path_body_or_key_does_not_verify() {
    let others = [
        SignedRequest { method: "PUT", ..placement() },
        SignedRequest { path: "/v1/pm/events/evt_123/markets/mkt_456/orders/", ..placement() },
        SignedRequest { body: b"{}", ..placement() },
        SignedRequest { body: b"", ..placement() },
        SignedRequest { timestamp: Some(b"1730000001"), ..placement() },
        SignedRequest { signature: Some(CANCEL_SIGNATURE), ..placement() },
    ];
    for request in others {
        assert_eq!(request.verify(&key(), NOW), Err(SigningFault::SignatureMismatch));
    }
    let other_key = SigningKey::new(&SecretKey::from_text("sk_live_secret789xyZ"));
    assert_eq!(placement().verify(&other_key, NOW), Err(SigningFault::SignatureMismatch));
}

#[test]
fn the_right_key_with_another_form_of_the_body_hash_has_its_own_fault() {
    for form in [String::new(), body_hash(BODY).to_uppercase()] {
        let payload = Payload { timestamp: "1730000000", method: "POST", path: PLACE, body_hash: &form };
        let signature = key().sign(&payload);
        let request = SignedRequest { signature: Some(signature.as_bytes()), ..placement() };
        assert_eq!(request.verify(&key(), NOW), Err(SigningFault::BodyHashMismatch));
    }
}

#[test]
fn no_fault_contains_the_expected_signature() {
    let wrong = SignedRequest { body: b"{}", ..placement() };
    let fault = wrong.verify(&key(), NOW).unwrap_err();
    let expected = key().sign(&Payload {
        timestamp: "1730000000",
        method: "POST",
        path: PLACE,
        body_hash: &body_hash(b"{}"),
    });
    assert!(!format!("{fault} {fault:?} {}", fault.reason()).contains(&expected));
}
