//! An API key, and the signatures that it makes.

use std::fmt;

use api::signing::{Payload, SecretKey, SigningKey, body_hash};

/// The path of the account's stream.
pub(crate) const USER_STREAM: &str = "/ws/v1/user";

/// An API key. The public key reads the account; only the secret key can change it.
#[derive(Clone)]
pub struct Credentials {
    public_key: String,
    signing: Option<SigningKey>,
}

impl Credentials {
    /// A key that reads the account.
    pub fn public(public_key: impl Into<String>) -> Credentials {
        Credentials { public_key: public_key.into(), signing: None }
    }

    /// A key that reads and changes the account.
    pub fn new(public_key: impl Into<String>, secret_key: &str) -> Credentials {
        let signing = SigningKey::new(&SecretKey::from_text(secret_key));
        Credentials { public_key: public_key.into(), signing: Some(signing) }
    }

    /// The public key.
    pub fn public_key(&self) -> &str {
        &self.public_key
    }

    /// Whether there is a secret key.
    pub fn can_sign(&self) -> bool {
        self.signing.is_some()
    }

    /// The value of `X-Signature`; none without a secret key.
    pub(crate) fn sign(&self, timestamp: &str, method: &str, path: &str, body: &str) -> Option<String> {
        let body_hash = &body_hash(body.as_bytes());
        Some(self.signing.as_ref()?.sign(&Payload { timestamp, method, path, body_hash }))
    }

    /// The proof that arms one stream connection, named by the `clientId` of its greeting; none without a secret key.
    pub(crate) fn sign_cancel_on_disconnect(
        &self,
        timestamp: &str,
        is_enabled: bool,
        client_id: &str,
    ) -> Option<String> {
        let text = format!("cancelOnDisconnect.{is_enabled}.{client_id}");
        self.sign(timestamp, "WS", USER_STREAM, &text)
    }
}

/// Shows neither key.
impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Credentials").field("can_sign", &self.can_sign()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_covers_time_method_path_and_body() {
        let key = Credentials::new("pk", "sk_live_secret");
        let sign = |time: &str, method: &str, path: &str, body: &str| key.sign(time, method, path, body);
        let all = [
            sign("1", "POST", "/a", "{}"),
            sign("2", "POST", "/a", "{}"),
            sign("1", "PUT", "/a", "{}"),
            sign("1", "POST", "/b", "{}"),
            sign("1", "POST", "/a", ""),
            key.sign_cancel_on_disconnect("1", true, "c"),
            key.sign_cancel_on_disconnect("1", false, "c"),
        ];
        for (index, one) in all.iter().enumerate() {
            assert!(one.as_ref().is_some_and(|signature| signature.len() == 44), "{one:?}");
            assert!(!all[index + 1..].contains(one));
        }
    }

    #[test]
    fn a_public_key_cannot_sign_and_no_key_is_shown() {
        let key = Credentials::public("pk_live_1");
        assert_eq!((key.can_sign(), key.sign("1", "GET", "/", "")), (false, None));
        let shown = format!("{:?} {key:?}", Credentials::new("pk_live_1", "sk_live_2"));
        assert!(!shown.contains("live"), "{shown}");
    }
}
