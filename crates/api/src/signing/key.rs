//! Keys: the master key, the secrets derived from it, and the prepared MAC for signing.
//!
//! Secrets are never stored. They are derived from the master key, the key's id and its generation, so a rotation is
//! just a new generation. All of them are zeroed when dropped, and their `Debug` output is empty.

use std::fmt;

use data_encoding::{BASE64, HEXLOWER};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::payload::Payload;

pub const PUBLIC_KEY_PREFIX: &str = "pk_live_";
pub const SECRET_KEY_PREFIX: &str = "sk_live_";

/// The kind of a venue's keys, which their prefixes show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// Keys of a venue.
    Live,
    /// Keys of a rehearsal: no venue accepts them.
    Test,
}

impl KeyKind {
    const ALL: [KeyKind; 2] = [KeyKind::Live, KeyKind::Test];

    /// The beginning of every public key.
    pub const fn public_prefix(self) -> &'static str {
        match self {
            KeyKind::Live => PUBLIC_KEY_PREFIX,
            KeyKind::Test => "pk_test_",
        }
    }

    /// The beginning of every secret key.
    pub const fn secret_prefix(self) -> &'static str {
        match self {
            KeyKind::Live => SECRET_KEY_PREFIX,
            KeyKind::Test => "sk_test_",
        }
    }

    /// A public key from 128 random bits of the caller.
    pub fn public_key(self, random: &[u8; 16]) -> String {
        format!("{}{}", self.public_prefix(), HEXLOWER.encode(random))
    }

    /// Derives the secret of a key at a generation. Any changed part gives an unrelated secret.
    pub fn derive_secret(self, master: &MasterKey, key_id: &[u8; 16], generation: u32) -> SecretKey {
        let mut mac = keyed(master.0.as_slice());
        mac.update(SECRET_DOMAIN);
        mac.update(key_id);
        mac.update(&generation.to_be_bytes());
        let code = Zeroizing::new(<[u8; 32]>::from(mac.finalize().into_bytes()));
        let prefix = self.secret_prefix();
        // Of the final capacity: a reallocation would leave a copy behind that is not zeroed.
        let mut text = Zeroizing::new(String::with_capacity(prefix.len() + 2 * code.len()));
        text.push_str(prefix);
        HEXLOWER.encode_append(code.as_slice(), &mut text);
        SecretKey(text)
    }
}

/// Separates this use of the master key from all others.
const SECRET_DOMAIN: &[u8] = b"bellwether api secret, version 1\0";
const NONCE_DOMAIN: &[u8] = b"bellwether proof nonce, version 1\0";
const HASH_DOMAIN: &[u8] = b"bellwether keyed hash, version 1\0";

/// The key from which all API secrets of an installation are derived.
#[derive(Clone)]
pub struct MasterKey(Zeroizing<[u8; 32]>);

impl MasterKey {
    pub fn new(bytes: [u8; 32]) -> MasterKey {
        MasterKey(Zeroizing::new(bytes))
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MasterKey(…)")
    }
}

/// The text of a secret key, shown to its owner once.
#[derive(Clone)]
pub struct SecretKey(Zeroizing<String>);

impl SecretKey {
    /// A secret that a client already holds.
    pub fn from_text(text: &str) -> SecretKey {
        SecretKey(Zeroizing::new(text.to_owned()))
    }

    /// The secret itself: only for its owner, never for a log.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretKey(…)")
    }
}

/// The secret of a live key at a generation.
pub fn derive_secret(master: &MasterKey, key_id: &[u8; 16], generation: u32) -> SecretKey {
    KeyKind::Live.derive_secret(master, key_id, generation)
}

/// The nonce that hides a user's account in the tree of the state with this sequence and digest: always the same for
/// these arguments, and unrelated to any other.
pub fn derive_nonce(master: &MasterKey, sequence: u64, state_digest: &[u8; 32], user: &[u8; 16]) -> [u8; 32] {
    let mut mac = keyed(master.0.as_slice());
    mac.update(NONCE_DOMAIN);
    mac.update(&sequence.to_be_bytes());
    mac.update(state_digest);
    mac.update(user);
    mac.finalize().into_bytes().into()
}

/// A hash of texts that cannot be guessed or verified without the master key. Another purpose, or another division into
/// parts, gives an unrelated hash.
pub fn keyed_hash(master: &MasterKey, purpose: &str, parts: &[&str]) -> [u8; 32] {
    let mut mac = keyed(master.0.as_slice());
    mac.update(HASH_DOMAIN);
    for part in [&[purpose], parts].concat() {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac.finalize().into_bytes().into()
}

/// A keyed hash in hexadecimal digits, which proves that this server produced the parts.
pub fn code(master: &MasterKey, purpose: &str, parts: &[&str]) -> String {
    HEXLOWER.encode(&keyed_hash(master, purpose, parts))
}

/// Whether `claimed` is the code of the parts, in constant time.
pub fn is_code(master: &MasterKey, purpose: &str, parts: &[&str], claimed: &str) -> bool {
    code(master, purpose, parts).as_bytes().ct_eq(claimed.as_bytes()).into()
}

/// The masked form for lists: the prefix, three dots, the last three characters.
pub fn secret_key_hint(secret: &SecretKey) -> String {
    let text = secret.expose();
    let tail = text.char_indices().rev().nth(2).map_or("", |(at, _)| &text[at..]);
    let kind = KeyKind::ALL.into_iter().find(|kind| text.starts_with(kind.secret_prefix()));
    format!("{}...{tail}", kind.unwrap_or(KeyKind::Live).secret_prefix())
}

/// A live public key from 128 random bits of the caller.
pub fn public_key(random: &[u8; 16]) -> String {
    KeyKind::Live.public_key(random)
}

/// A secret prepared for signing: the two key blocks of the MAC are hashed once.
#[derive(Clone)]
pub struct SigningKey(Hmac<Sha256>);

impl SigningKey {
    pub fn new(secret: &SecretKey) -> SigningKey {
        SigningKey(keyed(secret.0.as_bytes()))
    }

    /// The signature in the form that a client sends.
    pub fn sign(&self, payload: &Payload<'_>) -> String {
        BASE64.encode(&self.code(payload))
    }

    /// Whether `signature` is this key's code for the payload, in constant time.
    pub(super) fn matches(&self, payload: &Payload<'_>, signature: &[u8; 32]) -> bool {
        self.code(payload).ct_eq(signature).into()
    }

    fn code(&self, payload: &Payload<'_>) -> [u8; 32] {
        let mut mac = self.0.clone();
        for piece in payload.pieces() {
            mac.update(piece);
        }
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningKey(…)")
    }
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    // Invariant: HMAC accepts a key of any length.
    Hmac::new_from_slice(key).expect("HMAC accepts a key of any length")
}

#[cfg(test)]
mod tests {
    use super::{KeyKind, MasterKey, SecretKey, SigningKey, derive_secret, public_key, secret_key_hint};

    #[test]
    fn a_secret_depends_on_master_key_id_and_generation() {
        let secret = |master: u8, id: u8, generation| {
            derive_secret(&MasterKey::new([master; 32]), &[id; 16], generation).expose().to_owned()
        };
        let all = [secret(1, 1, 1), secret(2, 1, 1), secret(1, 2, 1), secret(1, 1, 2)];
        assert_eq!(all[0], secret(1, 1, 1));
        for (index, one) in all.iter().enumerate() {
            assert!(one.starts_with("sk_live_") && one.len() == 8 + 64, "{one}");
            assert!(all.iter().skip(index + 1).all(|other| other != one));
        }
    }

    /// A change here would invalidate every secret in use.
    #[test]
    fn the_derivation_never_changes() {
        let secret = derive_secret(&MasterKey::new([7; 32]), &[9; 16], 3);
        expect_test::expect!["sk_live_ca01dd39484413a3894be1af9f7173d0804f2a4f9e0cf6547bff4c594a5f95cc"]
            .assert_eq(secret.expose());
    }

    #[test]
    fn a_nonce_depends_on_everything_that_it_is_made_of_and_is_no_secret_key() {
        let nonce = |master: u8, sequence, digest: u8, user: u8| {
            super::derive_nonce(&MasterKey::new([master; 32]), sequence, &[digest; 32], &[user; 16])
        };
        let all =
            [nonce(1, 1, 1, 1), nonce(2, 1, 1, 1), nonce(1, 2, 1, 1), nonce(1, 1, 2, 1), nonce(1, 1, 1, 2)];
        assert_eq!(all[0], nonce(1, 1, 1, 1));
        for (index, one) in all.iter().enumerate() {
            assert!(all.iter().skip(index + 1).all(|other| other != one));
        }
    }

    #[test]
    fn a_keyed_hash_depends_on_the_master_key_the_purpose_and_each_part() {
        let hash = |master: u8, purpose, parts: &[&str]| {
            super::keyed_hash(&MasterKey::new([master; 32]), purpose, parts)
        };
        let all = [
            hash(1, "login", &["ab", "c"]),
            hash(2, "login", &["ab", "c"]),
            hash(1, "device", &["ab", "c"]),
            hash(1, "login", &["a", "bc"]),
            hash(1, "login", &["ab", "c", ""]),
            hash(1, "login", &["abc"]),
        ];
        assert_eq!(all[0], hash(1, "login", &["ab", "c"]));
        for (index, one) in all.iter().enumerate() {
            assert!(all.iter().skip(index + 1).all(|other| other != one));
        }
    }

    #[test]
    fn a_code_is_right_for_its_parts_alone() {
        let master = MasterKey::new([1; 32]);
        let right = super::code(&master, "device", &["d1", "alice"]);
        let is_code = |parts: &[&str], claimed: &str| super::is_code(&master, "device", parts, claimed);
        assert!(is_code(&["d1", "alice"], &right));
        assert!(!is_code(&["d1", "bob"], &right));
        assert!(!is_code(&["d2", "alice"], &right));
        for wrong in ["", &right[1..], &right.to_uppercase(), &format!("{right}0")] {
            assert!(!is_code(&["d1", "alice"], wrong), "{wrong}");
        }
    }

    #[test]
    fn a_hint_shows_the_last_three_characters() {
        assert_eq!(secret_key_hint(&SecretKey::from_text("sk_live_secret789xyz")), "sk_live_...xyz");
        assert_eq!(secret_key_hint(&SecretKey::from_text("ab")), "sk_live_...");
        assert_eq!(secret_key_hint(&SecretKey::from_text("sk_test_secret789xyz")), "sk_test_...xyz");
    }

    #[test]
    fn test_keys_differ_from_live_keys_in_their_prefixes() {
        let (master, id) = (MasterKey::new([1; 32]), [2; 16]);
        let secret = KeyKind::Test.derive_secret(&master, &id, 0);
        let live = derive_secret(&master, &id, 0);
        assert_eq!(secret.expose().strip_prefix("sk_test_"), live.expose().strip_prefix("sk_live_"));
        assert_eq!(KeyKind::Test.public_key(&[0xab; 16]), format!("pk_test_{}", "ab".repeat(16)));
    }

    #[test]
    fn a_public_key_spells_its_random_bits() {
        assert_eq!(public_key(&[0xab; 16]), format!("pk_live_{}", "ab".repeat(16)));
    }

    #[test]
    fn nothing_secret_is_shown_when_debugged() {
        let secret = SecretKey::from_text("sk_live_secret789xyz");
        let shown = format!("{:?} {:?} {:?}", secret, SigningKey::new(&secret), MasterKey::new([1; 32]));
        assert_eq!(shown, "SecretKey(…) SigningKey(…) MasterKey(…)");
    }
}
