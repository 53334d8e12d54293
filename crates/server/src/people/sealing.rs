//! The keys of the people store. The wrapping key is derived from the master key. It wraps the lookup key and each
//! row's key; a row's key encrypts the row's content.
//!
//! XChaCha20-Poly1305 with random nonces. Both ciphertexts authenticate the row id and the person id, so neither can be
//! swapped with another row's.

use std::fmt;

use api::signing::{MasterKey, keyed_hash};
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use exchange::id::{Hash32, RowId, UserId};
use exchange::time::Time;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::entries::StoredEntry;
use super::{PeopleError, Person, StoredRow};
use crate::secrets::sealing_bytes;

/// Format version of encrypted bytes, stored as their first byte.
const VERSION: u8 = 1;
const NONCE_BYTES: usize = 24;
/// Content is padded to a multiple of this, so that its length reveals little about the address.
const PADDED_TO: usize = 256;

/// A secret key. `Debug` hides it, and it is zeroed on drop.
struct Key(Zeroizing<[u8; 32]>);

impl Key {
    fn random() -> Key {
        Key(Zeroizing::new(sealing_bytes()))
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.0).into())
    }

    fn seal(&self, content: &[u8], about: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE_BYTES] = sealing_bytes();
        let payload = Payload { msg: content, aad: about };
        // Invariant: the cipher fails only for content over 256 GB.
        let sealed =
            self.cipher().encrypt(&XNonce::from(nonce), payload).expect("short content can be encrypted");
        [&[VERSION][..], &nonce, &sealed].concat()
    }

    fn open(&self, sealed: &[u8], about: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, content) = sealed.strip_prefix(&[VERSION])?.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: content, aad: about };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).ok().map(Zeroizing::new)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Key> {
        bytes.try_into().ok().map(|bytes| Key(Zeroizing::new(bytes)))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

/// Wraps the other keys. Derived from the master key, never stored.
#[derive(Debug)]
pub(super) struct WrappingKey(Key);

/// The key of address hashes. Random, created once per log: the journal contains its hashes, so it outlives every
/// master key.
#[derive(Debug)]
pub(super) struct LookupKey(Key);

/// The plain text of a row.
#[derive(Serialize, Deserialize)]
struct Content {
    email: Zeroizing<String>,
    password_hash: Option<Zeroizing<String>>,
}

impl LookupKey {
    pub(super) fn random() -> LookupKey {
        LookupKey(Key::random())
    }

    /// A different purpose, or a different split into parts, gives an unrelated hash.
    pub(super) fn hash(&self, purpose: &str, parts: &[&str]) -> Hash32 {
        let mut hasher = blake3::Hasher::new_keyed(&self.0.0);
        for part in [&[purpose], parts].concat() {
            hasher.update(&(part.len() as u64).to_be_bytes());
            hasher.update(part.as_bytes());
        }
        Hash32::new(*hasher.finalize().as_bytes())
    }
}

impl WrappingKey {
    pub(super) fn derive(master: &MasterKey) -> WrappingKey {
        WrappingKey(Key(Zeroizing::new(keyed_hash(master, "people store, version 1", &["wrapping key"]))))
    }

    pub(super) fn wrap_lookup(&self, lookup: &LookupKey) -> Vec<u8> {
        self.0.seal(&*lookup.0.0, b"lookup key")
    }

    pub(super) fn unwrap_lookup(&self, wrapped: &[u8]) -> Result<LookupKey, PeopleError> {
        let bytes = self.0.open(wrapped, b"lookup key").ok_or(PeopleError::Sealed("the lookup key"))?;
        Key::from_bytes(&bytes).map(LookupKey).ok_or(PeopleError::Sealed("the lookup key"))
    }

    pub(super) fn wrap_push_key(&self, key: &[u8]) -> Vec<u8> {
        self.0.seal(key, b"push key")
    }

    pub(super) fn unwrap_push_key(&self, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, PeopleError> {
        self.0.open(wrapped, b"push key").ok_or(PeopleError::Sealed("the push key"))
    }

    /// Encrypts an entry's content with a new key. Returns the wrapped key and the encrypted content.
    pub(super) fn seal_entry(&self, id: RowId, person: UserId, content: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let mut plain = Zeroizing::new(content.to_vec());
        plain.resize(content.len().next_multiple_of(PADDED_TO), b' ');
        let key = Key::random();
        let wrapped_key = self.0.seal(&*key.0, &about(b'K', id, person));
        (wrapped_key, key.seal(&plain, &about(b'E', id, person)))
    }

    fn unwrap_entry(&self, entry: &StoredEntry) -> Result<Key, PeopleError> {
        let bytes = self.0.open(&entry.wrapped_key, &about(b'K', entry.id, entry.person));
        bytes.and_then(|bytes| Key::from_bytes(&bytes)).ok_or(PeopleError::Sealed("the key of an entry"))
    }

    /// Decrypts an entry's content.
    pub(super) fn open_entry(&self, entry: &StoredEntry) -> Result<Zeroizing<Vec<u8>>, PeopleError> {
        let key = self.unwrap_entry(entry)?;
        let plain = key.open(&entry.sealed, &about(b'E', entry.id, entry.person));
        plain.ok_or(PeopleError::Sealed("an entry"))
    }

    /// Wraps an entry's key under another wrapping key.
    pub(super) fn rewrap_entry(
        &self,
        entry: &StoredEntry,
        under: &WrappingKey,
    ) -> Result<Vec<u8>, PeopleError> {
        let key = self.unwrap_entry(entry)?;
        Ok(under.0.seal(&*key.0, &about(b'K', entry.id, entry.person)))
    }

    /// Encrypts a row with a new key.
    pub(super) fn seal(
        &self,
        id: RowId,
        person: UserId,
        expires_at: Time,
        known: &Person,
    ) -> Result<StoredRow, PeopleError> {
        let content = Content { email: known.email.clone(), password_hash: known.password_hash.clone() };
        let mut plain = Zeroizing::new(serde_json::to_vec(&content)?);
        // JSON allows trailing white space.
        let padded = plain.len().next_multiple_of(PADDED_TO);
        plain.resize(padded, b' ');
        let key = Key::random();
        let wrapped_key = self.0.seal(&*key.0, &about(b'k', id, person));
        let sealed = key.seal(&plain, &about(b'r', id, person));
        Ok(StoredRow { id, person, expires_at, wrapped_key, sealed })
    }

    fn unwrap(&self, row: &StoredRow, person: UserId) -> Result<Key, PeopleError> {
        let bytes = self.0.open(&row.wrapped_key, &about(b'k', row.id, person));
        bytes.and_then(|bytes| Key::from_bytes(&bytes)).ok_or(PeopleError::Sealed("the key of a row"))
    }

    /// Decrypts a row. Fails if it belongs to another person.
    pub(super) fn open(&self, row: &StoredRow, person: UserId) -> Result<Person, PeopleError> {
        let key = self.unwrap(row, person)?;
        let plain =
            key.open(&row.sealed, &about(b'r', row.id, person)).ok_or(PeopleError::Sealed("a row"))?;
        let Content { email, password_hash } = serde_json::from_slice(&plain)?;
        Ok(Person { email, password_hash })
    }

    /// Wraps a row's key under another wrapping key.
    pub(super) fn rewrap(&self, row: &StoredRow, under: &WrappingKey) -> Result<Vec<u8>, PeopleError> {
        let key = self.unwrap(row, row.person)?;
        Ok(under.0.seal(&*key.0, &about(b'k', row.id, row.person)))
    }
}

fn about(kind: u8, row: RowId, person: UserId) -> Vec<u8> {
    [&[kind][..], &row.as_u128().to_be_bytes(), &person.as_u128().to_be_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::super::Address;
    use super::*;

    fn wrapping(number: u8) -> WrappingKey {
        WrappingKey::derive(&MasterKey::new([number; 32]))
    }

    fn sealed() -> StoredRow {
        let known = Person::new(&Address::normalised("ada@example.org"), Some("$argon2id$hash".to_owned()));
        wrapping(1).seal(RowId::new(1), UserId::new(7), Time::ZERO, &known).expect("a row")
    }

    #[test]
    fn a_row_opens_for_its_person_under_its_master_key_and_for_no_other() {
        let row = sealed();
        let known = wrapping(1).open(&row, UserId::new(7)).expect("the person");
        assert_eq!(
            (&**known.email, known.password_hash.as_deref().map(|hash| &**hash)),
            ("ada@example.org", Some("$argon2id$hash"))
        );
        assert!(wrapping(1).open(&row, UserId::new(8)).is_err(), "another person");
        assert!(wrapping(2).open(&row, UserId::new(7)).is_err(), "another master key");
        let moved = StoredRow { id: RowId::new(2), ..row.clone() };
        assert!(wrapping(1).open(&moved, UserId::new(7)).is_err(), "another row");
        for place in [0, 10, row.sealed.len() - 1] {
            let mut damaged = row.clone();
            damaged.sealed[place] ^= 1;
            assert!(wrapping(1).open(&damaged, UserId::new(7)).is_err(), "byte {place}");
        }
    }

    #[test]
    fn neither_address_nor_hash_is_readable_in_a_row_and_its_length_reveals_nothing() {
        let row = sealed();
        for plain in [&b"ada"[..], b"example", b"argon2"] {
            let stored = [&row.wrapped_key[..], &row.sealed].concat();
            assert!(!stored.windows(plain.len()).any(|window| window == plain));
        }
        let longer = Person::new(&Address::normalised(&format!("{}@example.org", "a".repeat(90))), None);
        let longer = wrapping(1).seal(RowId::new(1), UserId::new(7), Time::ZERO, &longer).expect("a row");
        assert_eq!(row.sealed.len(), longer.sealed.len());
        assert_eq!(
            format!("{row:?}"),
            "StoredRow(00000000-0000-0000-0000-000000000001 of 00000000-0000-0000-0000-000000000007 until 0s)"
        );
    }

    #[test]
    fn a_rewrapped_row_opens_under_the_new_master_key_alone() {
        let mut row = sealed();
        row.wrapped_key = wrapping(1).rewrap(&row, &wrapping(2)).expect("a new key");
        assert!(wrapping(1).open(&row, UserId::new(7)).is_err());
        assert_eq!(&**wrapping(2).open(&row, UserId::new(7)).expect("the person").email, "ada@example.org");
    }

    #[test]
    fn a_hash_depends_on_the_look_up_key_the_purpose_and_each_part_and_not_on_the_master_key() {
        let lookup = LookupKey::random();
        let same = wrapping(1).unwrap_lookup(&wrapping(1).wrap_lookup(&lookup)).expect("the key");
        let all = [
            lookup.hash("address", &["ab", "c"]),
            lookup.hash("login", &["ab", "c"]),
            lookup.hash("address", &["a", "bc"]),
            lookup.hash("address", &["abc"]),
            LookupKey::random().hash("address", &["ab", "c"]),
        ];
        assert_eq!(all[0], same.hash("address", &["ab", "c"]));
        for (index, one) in all.iter().enumerate() {
            assert!(all.iter().skip(index + 1).all(|other| other != one));
        }
        assert!(wrapping(2).unwrap_lookup(&wrapping(1).wrap_lookup(&lookup)).is_err());
        assert_eq!(format!("{lookup:?} {:?}", wrapping(1)), "LookupKey(Key(…)) WrappingKey(Key(…))");
    }
}
