//! Files with keys: the answer to the creation of an API key, and the `demo.json` of a demo. They hold secrets, so no
//! error quotes them and their types do not implement `Debug`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The file of a demo's folder with its address and users.
pub(crate) const DEMO_FILE: &str = "demo.json";

#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyFileError {
    #[error("{0} cannot be read: {1}")]
    Read(PathBuf, io::Error),
    #[error("{0} is not JSON with {1}")]
    Content(PathBuf, &'static str),
    #[error("{0} has no secretKey")]
    NoSecret(PathBuf),
    #[error("{0} has fewer than {1} users")]
    TooFew(PathBuf, usize),
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyFile {
    pub(crate) public_key: String,
    /// A key without its secret only reads.
    pub(crate) secret_key: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DemoFile {
    base_url: String,
    users: Vec<DemoUser>,
}

#[derive(Clone, Deserialize)]
pub(crate) struct DemoUser {
    pub(crate) email: String,
    pub(crate) password: String,
    #[serde(flatten)]
    pub(crate) key: KeyFile,
}

impl KeyFile {
    pub(crate) fn read(file: &Path) -> Result<KeyFile, KeyFileError> {
        read(file, "a publicKey")
    }

    /// The public and the secret key.
    pub(crate) fn pair(self, file: &Path) -> Result<(String, String), KeyFileError> {
        let secret = self.secret_key.ok_or_else(|| KeyFileError::NoSecret(file.to_owned()))?;
        Ok((self.public_key, secret))
    }
}

impl DemoFile {
    /// The address and the first users of the demo in a folder.
    pub(crate) fn read<const USERS: usize>(
        folder: &Path,
    ) -> Result<(String, [DemoUser; USERS]), KeyFileError> {
        let file = folder.join(DEMO_FILE);
        let demo: DemoFile = read(&file, "baseUrl and users")?;
        let users = demo.users.first_chunk().cloned().ok_or(KeyFileError::TooFew(file, USERS))?;
        Ok((demo.base_url, users))
    }
}

fn read<T: DeserializeOwned>(file: &Path, content: &'static str) -> Result<T, KeyFileError> {
    let text = fs::read(file).map_err(|error| KeyFileError::Read(file.to_owned(), error))?;
    // The parser's message could quote a secret.
    serde_json::from_slice(&text).map_err(|_| KeyFileError::Content(file.to_owned(), content))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{DemoFile, KeyFile};

    #[test]
    fn a_key_file_is_the_answer_to_the_creation_of_a_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("key.json");
        fs::write(&file, r#"{"id":"1","publicKey":"pk_a","secretKey":"sk_a","name":"x"}"#).expect("a file");
        let key = KeyFile::read(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((key.public_key.as_str(), key.secret_key.as_deref()), ("pk_a", Some("sk_a")));
    }

    #[test]
    fn an_error_quotes_nothing_of_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        for wrong in
            [r#"{"secretKey":"sk_a", oops}"#, r#"{"secretKey":"sk_a"}"#, r#"{"publicKey":{"sk_a":1}}"#]
        {
            let file = folder.path().join("demo.json");
            fs::write(&file, wrong).expect("a file");
            let error = KeyFile::read(&file).err().expect("a refusal").to_string();
            assert!(error.contains("demo.json") && !error.contains("sk_a"), "{error}");
            let error = DemoFile::read::<1>(folder.path()).err().expect("a refusal").to_string();
            assert!(error.contains("demo.json") && !error.contains("sk_a"), "{error}");
        }
    }

    #[test]
    fn a_demo_with_too_few_users_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let demo = r#"{"baseUrl":"http://a","users":[{"email":"a@b","password":"p","publicKey":"pk_a"}]}"#;
        fs::write(folder.path().join("demo.json"), demo).expect("a file");
        assert!(DemoFile::read::<1>(folder.path()).is_ok());
        assert!(DemoFile::read::<2>(folder.path()).is_err());
    }
}
