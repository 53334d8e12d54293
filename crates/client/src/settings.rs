//! Addresses and keys from the environment and from files.

use std::env;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::credentials::Credentials;
use crate::error::{Error, Result};

/// An address and a key.
pub(crate) struct Settings {
    pub(crate) base_url: String,
    pub(crate) credentials: Option<Credentials>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Demo {
    base_url: String,
    users: Vec<KeyFile>,
}

/// A key as the exchange issued it. Further fields are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyFile {
    public_key: String,
    secret_key: Option<String>,
}

impl KeyFile {
    fn credentials(&self) -> Credentials {
        of_keys(&self.public_key, self.secret_key.as_deref())
    }
}

/// `BASE_URL`, `PUBLIC_KEY` and `SECRET_KEY`; without an address, the demo's file that `DEMO` names.
pub(crate) fn from_env() -> Result<Settings> {
    from_variables(|name| env::var(name).ok().filter(|value| !value.is_empty()))
}

fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Settings> {
    let (public_key, secret_key) = (variable("PUBLIC_KEY"), variable("SECRET_KEY"));
    if secret_key.is_some() && public_key.is_none() {
        return Err(Error::Usage("SECRET_KEY is set without PUBLIC_KEY".to_owned()));
    }
    let Some(base_url) = variable("BASE_URL") else {
        if public_key.is_some() {
            return Err(Error::Usage("PUBLIC_KEY is set without BASE_URL".to_owned()));
        }
        let number = variable("USER_NUMBER").unwrap_or_else(|| "1".to_owned());
        let user = number.parse().map_err(|_| Error::Usage(format!("USER_NUMBER is no number: {number}")))?;
        let file = variable("DEMO").unwrap_or_else(|| "data/demo.json".to_owned());
        return from_demo(Path::new(&file), user);
    };
    let credentials = public_key.map(|public_key| of_keys(&public_key, secret_key.as_deref()));
    Ok(Settings { base_url, credentials })
}

/// A user of `bellwether demo`, counted from 1; the demo writes the file when it has started.
pub(crate) fn from_demo(file: &Path, user: usize) -> Result<Settings> {
    let demo: Demo = read(file).map_err(|cause| {
        Error::Usage(format!("{}: {cause}; start `bellwether demo`, or set BASE_URL", file.display()))
    })?;
    let Some(account) = user.checked_sub(1).and_then(|index| demo.users.get(index)) else {
        let count = demo.users.len();
        return Err(Error::Usage(format!("{} has {count} users, and no user {user}", file.display())));
    };
    Ok(Settings { base_url: demo.base_url, credentials: Some(account.credentials()) })
}

/// A JSON file with `publicKey` and `secretKey`, such as the saved answer of the exchange.
pub(crate) fn from_key_file(file: &Path) -> Result<Credentials> {
    let key: KeyFile = read(file).map_err(|cause| Error::Usage(format!("{}: {cause}", file.display())))?;
    Ok(key.credentials())
}

/// The cause of a failure never quotes the file: it has secrets.
fn read<T: DeserializeOwned>(file: &Path) -> Result<T, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    serde_json::from_str(&text)
        .map_err(|error| format!("not a file with keys (line {}, column {})", error.line(), error.column()))
}

fn of_keys(public_key: &str, secret_key: Option<&str>) -> Credentials {
    match secret_key {
        Some(secret_key) => Credentials::new(public_key, secret_key),
        None => Credentials::public(public_key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Result<Settings> {
        from_variables(|name| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned()))
    }

    #[test]
    fn the_environment_names_an_address_and_perhaps_keys() {
        let settings = of(&[("BASE_URL", "http://a")]).expect("an address is enough");
        assert!(settings.base_url == "http://a" && settings.credentials.is_none());
        let keys = [("BASE_URL", "http://a"), ("PUBLIC_KEY", "pk"), ("SECRET_KEY", "sk")];
        let credentials = of(&keys).expect("keys").credentials.expect("credentials");
        assert!(credentials.can_sign() && credentials.public_key() == "pk");
        let credentials = of(&keys[..2]).expect("a key").credentials.expect("credentials");
        assert!(!credentials.can_sign());
    }

    #[test]
    fn a_key_without_its_other_half_or_without_an_address_is_not_ignored() {
        let pairs = [("BASE_URL", "http://a"), ("PUBLIC_KEY", "pk"), ("SECRET_KEY", "sk_live_2")];
        for missing in ["BASE_URL", "PUBLIC_KEY"] {
            let left: Vec<_> = pairs.into_iter().filter(|pair| pair.0 != missing).collect();
            let words = of(&left).err().expect("an error").to_string();
            assert!(words.contains(missing) && !words.contains("sk_live"), "{words}");
        }
    }

    #[test]
    fn a_missing_demo_and_a_bad_number_are_explained() {
        let missing = of(&[("DEMO", "/nowhere/demo.json")]).err().expect("an error").to_string();
        assert!(missing.contains("/nowhere/demo.json") && missing.contains("bellwether demo"), "{missing}");
        assert!(of(&[("USER_NUMBER", "first")]).is_err());
    }
}
