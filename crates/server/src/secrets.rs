//! Randomness for tokens, keys and passwords; the master key file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use api::signing::{MasterKey, derive_secret};
use data_encoding::HEXLOWER;
use exchange::id::Hash32;
use sha2::{Digest, Sha256};

use crate::randomness::{Purpose, seeded};

/// A token of 256 random bits, in hexadecimal.
pub fn random_token() -> String {
    HEXLOWER.encode(&random_bytes::<32>())
}

/// The stored form of a token (session, operator or password reset). The token itself is never stored.
pub fn token_hash(token: &[u8]) -> Hash32 {
    Hash32::new(Sha256::digest(token).into())
}

/// Parses a hash of 64 hexadecimal digits.
pub fn read_hash(text: &str) -> Option<Hash32> {
    api::request::read_hexadecimal(text).map(Hash32::new)
}

/// A code of six characters that a person can read out: no I, O, 0 or 1.
pub fn random_code() -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    random_bytes::<6>().iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// Bytes from the operating system's random generator, or from the seed of the process.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    random_bytes_for(Purpose::Secret)
}

/// Like `random_bytes`, for the keys, nonces and salts of encryption, which other threads draw at any time.
pub(crate) fn sealing_bytes<const N: usize>() -> [u8; N] {
    random_bytes_for(Purpose::Sealing)
}

fn random_bytes_for<const N: usize>(purpose: Purpose) -> [u8; N] {
    if let Some(seeded) = seeded() {
        return seeded.draw(purpose);
    }
    let mut bytes = [0; N];
    if let Err(error) = getrandom::fill(&mut bytes) {
        // Secrets that can be guessed would be worse than a crash.
        panic!("the operating system returned no random bytes: {error}");
    }
    bytes
}

/// Reads a folder's master key, if it exists. Only the file's owner may have access.
pub fn master_key(path: &Path) -> io::Result<Option<MasterKey>> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let about = file.metadata()?;
    if about.permissions().mode() & 0o077 != 0 {
        let what = format!("{} is accessible to other users: run chmod 600 on it", path.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    }
    let mut bytes = [0; 32];
    if about.len() != bytes.len() as u64 {
        let what = format!("{} has {} bytes, a key has {}", path.display(), about.len(), bytes.len());
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    file.read_exact(&mut bytes)?;
    Ok(Some(MasterKey::new(bytes)))
}

/// Identifies a master key without revealing it.
pub fn fingerprint(master: &MasterKey) -> Hash32 {
    /// An id that no API key has.
    const NO_KEY: [u8; 16] = [0xFF; 16];
    let secret = derive_secret(master, &NO_KEY, 0);
    Hash32::new(Sha256::digest(secret.expose().as_bytes()).into())
}

/// Creates the master key of a new venue. An existing file is never overwritten.
pub fn make_master_key(path: &Path) -> io::Result<MasterKey> {
    let bytes: [u8; 32] = random_bytes();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    Ok(MasterKey::new(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use api::signing::derive_secret;

    #[test]
    fn a_master_key_is_made_once_and_refused_when_others_can_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("master.key");
        let secret = |key: &MasterKey| derive_secret(key, &[7; 16], 0).expose().to_owned();
        assert!(master_key(&path).expect("an empty folder").is_none());
        let first = make_master_key(&path).expect("a new key");
        let second = master_key(&path).expect("a key that can be read").expect("the same key");
        assert_eq!(secret(&first), secret(&second));
        assert!(make_master_key(&path).is_err(), "an existing key is never overwritten");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("a looser file");
        assert_eq!(master_key(&path).err().map(|error| error.kind()), Some(io::ErrorKind::PermissionDenied));
    }

    #[test]
    fn a_master_key_of_another_length_is_refused_with_its_length() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("master.key");
        make_master_key(&path).expect("a new key");
        for length in [0, 31, 33, 65] {
            fs::write(&path, vec![7; length]).expect("another content");
            let refused = master_key(&path).expect_err("a refusal").to_string();
            assert!(refused.ends_with(&format!("has {length} bytes, a key has 32")), "{refused}");
        }
    }
}
