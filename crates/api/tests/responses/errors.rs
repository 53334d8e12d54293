//! The error body for each status.

use api::error::{ErrorCode, ErrorKind};
use api::signing::SigningFault;
use api::{BadRequest, ErrorBody, Word};

use crate::responses::samples;

#[test]
fn each_status_has_its_body() {
    let table = [
        (
            ErrorBody::bad_request("price: must be between 0.01 and 0.99"),
            r#"{"error":"bad_request","message":"price: must be between 0.01 and 0.99","statusCode":400}"#,
        ),
        (
            BadRequest::at("orders[2]", "must be an object").into(),
            r#"{"error":"bad_request","message":"orders[2]: must be an object","statusCode":400}"#,
        ),
        (
            ErrorBody::bad_batch("orders: must have 1 to 20 items, not 21"),
            r#"{"error":"bad_request","message":"orders: must have 1 to 20 items, not 21","statusCode":400,"code":"BAD_REQUEST"}"#,
        ),
        (
            ErrorBody::unauthorized("Unknown key", "unknown_key", 1_730_000_000),
            r#"{"error":"unauthorized","message":"Unknown key","statusCode":401,"reason":"unknown_key","serverTime":1730000000}"#,
        ),
        (
            ErrorBody::signing(&SigningFault::TimestampOutsideWindow { skew_seconds: -301 }, 1_730_000_301),
            r#"{"error":"timestamp_expired","message":"X-Timestamp is 301 seconds behind the server's time; at most 300 are allowed","statusCode":401,"reason":"timestamp_outside_window","serverTime":1730000301}"#,
        ),
        (
            ErrorBody::signing(&SigningFault::SignatureMismatch, 1),
            r#"{"error":"invalid_signature","message":"The signature does not match this timestamp, method, path, body and key","statusCode":401,"reason":"signature_mismatch","serverTime":1}"#,
        ),
        (
            ErrorBody::signing(&SigningFault::HeaderMissing { header: "X-Signature" }, 1),
            r#"{"error":"unauthorized","message":"The header X-Signature is missing","statusCode":401,"reason":"header_missing","serverTime":1}"#,
        ),
        (
            ErrorBody::not_found("Event not found"),
            r#"{"error":"not_found","message":"Event not found","statusCode":404}"#,
        ),
        (ErrorBody::conflict("In flight"), r#"{"error":"conflict","message":"In flight","statusCode":409}"#),
        (
            ErrorBody::unprocessable(ErrorCode::InsufficientBalance, "need 102.00, have 100.00"),
            r#"{"error":"unprocessable_entity","message":"need 102.00, have 100.00","statusCode":422,"code":"INSUFFICIENT_BALANCE"}"#,
        ),
        (
            ErrorBody::rate_limit("Too many requests", 120),
            r#"{"error":"rate_limit","message":"Too many requests","statusCode":429,"retryAfter":120}"#,
        ),
        (
            ErrorBody::internal(),
            r#"{"error":"internal_server_error","message":"Internal server error","statusCode":500}"#,
        ),
        (
            ErrorBody::unavailable("Busy", 1),
            r#"{"error":"service_unavailable","message":"Busy","statusCode":503,"retryAfter":1}"#,
        ),
        (
            ErrorBody::outcome_unknown(samples::id(1)),
            r#"{"error":"service_unavailable","message":"The outcome of this request is not known: it may have been carried out","statusCode":503,"outcome":"unknown","commandId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e01"}"#,
        ),
    ];
    for (body, expected) in table {
        assert_eq!(String::from_utf8(api::json::to_vec(&body)).unwrap(), expected);
    }
}

#[test]
fn every_kind_has_an_error_status() {
    for kind in ErrorKind::ALL {
        let body = ErrorBody::new(*kind, "");
        assert!((400..600).contains(&body.status_code), "{kind}");
    }
}
