//! The venue's key: it identifies the sender of push messages to push services (VAPID, RFC 8292).

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};

/// How long a signature is valid. A push service accepts at most a day.
const VALID_SECONDS: i64 = 12 * 3_600;
/// Some push services require a contact. This one stands for a venue that names none.
pub(super) const NO_CONTACT: &str = "mailto:push@bellwether.invalid";

/// The private key of P-256 and its public text.
pub struct PushKey {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

impl fmt::Debug for PushKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PushKey({})", self.public_text())
    }
}

impl PushKey {
    pub fn from_pkcs8(bytes: &[u8]) -> Option<PushKey> {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, bytes, &random).ok()?;
        Some(PushKey { pair, random })
    }

    /// The public key in base64url, as browsers take it.
    pub fn public_text(&self) -> String {
        BASE64URL_NOPAD.encode(self.pair.public_key().as_ref())
    }

    /// The `Authorization` header of a message to a push service. `origin` is the service's scheme, host and port; `contact`
    /// is a `mailto:` or `https:` URI of the venue.
    pub fn authorization(&self, origin: &str, contact: &str, now_seconds: i64) -> Option<String> {
        let claims = serde_json::json!({
            "aud": origin,
            "exp": now_seconds + VALID_SECONDS,
            "sub": contact,
        });
        let text = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
        let signed =
            format!("{}.{}", text(br#"{"typ":"JWT","alg":"ES256"}"#), text(claims.to_string().as_bytes()));
        let signature = self.pair.sign(&self.random, signed.as_bytes()).ok()?;
        Some(format!("vapid t={signed}.{}, k={}", text(signature.as_ref()), self.public_text()))
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    #[test]
    fn a_push_service_can_verify_who_sends_and_for_whom() {
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        let key = PushKey::from_pkcs8(pkcs8.expect("a key").as_ref()).expect("a key");
        let header = key
            .authorization("https://push.example", "mailto:security@venue.example", 1_000)
            .expect("a header");
        let (token, public) =
            header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")).expect("two parts");
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let decode = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).expect("base64url");
        let verifying = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(public));
        verifying.verify(signed.as_bytes(), &decode(signature)).expect("a valid signature");
        let (_, claims) = signed.split_once('.').expect("claims");
        let claims: serde_json::Value = serde_json::from_slice(&decode(claims)).expect("JSON");
        assert_eq!(
            (claims["aud"].as_str(), claims["exp"].as_i64(), claims["sub"].as_str()),
            (Some("https://push.example"), Some(44_200), Some("mailto:security@venue.example"))
        );
        assert_eq!(decode(public).len(), 65);
    }
}
