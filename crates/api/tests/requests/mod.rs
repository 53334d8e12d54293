//! Requests as clients send them: accepted fields, required fields, and the messages of refusals.

mod account;
mod batches;
mod place_order;
mod trading;

use api::read::read;
use api::stream::ClientMessage;
use serde::de::DeserializeOwned;
use uuid::{Uuid, uuid};

const OUTCOME: Uuid = uuid!("01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00");

/// A body with `$` for a valid id.
fn body(text: &str) -> Vec<u8> {
    text.replace('$', &format!("\"{OUTCOME}\"")).into_bytes()
}

fn accept<T: DeserializeOwned>(text: &str) -> T {
    read(&body(text)).unwrap_or_else(|bad_request| panic!("{text}: {bad_request}"))
}

fn refuse<T: DeserializeOwned>(text: &str) -> String {
    match read::<T>(&body(text)) {
        Ok(_) => panic!("{text} was read"),
        Err(bad_request) => bad_request.message,
    }
}

fn check_refusals<T: DeserializeOwned>(table: &[(&str, &str)]) {
    for (text, message) in table {
        assert_eq!(refuse::<T>(text), *message, "{text}");
    }
}

#[test]
fn a_value_of_another_type_is_reported_with_its_json_type() {
    check_refusals::<ClientMessage>(&[
        (r#"{"auth":"x"}"#, r#"auth: invalid type: string "x", expected an object"#),
        (
            r#"{"auth":"a, expected u64"}"#,
            r#"auth: invalid type: string "a, expected u64", expected an object"#,
        ),
        (r#"{"marketIds":{}}"#, "marketIds: invalid type: object, expected an array"),
        (r#"{"room":[]}"#, "room: invalid type: array, expected a string"),
        (
            r#"{"resumeFrom":"5"}"#,
            r#"resumeFrom: invalid type: string "5", expected a whole number, 0 or more"#,
        ),
        (
            r#"{"resumeFrom":-1}"#,
            "resumeFrom: invalid value: integer `-1`, expected a whole number, 0 or more",
        ),
    ]);
}
