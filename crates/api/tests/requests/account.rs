//! Logging in and naming keys.

use api::request::{CreateApiKey, Login, PasswordReset, SubscribePush};

use crate::requests::{accept, check_refusals, refuse};

#[test]
fn login_and_password_reset_bound_what_is_hashed() {
    let login: Login = accept(r#"{"email":"ada@example.org","password":"x"}"#);
    assert_eq!((login.email.as_str(), login.password.as_str()), ("ada@example.org", "x"));
    assert!(!format!("{login:?}").contains("\"x\""));
    let password = |length: usize| format!(r#"{{"email":"a@b","password":"{}"}}"#, "é".repeat(length));
    assert_eq!(accept::<Login>(&password(128)).password.chars().count(), 128);
    assert_eq!(refuse::<Login>(&password(129)), "password: must have at most 128 characters");
    check_refusals::<Login>(&[
        ("{}", "email: is required"),
        (r#"{"email":"a@b"}"#, "password: is required"),
        (r#"{"email":"a@b","password":""}"#, "password: must not be empty"),
        (r#"{"email":"ab","password":"x"}"#, "email: must be an email address"),
        (r#"{"email":"@b","password":"x"}"#, "email: must be an email address"),
        (r#"{"email":"a@b@c","password":"x"}"#, "email: must be an email address"),
        (r#"{"email":"a @b","password":"x"}"#, "email: must be an email address"),
        (r#"{"email":7,"password":"x"}"#, "email: invalid type: integer `7`, expected a string"),
    ]);
    assert_eq!(accept::<PasswordReset>(r#"{"token":"t","password":"12345678"}"#).token, "t");
    check_refusals::<PasswordReset>(&[
        (r#"{"token":"","password":"12345678"}"#, "token: must have 1 to 256 characters"),
        (r#"{"token":"t","password":"1234567"}"#, "password: must have at least 8 characters"),
    ]);
}

#[test]
fn a_key_has_a_name() {
    assert_eq!(accept::<CreateApiKey>(r#"{"name":"bot 1 ✓"}"#).name, "bot 1 ✓");
    check_refusals::<CreateApiKey>(&[
        ("{}", "name: is required"),
        (r#"{"name":""}"#, "name: must not be empty"),
        (r#"{"name":" a"}"#, "name: must not begin or end with a space"),
        (r#"{"name":"a\u0000b"}"#, "name: must not have control characters"),
        (r#"{"name":null}"#, "name: invalid type: null, expected a string"),
    ]);
    let long = format!(r#"{{"name":"{}"}}"#, "a".repeat(65));
    assert_eq!(refuse::<CreateApiKey>(&long), "name: must have at most 64 characters");
}

#[test]
fn a_missing_field_of_an_inner_object_is_named_with_its_path() {
    check_refusals::<SubscribePush>(&[
        (r#"{"endpoint":"https://push.example"}"#, "keys: is required"),
        (r#"{"endpoint":"https://push.example","keys":{"p256dh":"x"}}"#, "keys.auth: is required"),
    ]);
}
