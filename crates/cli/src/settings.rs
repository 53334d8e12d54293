//! Settings: flags take precedence over the environment, then the TOML file, then the defaults.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use clap::{Args, ValueEnum};
use serde::Deserialize;
use server::feeds::{FeedFault, FeedSettings, FeedTable, read_feeds};
use server::http::address::AddressRange;
use server::http::tls::TlsFiles;
use server::limits::Rate;
use server::limits::Rates;
use server::low_disk::Floor;
use server::shared_log::SharedLogSettings;
use server::signals::traces::{IS_BUILT, TraceFault, TraceSettings};
use server::streams::StreamSettings;
use server::web::{SecurityContact, WebOrigin, WebSettings};
use tracing::Level;

use crate::descriptors::ConnectionSettings;
use crate::logging::LogFilter;
use crate::shared_log::shared_log;
use crate::variables::UnknownVariables;

/// Enough for some minutes of the busiest trading and a snapshot.
const LOW_DISK_MIB: u64 = 512;
/// Two probes of a load balancer that asks every five seconds.
const DRAIN_SECONDS: u64 = 10;
/// Enough to see where time goes, at little cost.
const OTLP_SAMPLE: f64 = 0.01;

/// Settings as given. The keys of the file are the names of the flags.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Given {
    /// A TOML file with the names of these flags as keys
    #[arg(long, env = "BELLWETHER_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// The data folder; created if it is missing [default: ./data]
    #[arg(long, env = "BELLWETHER_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The journal's archive, if it was moved; read only when older frames are needed
    #[arg(long, env = "BELLWETHER_ARCHIVE", value_name = "DIR")]
    pub archive: Option<PathBuf>,
    /// A log shared with other nodes, as postgres://user@host/database [default: a journal of its own in DIR]
    #[arg(long, env = "BELLWETHER_JOURNAL", value_name = "URL", hide_env_values = true)]
    pub journal: Option<String>,
    /// A file with the password for the shared log, so that no URL contains it
    #[arg(long, env = "BELLWETHER_JOURNAL_PASSWORD_FILE", value_name = "FILE")]
    pub journal_password_file: Option<PathBuf>,
    /// Standbys of the shared log that must have a write before it is acknowledged [default: 0]
    #[arg(long, env = "BELLWETHER_REQUIRE_REPLICAS", value_name = "N")]
    pub require_replicas: Option<u32>,
    /// Seconds of the shared log's time between comparisons of the nodes' state digests [default: 60]
    #[arg(long, env = "BELLWETHER_CHECKPOINT_SECONDS", value_name = "N")]
    pub checkpoint_seconds: Option<u32>,
    /// Address of the public API [default: 127.0.0.1:8080]
    #[arg(long, env = "BELLWETHER_LISTEN", value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// Address of the operators' API [default: 127.0.0.1:8081]
    #[arg(long, env = "BELLWETHER_ADMIN_LISTEN", value_name = "ADDR")]
    pub admin_listen: Option<SocketAddr>,
    /// A PEM file with the certificate chain of the public listener, which then serves TLS; read again when it changes
    #[arg(long, env = "BELLWETHER_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// A PEM file with the certificate's private key
    #[arg(long, env = "BELLWETHER_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// File of the first operator's token; written on the first start if it is missing [default: DIR/operator.token]
    #[arg(long, env = "BELLWETHER_OPERATOR_TOKEN_FILE", value_name = "FILE")]
    pub operator_token_file: Option<PathBuf>,
    /// Free space on the data folder's disk, in MiB, below which only cancels are accepted, or on a shared log the node
    /// is not ready; 0 disables this [default: 512]
    #[arg(long, env = "BELLWETHER_LOW_DISK_MIB", value_name = "N")]
    pub low_disk_mib: Option<u64>,
    /// Start even if the machine's clock is not synchronised and is more than a day past the last command
    /// [default: false]
    #[arg(long, env = "BELLWETHER_ACCEPT_CLOCK", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub accept_clock: Option<bool>,
    /// Serve every route behind hyper, without the fast lane for trading [default: false]
    #[arg(long, env = "BELLWETHER_NO_FAST_LANE", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub no_fast_lane: Option<bool>,
    /// Seconds that a stopping node still serves while /ready says no, so that a load balancer sends requests elsewhere
    /// [default: 10; of a demo 0]
    #[arg(long, env = "BELLWETHER_DRAIN_SECONDS", value_name = "N")]
    pub drain_seconds: Option<u64>,
    /// Serve metrics on the public listener too [default: false]
    #[arg(long, env = "BELLWETHER_PUBLIC_METRICS", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub public_metrics: Option<bool>,
    /// Log format [default: text]
    #[arg(long, env = "BELLWETHER_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
    /// Log filter, such as `info` or `server=debug,warn` [default: info; of a demo warn]
    #[arg(long, env = "BELLWETHER_LOG", value_name = "FILTER")]
    pub log: Option<LogFilter>,
    /// Log a line for each successful request; refusals and logins are logged anyway [default: true]
    #[arg(long, env = "BELLWETHER_ACCESS_LOG", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub access_log: Option<bool>,
    /// Export traces to this OpenTelemetry collector (OTLP over HTTP), as http://127.0.0.1:4318 [default: none]
    #[arg(long, env = "BELLWETHER_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,
    /// Part of the requests that are traced, from 0 to 1 [default: 0.01]
    #[arg(long, env = "BELLWETHER_OTLP_SAMPLE", value_name = "RATIO")]
    pub otlp_sample: Option<f64>,
    /// Requests per second and key on read endpoints [default: 30]
    #[arg(long, env = "BELLWETHER_READ_PER_SECOND", value_name = "N")]
    pub read_per_second: Option<u32>,
    /// Requests per second and key on write endpoints [default: 20]
    #[arg(long, env = "BELLWETHER_WRITE_PER_SECOND", value_name = "N")]
    pub write_per_second: Option<u32>,
    /// Requests per second and address on public endpoints [default: 100]
    #[arg(long, env = "BELLWETHER_PUBLIC_PER_SECOND", value_name = "N")]
    pub public_per_second: Option<u32>,
    /// Maximum number of connections to the public listener [default: 65536, or as many as the open-file limit allows]
    #[arg(long, env = "BELLWETHER_CONNECTIONS", value_name = "N")]
    pub connections: Option<u32>,
    /// Maximum number of connections, or of requests in flight through a trusted proxy, for one IPv4 address or IPv6 /64
    /// [default: 256, or a quarter of all connections if that is less]
    #[arg(long, env = "BELLWETHER_CONNECTIONS_PER_NETWORK", value_name = "N")]
    pub connections_per_network: Option<u32>,
    /// Maximum number of WebSocket connections for one IPv4 address or IPv6 /64 [default: 100]
    #[arg(long, env = "BELLWETHER_STREAMS_PER_NETWORK", value_name = "N")]
    pub streams_per_network: Option<u32>,
    /// Former name of streams-per-network
    #[arg(long, env = "BELLWETHER_STREAMS_PER_ADDRESS", value_name = "N", hide = true)]
    pub streams_per_address: Option<u32>,
    /// Maximum number of WebSocket connections [default: 10000]
    #[arg(long, env = "BELLWETHER_STREAMS_MAX", value_name = "N")]
    pub streams_max: Option<u64>,
    /// Other origins whose pages may connect to the streams, as https://app.example.org; separate several with commas
    #[arg(long, env = "BELLWETHER_STREAM_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    pub stream_origins: Option<Vec<WebOrigin>>,
    /// The venue is reached over TLS: browsers then send its cookies over TLS only [default: true with --tls-cert, else
    /// false]
    #[arg(long, env = "BELLWETHER_SECURE_COOKIES", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub secure_cookies: Option<bool>,
    /// Trusted proxies, whose X-Forwarded-For is used, as 127.0.0.1 or 10.0.0.0/8; separate several with commas
    #[arg(long, env = "BELLWETHER_TRUSTED_PROXIES", value_name = "NETWORK", value_delimiter = ',')]
    pub trusted_proxies: Option<Vec<AddressRange>>,
    /// Let scripts on any origin read the public API, without cookies [default: true]
    #[arg(long, env = "BELLWETHER_CROSS_ORIGIN", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub cross_origin: Option<bool>,
    /// Where to report vulnerabilities, for /.well-known/security.txt, as mailto:security@example.org [default: none]
    #[arg(long, env = "BELLWETHER_SECURITY_CONTACT", value_name = "URI")]
    pub security_contact: Option<SecurityContact>,
    /// The address under which browsers reach the venue, as https://venue.example.org. Link previews, card images, oEmbed and
    /// feeds need it [default: none]
    #[arg(long, env = "BELLWETHER_PUBLIC_URL", value_name = "ORIGIN")]
    pub public_url: Option<WebOrigin>,
    /// Sites that may embed an event's page (/embed/EVENT), as https://news.example.org; separate several with commas
    /// [default: all]
    #[arg(long, env = "BELLWETHER_EMBED_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    pub embed_origins: Option<Vec<WebOrigin>>,
    // Only in the file: a list of tables cannot be a flag.
    #[arg(skip)]
    #[serde(default)]
    pub feeds: Vec<FeedTable>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

/// Validated settings, with defaults.
#[derive(Clone, Debug)]
pub struct Settings {
    pub data: PathBuf,
    /// Where the archive is, if it was moved.
    pub archive: Option<PathBuf>,
    /// A log that other nodes append to as well.
    pub shared_log: Option<SharedLogSettings>,
    pub listen: SocketAddr,
    pub admin_listen: SocketAddr,
    /// The public listener serves TLS with these files.
    pub tls: Option<TlsFiles>,
    pub operator_token_file: PathBuf,
    pub journal_password_file: Option<PathBuf>,
    pub low_disk: Floor,
    /// Accept the machine's clock even if it is not synchronised.
    pub accept_clock: bool,
    pub no_fast_lane: bool,
    /// How long a stopping node still serves.
    pub drain: Duration,
    pub log_format: LogFormat,
    pub log: LogFilter,
    /// Log a line for each successful request too.
    pub access_log: bool,
    /// Where traces are exported to.
    pub traces: Option<TraceSettings>,
    pub rates: Rates,
    pub feeds: Vec<FeedSettings>,
    pub connections: ConnectionSettings,
    pub streams: StreamSettings,
    pub web: WebSettings,
}

#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("{path} cannot be read: {cause}")]
    Read { path: PathBuf, cause: io::Error },
    #[error("{path} is not as it should be: {cause}")]
    Parse { path: PathBuf, cause: Box<toml::de::Error> },
    #[error("{flag} must be at least 1")]
    NothingAllowed { flag: &'static str },
    #[error("journal must begin with postgres:// or postgresql://")]
    Journal,
    #[error("{flag} means nothing without journal")]
    NoJournal { flag: &'static str },
    #[error("tls-cert and tls-key are needed together")]
    HalfTls,
    #[error(transparent)]
    Feed(#[from] FeedFault),
    #[error(transparent)]
    Traces(#[from] TraceFault),
    #[error(transparent)]
    Variables(#[from] UnknownVariables),
    #[error("a demo serves no TLS: use `bellwether serve`, or a proxy")]
    TlsOfDemo,
}

impl Given {
    /// Merges flags, environment, file and defaults, in this order of precedence.
    pub fn settle(self) -> Result<Settings, SettingsError> {
        let file = match &self.config {
            Some(path) => read_file(path)?,
            None => Given::default(),
        };
        let data = self.data.or(file.data).unwrap_or_else(|| PathBuf::from("data"));
        let token_file = self.operator_token_file.or(file.operator_token_file);
        let low_disk_mib = self.low_disk_mib.or(file.low_disk_mib).unwrap_or(LOW_DISK_MIB);
        let archive = self.archive.or(file.archive);
        let journal_password_file = self.journal_password_file.or(file.journal_password_file);
        let tls = tls(self.tls_cert.or(file.tls_cert), self.tls_key.or(file.tls_key))?;
        let mut log = shared_log(
            self.journal.or(file.journal),
            journal_password_file.as_deref(),
            self.require_replicas.or(file.require_replicas),
            self.checkpoint_seconds.or(file.checkpoint_seconds),
        )?;
        if let Some(log) = &mut log {
            log.archive.clone_from(&archive);
        }
        Ok(Settings {
            shared_log: log,
            archive,
            listen: self.listen.or(file.listen).unwrap_or(loopback(8080)),
            admin_listen: self.admin_listen.or(file.admin_listen).unwrap_or(loopback(8081)),
            journal_password_file,
            operator_token_file: token_file.unwrap_or_else(|| data.join("operator.token")),
            low_disk: Floor(low_disk_mib.saturating_mul(1 << 20)),
            accept_clock: self.accept_clock.or(file.accept_clock).unwrap_or_default(),
            no_fast_lane: self.no_fast_lane.or(file.no_fast_lane).unwrap_or_default(),
            drain: Duration::from_secs(self.drain_seconds.or(file.drain_seconds).unwrap_or(DRAIN_SECONDS)),
            log_format: self.log_format.or(file.log_format).unwrap_or_default(),
            log: self.log.or(file.log).unwrap_or_else(|| Level::INFO.into()),
            access_log: self.access_log.or(file.access_log).unwrap_or(true),
            traces: traces(self.otlp_endpoint.or(file.otlp_endpoint), self.otlp_sample.or(file.otlp_sample))?,
            feeds: read_feeds(&file.feeds)?,
            connections: connections(
                self.connections.or(file.connections),
                self.connections_per_network.or(file.connections_per_network),
            )?,
            streams: streams(
                self.streams_per_network
                    .or(self.streams_per_address)
                    .or(file.streams_per_network)
                    .or(file.streams_per_address),
                self.streams_max.or(file.streams_max),
                self.stream_origins.or(file.stream_origins),
            )?,
            web: WebSettings {
                secure_cookies: self.secure_cookies.or(file.secure_cookies).unwrap_or(tls.is_some()),
                proxies: self.trusted_proxies.or(file.trusted_proxies).unwrap_or_default(),
                cross_origin: self.cross_origin.or(file.cross_origin).unwrap_or(true),
                security_contact: self.security_contact.or(file.security_contact),
                public_url: self.public_url.or(file.public_url),
                embed_origins: self.embed_origins.or(file.embed_origins).unwrap_or_default(),
                public_metrics: self.public_metrics.or(file.public_metrics).unwrap_or_default(),
            },
            rates: rates(
                self.read_per_second.or(file.read_per_second),
                self.write_per_second.or(file.write_per_second),
                self.public_per_second.or(file.public_per_second),
            )?,
            tls,
            data,
        })
    }
}

fn traces(endpoint: Option<String>, sample: Option<f64>) -> Result<Option<TraceSettings>, TraceFault> {
    match (endpoint, sample) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(TraceFault::NoEndpoint),
        (Some(_), _) if !IS_BUILT => Err(TraceFault::NotBuilt),
        (Some(endpoint), sample) => TraceSettings::new(&endpoint, sample.unwrap_or(OTLP_SAMPLE)).map(Some),
    }
}

fn tls(certificate: Option<PathBuf>, key: Option<PathBuf>) -> Result<Option<TlsFiles>, SettingsError> {
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some(TlsFiles { certificate, key })),
        (None, None) => Ok(None),
        _ => Err(SettingsError::HalfTls),
    }
}

fn rates(read: Option<u32>, write: Option<u32>, public: Option<u32>) -> Result<Rates, SettingsError> {
    let usual = Rates::default();
    let rate = |flag, given, usual| match given {
        Some(0) => Err(SettingsError::NothingAllowed { flag }),
        Some(per_second) => Ok(Rate::per_second(per_second)),
        None => Ok(usual),
    };
    Ok(Rates {
        read: rate("read-per-second", read, usual.read)?,
        write: rate("write-per-second", write, usual.write)?,
        public: rate("public-per-second", public, usual.public)?,
    })
}

fn connections(all: Option<u32>, per_network: Option<u32>) -> Result<ConnectionSettings, SettingsError> {
    match (all, per_network) {
        (Some(0), _) => Err(SettingsError::NothingAllowed { flag: "connections" }),
        (_, Some(0)) => Err(SettingsError::NothingAllowed { flag: "connections-per-network" }),
        _ => Ok(ConnectionSettings { all, per_network }),
    }
}

fn streams(
    per_network: Option<u32>,
    all: Option<u64>,
    origins: Option<Vec<WebOrigin>>,
) -> Result<StreamSettings, SettingsError> {
    let usual = StreamSettings::default();
    let connections_per_network_max = per_network.unwrap_or(usual.connections_per_network_max);
    let connections_max = all.unwrap_or(usual.connections_max);
    if connections_per_network_max == 0 {
        return Err(SettingsError::NothingAllowed { flag: "streams-per-network" });
    }
    if connections_max == 0 {
        return Err(SettingsError::NothingAllowed { flag: "streams-max" });
    }
    let origins = origins.unwrap_or_default().iter().map(WebOrigin::to_string).collect();
    Ok(StreamSettings { connections_per_network_max, connections_max, origins, ..usual })
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
        let settings = Given { log: Some(Level::DEBUG.into()), ..given }.settle().expect("settings");
        assert_eq!(settings.listen, loopback(9000));
        assert_eq!(settings.log, Level::DEBUG.into());
        assert_eq!(settings.rates.write, Rate::per_second(5));
        assert_eq!(settings.admin_listen, loopback(8081));
        assert_eq!(settings.operator_token_file, Path::new("data/operator.token"));
    }

    #[test]
    fn streams_have_limits_and_origins_from_flag_or_file() {
        let (_file, given) = given(
            "streams-per-network = 7\nstreams-max = 70\nstream-origins = [\"https://app.example.org\"]\n",
        );
        let settings = given.clone().settle().expect("settings").streams;
        assert_eq!((settings.connections_per_network_max, settings.connections_max), (7, 70));
        assert_eq!(settings.origins, ["https://app.example.org"]);
        let flagged = Given {
            stream_origins: Some(Vec::new()),
            streams_per_network: Some(9),
            streams_max: Some(90),
            ..given.clone()
        };
        let settings = flagged.settle().expect("settings").streams;
        assert_eq!((settings.connections_per_network_max, settings.connections_max), (9, 90));
        assert!(settings.origins.is_empty());
        for odd in ["app.example.org", "https://", "https://*.example.org", "https://a.org:https", "null"] {
            let odd = format!("stream-origins = [\"{odd}\"]\n");
            let refused = self::given(&odd).1.settle().expect_err("a refusal").to_string();
            assert!(refused.contains("https://venue.example.org"), "{refused}");
        }
        let none = Given { streams_per_network: Some(0), ..given.clone() }.settle().expect_err("a refusal");
        assert!(none.to_string().contains("streams-per-network"), "{none}");
        let none = Given { streams_max: Some(0), ..given }.settle().expect_err("a refusal");
        assert!(none.to_string().contains("streams-max"), "{none}");
    }

    #[test]
    fn the_former_name_of_a_networks_streams_still_counts() {
        let per_network =
            |given: Given| given.settle().expect("settings").streams.connections_per_network_max;
        let (_file, given) = given("streams-per-address = 7\n");
        assert_eq!(per_network(given.clone()), 7);
        assert_eq!(per_network(Given { streams_per_address: Some(8), ..given.clone() }), 8);
        assert_eq!(
            per_network(Given { streams_per_network: Some(9), streams_per_address: Some(8), ..given }),
            9
        );
    }

    #[test]
    fn connections_have_limits_from_flag_or_file() {
        let (_file, given) = given("connections = 900\nconnections-per-network = 7\n");
        let settings = given.clone().settle().expect("settings").connections;
        assert_eq!(settings, ConnectionSettings { all: Some(900), per_network: Some(7) });
        let flagged = Given { connections_per_network: Some(9), ..given.clone() };
        assert_eq!(flagged.settle().expect("settings").connections.per_network, Some(9));
        let none = Given { connections: Some(0), ..given.clone() }.settle().expect_err("a refusal");
        assert_eq!(none.to_string(), "connections must be at least 1");
        let none = Given { connections_per_network: Some(0), ..given }.settle().expect_err("a refusal");
        assert_eq!(none.to_string(), "connections-per-network must be at least 1");
    }

    #[test]
    fn cookies_are_for_tls_only_if_the_flag_is_set() {
        let secure = |given: Given| given.settle().expect("settings").web.secure_cookies;
        assert!(!secure(Given::default()));
        let (_file, given) = given("secure-cookies = true\n");
        assert!(secure(given.clone()));
        assert!(!secure(Given { secure_cookies: Some(false), ..given }));
    }

    #[test]
    fn tls_needs_both_files_and_makes_cookies_secure() {
        let (_file, both) = given("tls-cert = \"cert.pem\"\ntls-key = \"key.pem\"\n");
        let settings = both.clone().settle().expect("settings");
        let files = TlsFiles { certificate: "cert.pem".into(), key: "key.pem".into() };
        assert_eq!(settings.tls, Some(files));
        assert!(settings.web.secure_cookies);
        let settings = Given { secure_cookies: Some(false), ..both }.settle().expect("settings");
        assert!(!settings.web.secure_cookies);
        let half = Given { tls_key: Some("key.pem".into()), ..Given::default() };
        assert_eq!(
            half.settle().expect_err("a refusal").to_string(),
            "tls-cert and tls-key are needed together"
        );
    }

    #[test]
    fn traces_need_an_endpoint_and_a_build_that_can_export_them() {
        assert_eq!(Given::default().settle().expect("settings").traces, None);
        let (_file, alone) = given("otlp-sample = 0.5\n");
        let error = alone.settle().expect_err("a refusal").to_string();
        assert_eq!(error, "otlp-sample means nothing without otlp-endpoint");
        let (_file, whole) = given("otlp-endpoint = \"http://127.0.0.1:4318\"\notlp-sample = 1\n");
        let (_file, usual) = given("otlp-endpoint = \"http://127.0.0.1:4318\"\n");
        let (_file, odd) = given("otlp-endpoint = \"http://127.0.0.1:4318\"\notlp-sample = 2\n");
        if !IS_BUILT {
            let error = whole.settle().expect_err("a refusal").to_string();
            assert!(error.contains("--features otel"), "{error}");
            return;
        }
        let sample = |given: Given| given.settle().expect("settings").traces.expect("traces").sample();
        assert_eq!((sample(whole), sample(usual)), (1.0, 0.01));
        assert_eq!(odd.settle().expect_err("a refusal").to_string(), "otlp-sample must be from 0 to 1");
    }

    #[test]
    fn proxies_are_trusted_only_if_they_are_named() {
        let proxies = |given: Given| given.settle().expect("settings").web.proxies;
        assert_eq!(proxies(Given::default()), []);
        let (_file, named) = given("trusted-proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]\n");
        assert_eq!(proxies(named).len(), 2);
        let (_file, odd) = given("trusted-proxies = [\"localhost\"]\n");
        let error = odd.settle().expect_err("a refusal").to_string();
        assert!(error.contains("10.0.0.0/8"), "{error}");
    }

    #[test]
    fn pages_of_other_origins_may_read_unless_that_is_forbidden() {
        let allowed = |given: Given| given.settle().expect("settings").web.cross_origin;
        assert!(allowed(Given::default()));
        let (_file, closed) = given("cross-origin = false\n");
        assert!(!allowed(closed.clone()));
        assert!(allowed(Given { cross_origin: Some(true), ..closed }));
    }

    #[test]
    fn a_contact_for_holes_is_a_uri() {
        let contact = |given: Given| given.settle().expect("settings").web.security_contact;
        assert_eq!(contact(Given::default()), None);
        let (_file, named) = given("security-contact = \"mailto:security@example.org\"\n");
        assert_eq!(contact(named).expect("a contact").to_string(), "mailto:security@example.org");
        let (_file, odd) = given("security-contact = \"security@example.org\"\n");
        let error = odd.settle().expect_err("a refusal").to_string();
        assert!(error.contains("mailto:"), "{error}");
    }

    #[test]
    fn the_public_address_and_the_embedding_sites_are_origins() {
        let web = |given: Given| given.settle().expect("settings").web;
        assert_eq!(web(Given::default()).public_url, None);
        assert_eq!(web(Given::default()).embed_origins, []);
        let (_file, named) = given(
            "public-url = \"https://venue.example.org/\"\nembed-origins = [\"https://news.example.org\"]\n",
        );
        let shown = web(named.clone());
        assert_eq!(shown.public_url.expect("an address").as_str(), "https://venue.example.org");
        assert_eq!(shown.embed_origins.len(), 1);
        let flagged = Given { public_url: "http://localhost:9".parse().ok(), ..named };
        assert_eq!(web(flagged).public_url.expect("an address").as_str(), "http://localhost:9");
        for key in ["public-url = \"venue.example.org\"\n", "embed-origins = [\"https://*.example.org\"]\n"] {
            let error = given(key).1.settle().expect_err(key).to_string();
            assert!(error.contains("https://venue.example.org"), "{error}");
        }
    }

    #[test]
    fn a_log_filter_of_the_file_has_known_levels_and_targets() {
        let (_file, right) = given("log = \"info,access=warn\"\n");
        assert_eq!(right.settle().expect("settings").log, "info,access=warn".parse().expect("a filter"));
        let (_file, wrong) = given("log = \"info,acess=warn\"\n");
        let error = wrong.settle().expect_err("a refusal").to_string();
        assert!(error.contains("did you mean access?"), "{error}");
    }

    #[test]
    fn a_name_that_is_not_known_is_refused() {
        let (_file, given) = given("lisen = \"127.0.0.1:9000\"\n");
        let error = given.settle().expect_err("a refusal").to_string();
        assert!(error.contains("lisen"), "{error}");
    }

    const FEEDS: &str = r#"
        [[feeds]]
        name = "made-up"
        kind = "simulated"
        symbol = "BTCUSDT"
        start = "96250.5"

        [[feeds]]
        name = "desk"
        kind = "push"
        symbol = "BTCUSDT"

        [[feeds]]
        name = "endpoint"
        kind = "http"
        symbol = "EURUSD"
        url = "http://127.0.0.1:9/price"
        value-pointer = "/data/price"
        time-pointer = "/data/time"
        time-format = "rfc3339"
        interval-milliseconds = 2000
        timeout-milliseconds = 500
        retries = 1
    "#;

    #[test]
    fn feeds_are_read_from_the_file_in_their_order() {
        let (_file, given) = given(FEEDS);
        let feeds = given.settle().expect("settings").feeds;
        let shown: Vec<_> = feeds
            .iter()
            .map(|feed| format!("{} {} {} {:?}", feed.name, feed.source.kind(), feed.symbol, feed.interval))
            .collect();
        assert_eq!(
            shown,
            ["made-up simulated BTCUSDT 1s", "desk push BTCUSDT 1s", "endpoint http EURUSD 2s"]
        );
    }

    #[test]
    fn the_feeds_of_the_operating_guide_are_read_as_they_stand() {
        let guide = include_str!("../../../docs/operating/first-venue.md");
        let file = guide.split("```toml\n").find(|block| block.contains("[[feeds]]")).expect("an example");
        let (file, _) = file.split_once("```").expect("the example's end");
        let feeds = given(file).1.settle().expect("settings").feeds;
        let kinds: Vec<_> = feeds.iter().map(|feed| feed.source.kind().to_string()).collect();
        assert_eq!(kinds, ["simulated", "push", "http"]);
    }

    #[test]
    fn a_feed_that_is_not_right_is_named_with_what_is_wrong() {
        let http =
            "kind = \"http\"\nsymbol = \"BTC\"\nurl = \"http://127.0.0.1:9/\"\nvalue-pointer = \"/p\"\n";
        let walk = "kind = \"simulated\"\nsymbol = \"BTC\"\n";
        let table = [
            ("symbol = \"BTC\"\n".to_owned(), "kind is simulated, push or http"),
            (
                "kind = \"push\"\nsymbol = \"btc\"\n".to_owned(),
                "symbol has 1 to 20 uppercase letters and digits",
            ),
            (
                "kind = \"push\"\nsymbol = \"BTC\"\nurl = \"x\"\n".to_owned(),
                "url means nothing to a push feed",
            ),
            (format!("{walk}retries = 1\n"), "retries means nothing to a simulated feed"),
            (walk.to_owned(), "start is missing: the price to begin with, as \"96250.5\""),
            (format!("{walk}start = \"0\"\n"), "start must be more than 0"),
            (format!("{walk}start = \"dear\"\n"), "start must be a number, not other text"),
            (format!("{walk}start = \"1\"\nstep-ppm = 10001\n"), "step-ppm must be 1 to 10000"),
            (format!("{http}interval-milliseconds = 99\n"), "interval-milliseconds must be 100 to 30000"),
            (format!("{http}timeout-milliseconds = 30001\n"), "timeout-milliseconds must be 50 to 30000"),
            (format!("{http}retries = 6\n"), "retries must be 0 to 5"),
            (format!("{http}time-format = \"seconds\"\n"), "time-format means nothing without time-pointer"),
            (http.replace("http://", "ftp://"), "url must begin with http:// or https://"),
            (
                http.replace("\"/p\"", "\"p\""),
                "value-pointer is empty or begins with a slash, as \"/data/price\"",
            ),
            (
                http.replace("value-pointer", "time-pointer"),
                "value-pointer is missing: where the price stands, as \"/price\"",
            ),
        ];
        for (feed, expected) in table {
            let (_file, given) = given(&format!("[[feeds]]\nname = \"mine\"\n{feed}"));
            assert_eq!(given.settle().expect_err(&feed).to_string(), format!("feed \"mine\": {expected}"));
        }
    }

    #[test]
    fn a_source_has_one_feed_for_each_asset_and_a_name_that_can_be_read() {
        let push = |name: &str| format!("[[feeds]]\nname = \"{name}\"\nkind = \"push\"\nsymbol = \"BTC\"\n");
        let refusal = |file: &str| given(file).1.settle().expect_err(file).to_string();
        assert_eq!(refusal(&(push("desk") + &push("desk"))), "feed \"desk\": is there twice for BTC");
        for name in ["", "two words", &"a".repeat(61)] {
            assert!(refusal(&push(name)).contains("name has 1 to 60 letters"), "{name:?}");
        }
        assert!(refusal("[[feeds]]\nname = \"a\"\nsymbol = \"B\"\nknid = 1\n").contains("knid"));
    }

    #[test]
    fn a_limit_of_nothing_is_refused() {
        let given = Given { read_per_second: Some(0), ..Given::default() };
        assert_eq!(given.settle().expect_err("a refusal").to_string(), "read-per-second must be at least 1");
    }
}
