//! `bellwether mcp`: tools for an agent, as one account of a running exchange. The tools are in `crates/mcp`.
//!
//! The owner of the account chooses the key and the cap here; nothing that an agent sends can change them. A secret never
//! comes from the command line, which other users of the machine can read.

use std::env;
use std::error::Error;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::mcp::{Caps, Key, McpError, Settings, Transport};
use api::Word;
use api::decimal::Money;
use api::terms::Currency;
use clap::Args;

use crate::key_file::{DemoFile, KeyFile, KeyFileError};
use crate::output::say;
use crate::variables::SECRET_KEY;

/// The address. Not an option's variable for clap, which would refuse `--data` beside it.
const URL: &str = "BELLWETHER_URL";
const URL_DEFAULT: &str = "http://127.0.0.1:8080";

/// Variables of the environment that no option reads.
#[derive(Default)]
struct Variables {
    url: Option<String>,
    secret: Option<String>,
}

#[derive(Debug, Args)]
pub struct Options {
    /// Address of the public API [env: BELLWETHER_URL] [default: http://127.0.0.1:8080]
    #[arg(long, conflicts_with = "data")]
    url: Option<String>,
    /// Take the address, and the key of the first person unless a key is given, from the demo in this folder
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// A JSON file with publicKey and secretKey, as the exchange issued them; without a key only public data is read
    #[arg(long, env = "BELLWETHER_KEY_FILE", value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// The public key, if there is no file; with the secret in BELLWETHER_SECRET_KEY the account can trade, without it only
    /// be read
    #[arg(long, env = "BELLWETHER_PUBLIC_KEY", value_name = "KEY")]
    public_key: Option<String>,
    /// The only currency that is spent: USD or NGN
    #[arg(long, default_value = "USD", value_parser = currency)]
    currency: Currency,
    /// The most that all BUYs and mints together can cost, fees included: while this process runs, or in --spent-file
    #[arg(long, value_name = "AMOUNT", default_value = "0", value_parser = money)]
    max_spend: Money,
    /// The most that one BUY or mint can cost [default: --max-spend]
    #[arg(long, value_name = "AMOUNT", value_parser = money)]
    max_order: Option<Money>,
    /// Count what is spent in this file too, so that a restart does not begin anew
    #[arg(long, value_name = "FILE")]
    spent_file: Option<PathBuf>,
    /// Serve HTTP on this loopback address instead of standard input and output; prints a bearer token
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
}

pub fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    if !::mcp::IS_BUILT {
        return Err(McpError::NotBuilt.into());
    }
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let variables = Variables { url: variable(URL), secret: variable(SECRET_KEY) };
    ::mcp::run(&settings(options, variables)?, &|line| say!("{line}"))?;
    Ok(ExitCode::SUCCESS)
}

fn settings(options: &Options, variables: Variables) -> Result<Settings, KeyError> {
    let Variables { url, secret } = variables;
    let (url, demo_key) = match options.data.as_deref().map(of_demo).transpose()? {
        Some((url, key)) => (url, Some(key)),
        None => (options.url.clone().or(url).unwrap_or_else(|| URL_DEFAULT.to_owned()), None),
    };
    let key = match (&options.key_file, &options.public_key, demo_key) {
        (Some(file), ..) => Some(KeyFile::read(file)?.into()),
        (None, Some(public), _) => Some(Key { public: public.clone(), secret }),
        // The secret in the environment is that of another key.
        (None, None, Some(key)) => Some(key),
        (None, None, None) if secret.is_some() => return Err(KeyError::Alone),
        (None, None, None) => None,
    };
    let caps =
        Caps { spend_max: options.max_spend, order_max: options.max_order.unwrap_or(options.max_spend) };
    let transport = options.http.map_or(Transport::Stdio, Transport::Http);
    let (currency, spent_file) = (options.currency, options.spent_file.clone());
    Ok(Settings { url: url.trim_end_matches('/').to_owned(), key, currency, caps, spent_file, transport })
}

#[derive(Debug, thiserror::Error)]
enum KeyError {
    #[error(transparent)]
    File(#[from] KeyFileError),
    #[error("{SECRET_KEY} is set, but there is no --public-key")]
    Alone,
}

impl From<KeyFile> for Key {
    fn from(file: KeyFile) -> Key {
        Key { public: file.public_key, secret: file.secret_key }
    }
}

/// Address and first key of a demo.
fn of_demo(folder: &Path) -> Result<(String, Key), KeyFileError> {
    let (url, [first]) = DemoFile::read(folder)?;
    Ok((url, first.key.into()))
}

fn currency(text: &str) -> Result<Currency, String> {
    Currency::find_in_any_case(text).ok_or_else(|| format!("must be {}", Currency::choices()))
}

fn money(text: &str) -> Result<Money, String> {
    match Money::parse(text) {
        Ok(amount) if amount >= Money::ZERO => Ok(amount),
        Ok(_) => Err("must not be negative".to_owned()),
        Err(fault) => Err(fault.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::{KeyError, Options, Variables, settings};

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn options(words: &[&str]) -> Result<Options, clap::Error> {
        Line::try_parse_from(["mcp"].iter().chain(words)).map(|line| line.options)
    }

    fn secret(secret: &str) -> Variables {
        Variables { secret: Some(secret.to_owned()), ..Variables::default() }
    }

    #[test]
    fn without_caps_nothing_can_be_spent() {
        let caps = |words: &[&str]| settings(&options(words).unwrap(), Variables::default()).unwrap().caps;
        let none = caps(&[]);
        assert_eq!((none.spend_max.units(), none.order_max.units()), (0, 0));
        let some = caps(&["--max-spend", "50.5"]);
        assert_eq!((some.spend_max.units(), some.order_max.units()), (50_500_000, 50_500_000));
        assert!(options(&["--max-spend", "-1"]).is_err() && options(&["--max-order", "much"]).is_err());
    }

    #[test]
    fn a_key_comes_from_a_file_or_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key.json");
        fs::write(&file, r#"{"id":"1","publicKey":"pk_a","secretKey":"sk_a"}"#).unwrap();
        let of_file = options(&["--key-file", file.to_str().unwrap()]).unwrap();
        let key = settings(&of_file, Variables::default()).unwrap().key.unwrap();
        assert_eq!((key.public.as_str(), key.secret.as_deref()), ("pk_a", Some("sk_a")));
        let public = options(&["--public-key", "pk_b"]).unwrap();
        let key = settings(&public, secret("sk_b")).unwrap().key.unwrap();
        assert_eq!((key.public.as_str(), key.secret.as_deref()), ("pk_b", Some("sk_b")));
        assert!(settings(&public, Variables::default()).unwrap().key.unwrap().secret.is_none());
        let none = options(&[]).unwrap();
        assert!(settings(&none, Variables::default()).unwrap().key.is_none());
        assert!(matches!(settings(&none, secret("sk_c")), Err(KeyError::Alone)));
    }

    #[test]
    fn a_demo_names_address_and_key_whatever_the_environment_has() {
        let folder = tempfile::tempdir().unwrap();
        let demo = r#"{"baseUrl":"http://127.0.0.1:7001/",
            "users":[{"email":"d@example.com","password":"p","publicKey":"pk_d","secretKey":"sk_d"}]}"#;
        fs::write(folder.path().join("demo.json"), demo).unwrap();
        let data = folder.path().to_str().unwrap();
        let variables = Variables { url: Some("http://venue.example".to_owned()), ..secret("sk_other") };
        let settings = settings(&options(&["--data", data]).unwrap(), variables).unwrap();
        let key = settings.key.unwrap();
        assert_eq!(settings.url, "http://127.0.0.1:7001");
        assert_eq!((key.public.as_str(), key.secret.as_deref()), ("pk_d", Some("sk_d")));
        assert!(options(&["--data", data, "--url", "http://venue.example"]).is_err());
    }

    #[test]
    fn the_address_is_the_option_then_the_variable_then_the_default() {
        let url = |words: &[&str], url: Option<&str>| {
            let variables = Variables { url: url.map(str::to_owned), ..Variables::default() };
            settings(&options(words).unwrap(), variables).unwrap().url
        };
        assert_eq!(url(&["--url", "http://a/"], Some("http://b")), "http://a");
        assert_eq!(url(&[], Some("http://b")), "http://b");
        assert_eq!(url(&[], None), "http://127.0.0.1:8080");
    }
}
