//! What can be set: by flag, else by environment, else in the TOML file, else the default.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, ValueEnum};
use serde::Deserialize;
use server::app::Rates;
use server::limits::Rate;
use server::low_disk::Floor;

/// Room for some minutes of the busiest trading, and for a snapshot.
const LOW_DISK_MIB: u64 = 512;

/// As given. The file has the same names as the flags.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Given {
    /// A TOML file with the names of these flags as keys
    #[arg(long, env = "BELLWETHER_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Where everything is kept; made if it is missing [default: ./data]
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The public API [default: 127.0.0.1:8080]
    #[arg(long, env = "BELLWETHER_LISTEN", value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// The operators' API [default: 127.0.0.1:8081]
    #[arg(long, env = "BELLWETHER_ADMIN_LISTEN", value_name = "ADDR")]
    pub admin_listen: Option<SocketAddr>,
    /// The first operator's token; written on the first start if it is missing [default: DIR/operator.token]
    #[arg(long, env = "BELLWETHER_OPERATOR_TOKEN_FILE", value_name = "FILE")]
    pub operator_token_file: Option<PathBuf>,
    /// Free space on the journal's disk, in MiB, below which only cancelling is possible; 0 never [default: 512]
    #[arg(long, env = "BELLWETHER_LOW_DISK_MIB", value_name = "N")]
    pub low_disk_mib: Option<u64>,
    /// How logs are written [default: text]
    #[arg(long, env = "BELLWETHER_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
    /// What is logged, as `info` or `server=debug,warn` [default: info]
    #[arg(long, env = "BELLWETHER_LOG", value_name = "FILTER")]
    pub log: Option<String>,
    /// Requests per second and key on read endpoints [default: 30]
    #[arg(long, env = "BELLWETHER_READ_PER_SECOND", value_name = "N")]
    pub read_per_second: Option<u32>,
    /// Requests per second and key on write endpoints [default: 20]
    #[arg(long, env = "BELLWETHER_WRITE_PER_SECOND", value_name = "N")]
    pub write_per_second: Option<u32>,
    /// Requests per second and address on public endpoints [default: 100]
    #[arg(long, env = "BELLWETHER_PUBLIC_PER_SECOND", value_name = "N")]
    pub public_per_second: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

/// What holds.
#[derive(Clone, Debug)]
pub struct Settings {
    pub data: PathBuf,
    pub listen: SocketAddr,
    pub admin_listen: SocketAddr,
    pub operator_token_file: PathBuf,
    pub low_disk: Floor,
    pub log_format: LogFormat,
    pub log: String,
    pub rates: Rates,
}

#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("{path} cannot be read: {cause}")]
    Read { path: PathBuf, cause: io::Error },
    #[error("{path} is not as it should be: {cause}")]
    Parse { path: PathBuf, cause: Box<toml::de::Error> },
    #[error("{flag} must be at least 1")]
    NothingAllowed { flag: &'static str },
}

impl Given {
    /// Flags and environment before the file, the file before the defaults.
    pub fn settle(self) -> Result<Settings, SettingsError> {
        let file = match &self.config {
            Some(path) => read_file(path)?,
            None => Given::default(),
        };
        let data = self.data.or(file.data).unwrap_or_else(|| PathBuf::from("data"));
        let rates = Rates::default();
        let rate = |flag, given: Option<u32>, usual| match given {
            Some(0) => Err(SettingsError::NothingAllowed { flag }),
            Some(per_second) => Ok(Rate::per_second(per_second)),
            None => Ok(usual),
        };
        let token_file = self.operator_token_file.or(file.operator_token_file);
        let low_disk_mib = self.low_disk_mib.or(file.low_disk_mib).unwrap_or(LOW_DISK_MIB);
        Ok(Settings {
            listen: self.listen.or(file.listen).unwrap_or(loopback(8080)),
            admin_listen: self.admin_listen.or(file.admin_listen).unwrap_or(loopback(8081)),
            operator_token_file: token_file.unwrap_or_else(|| data.join("operator.token")),
            low_disk: Floor(low_disk_mib.saturating_mul(1 << 20)),
            log_format: self.log_format.or(file.log_format).unwrap_or_default(),
            log: self.log.or(file.log).unwrap_or_else(|| "info".to_owned()),
            rates: Rates {
                read: rate("read-per-second", self.read_per_second.or(file.read_per_second), rates.read)?,
                write: rate(
                    "write-per-second",
                    self.write_per_second.or(file.write_per_second),
                    rates.write,
                )?,
                public: rate(
                    "public-per-second",
                    self.public_per_second.or(file.public_per_second),
                    rates.public,
                )?,
            },
            data,
        })
    }
}

const fn loopback(port: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

fn read_file(path: &Path) -> Result<Given, SettingsError> {
    let text =
        fs::read_to_string(path).map_err(|cause| SettingsError::Read { path: path.to_owned(), cause })?;
    let parse = |cause| SettingsError::Parse { path: path.to_owned(), cause: Box::new(cause) };
    toml::from_str(&text).map_err(parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(file: &str) -> (tempfile::NamedTempFile, Given) {
        let path = tempfile::NamedTempFile::new().expect("a file");
        fs::write(path.path(), file).expect("a written file");
        let given = Given { config: Some(path.path().to_owned()), ..Given::default() };
        (path, given)
    }

    #[test]
    fn a_flag_comes_before_the_file_and_the_file_before_the_default() {
        let (_file, given) = given("listen = \"127.0.0.1:9000\"\nlog = \"warn\"\nwrite-per-second = 5\n");
        let settings = Given { log: Some("debug".to_owned()), ..given }.settle().expect("settings");
        assert_eq!(settings.listen, loopback(9000));
        assert_eq!(settings.log, "debug");
        assert_eq!(settings.rates.write, Rate::per_second(5));
        assert_eq!(settings.admin_listen, loopback(8081));
        assert_eq!(settings.operator_token_file, Path::new("data/operator.token"));
    }

    #[test]
    fn a_name_that_is_not_known_is_refused() {
        let (_file, given) = given("lisen = \"127.0.0.1:9000\"\n");
        let error = given.settle().expect_err("a refusal").to_string();
        assert!(error.contains("lisen"), "{error}");
    }

    #[test]
    fn a_limit_of_nothing_is_refused() {
        let given = Given { read_per_second: Some(0), ..Given::default() };
        assert_eq!(given.settle().expect_err("a refusal").to_string(), "read-per-second must be at least 1");
    }
}
