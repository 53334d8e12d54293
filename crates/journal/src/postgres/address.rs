//! The address of the database, and whether the connection is encrypted.
//!
//! The syntax is that of libpq. An encrypted connection always verifies the server's certificate, which libpq does not
//! do with `require`. A connection to another machine is encrypted unless the address disables it.
//!
//! An address may name several hosts. All are tried at the same time: a paused machine accepts connections and answers
//! none, so a search in order would end there.

use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio::task::JoinSet;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::CALL_MAX;
use crate::Error;

/// Whether a text is a database address rather than a folder.
pub fn is_address(text: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}

type Encrypted = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

/// How soon an idle connection to a machine that has vanished is given up: a listener only waits.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEPALIVE_RETRIES: u32 = 3;
/// The pause before a host that refused is tried again, while another one has not answered.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(200);

#[derive(Clone)]
pub(super) struct Address {
    config: Config,
    encryption: MakeRustlsConnect,
}

impl Address {
    pub(super) fn parse(url: &str) -> Result<Address, Error> {
        let (url, authorities) = split_root_certificate(url);
        let mut config = Config::from_str(&url).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        config.application_name("bellwether").connect_timeout(CALL_MAX).tcp_user_timeout(CALL_MAX);
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        if !url.contains("keepalives") {
            config.keepalives_idle(KEEPALIVE_IDLE).keepalives_interval(KEEPALIVE_INTERVAL);
            config.keepalives_retries(KEEPALIVE_RETRIES);
        }
        if config.get_ssl_mode() == SslMode::Prefer {
            let is_near = config.get_hosts().iter().all(is_this_machine);
            config.ssl_mode(if is_near { SslMode::Disable } else { SslMode::Require });
        }
        let roots = match config.get_ssl_mode() {
            SslMode::Disable => RootCertStore::empty(),
            _ => roots(authorities.as_deref().map(Path::new))?,
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let client = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let client = client.map_err(|error| wrong(format!("cannot be encrypted to: {error}")))?;
        let client = client.with_root_certificates(roots).with_no_client_auth();
        Ok(Address { config, encryption: MakeRustlsConnect::new(client) })
    }

    /// Connects to the host that accepts writes, of several in their order.
    pub(super) async fn connect(
        &self,
    ) -> Result<(Client, Connection<Socket, Encrypted>), tokio_postgres::Error> {
        self.config.connect(self.encryption.clone()).await
    }

    /// Runs `connect` for each host at the same time and returns the first success. Hosts that refused are tried again
    /// while another one has not answered at all. If all refuse, the error is that of the first unfit server, which
    /// names a setting, or else that of the last host: always the same one, because a changed error is logged.
    pub(super) async fn connect_to_any<T, F>(&self, connect: impl Fn(Address) -> F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let configs = one_for_each_host(&self.config);
        if configs.len() == 1 {
            return connect(self.clone()).await;
        }
        let mut errors: Vec<Option<Error>> = configs.iter().map(|_| None).collect();
        let attempt = |number: usize, after: Duration| {
            let config = configs[number].clone();
            let attempt = connect(Address { config, encryption: self.encryption.clone() });
            async move {
                tokio::time::sleep(after).await;
                (number, attempt.await)
            }
        };
        let mut attempts: JoinSet<_> =
            (0..configs.len()).map(|number| attempt(number, Duration::ZERO)).collect();
        while errors.iter().any(Option::is_none) {
            match attempts.join_next().await.expect("a host without an error has an attempt") {
                // The other attempts end with the set.
                Ok((_, Ok(connected))) => return Ok(connected),
                Ok((number, Err(error))) => {
                    errors[number] = Some(error);
                    attempts.spawn(attempt(number, TRY_AGAIN_AFTER));
                }
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            }
        }
        let is_unfit = |error: &Option<Error>| matches!(error, Some(Error::WrongDatabase { .. }));
        let shown = errors.iter().position(is_unfit).unwrap_or(errors.len() - 1);
        Err(errors.swap_remove(shown).expect("each host has failed"))
    }
}

/// The configurations with one host each.
fn one_for_each_host(config: &Config) -> Vec<Config> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let count = hosts.len().max(addresses.len());
    let fits = |length: usize| length <= 1 || length == count;
    // The client library refuses lists of different lengths and names them.
    if count <= 1 || !fits(ports.len()) || (!addresses.is_empty() && addresses.len() != hosts.len()) {
        return vec![config.clone()];
    }
    let one = |number: usize| {
        let mut one = without_hosts(config);
        match hosts.get(number) {
            Some(Host::Tcp(name)) => {
                one.host(name);
            }
            Some(Host::Unix(path)) => {
                one.host_path(path);
            }
            None => {}
        }
        if let Some(address) = addresses.get(number) {
            one.hostaddr(*address);
        }
        if let Some(port) = ports.get(number).or(ports.first()) {
            one.port(*port);
        }
        one
    };
    (0..count).map(one).collect()
}

/// A copy of everything but the hosts and their ports; hosts can be added to a configuration, not removed.
fn without_hosts(config: &Config) -> Config {
    let mut copy = Config::new();
    if let Some(user) = config.get_user() {
        copy.user(user);
    }
    if let Some(password) = config.get_password() {
        copy.password(password);
    }
    if let Some(name) = config.get_dbname() {
        copy.dbname(name);
    }
    if let Some(options) = config.get_options() {
        copy.options(options);
    }
    if let Some(name) = config.get_application_name() {
        copy.application_name(name);
    }
    if let Some(timeout) = config.get_connect_timeout() {
        copy.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        copy.tcp_user_timeout(*timeout);
    }
    if let Some(interval) = config.get_keepalives_interval() {
        copy.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        copy.keepalives_retries(retries);
    }
    copy.keepalives(config.get_keepalives()).keepalives_idle(config.get_keepalives_idle());
    copy.ssl_mode(config.get_ssl_mode()).ssl_negotiation(config.get_ssl_negotiation());
    copy.target_session_attrs(config.get_target_session_attrs());
    copy.channel_binding(config.get_channel_binding());
    copy.load_balance_hosts(config.get_load_balance_hosts());
    copy
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Address").field("config", &self.config).finish_non_exhaustive()
    }
}

/// Splits an address into the address without `sslrootcert` and the certificate file that it named. `verify-full`
/// becomes `require`, which verifies the certificate here.
fn split_root_certificate(url: &str) -> (String, Option<String>) {
    let Some((place, query)) = url.split_once('?') else { return (url.to_owned(), None) };
    let (mut kept, mut authorities) = (Vec::new(), None);
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("sslrootcert", file)) => authorities = Some(file.to_owned()),
            Some(("sslmode", "verify-full")) => kept.push("sslmode=require"),
            _ => kept.push(pair),
        }
    }
    (format!("{place}?{}", kept.join("&")), authorities)
}

fn is_this_machine(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback()),
    }
}

/// The trusted certificate authorities: those in the file, or else those of this machine.
fn roots(file: Option<&Path>) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    match file {
        Some(file) => {
            let unfit = |cause: String| {
                wrong(format!("names {}, which has no certificates: {cause}", file.display()))
            };
            for certificate in
                CertificateDer::pem_file_iter(file).map_err(|error| unfit(error.to_string()))?
            {
                let certificate = certificate.map_err(|error| unfit(error.to_string()))?;
                roots.add(certificate).map_err(|error| unfit(error.to_string()))?;
            }
            if roots.is_empty() {
                return Err(unfit("it is empty".to_owned()));
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            if roots.is_empty() {
                return Err(wrong(
                    "requires encryption, and this machine has no trusted certificates: name a file with sslrootcert"
                        .to_owned(),
                ));
            }
        }
    }
    Ok(roots)
}

fn wrong(what: String) -> Error {
    Error::WrongDatabase { what: format!("its address {what}") }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::config::SslMode;

    use super::{Address, one_for_each_host, split_root_certificate, without_hosts};

    #[test]
    fn a_remote_connection_is_encrypted_unless_its_address_disables_it() {
        let mode = |url: &str| Address::parse(url).map(|address| address.config.get_ssl_mode());
        for near in ["postgres://a@127.0.0.1/b", "postgres://a@localhost/b", "postgres://a@[::1]/b"] {
            assert_eq!(mode(near).ok(), Some(SslMode::Disable), "{near}");
        }
        assert_eq!(mode("postgres://a@db/b?sslmode=disable").ok(), Some(SslMode::Disable));
        // Without any trusted certificates on this machine, parsing fails; it never falls back to plain text.
        for far in
            ["postgres://a@db/b", "postgres://a@localhost,db/b", "postgres://a@127.0.0.1/b?sslmode=require"]
        {
            assert_ne!(mode(far).ok(), Some(SslMode::Disable), "{far}");
        }
    }

    #[test]
    fn each_host_of_an_address_is_tried_with_all_other_settings() {
        let url = "postgres://a:b@127.0.0.1:5,localhost:6/c?options=-cx%3Dy&keepalives_retries=7";
        let whole = Address::parse(url).expect("an address").config;
        let mut rebuilt = without_hosts(&whole);
        rebuilt.host("127.0.0.1").host("localhost").port(5).port(6);
        assert_eq!(rebuilt, whole);
        let one = |name: &str, port: u16| {
            let mut one = without_hosts(&whole);
            one.host(name).port(port);
            one
        };
        assert_eq!(one_for_each_host(&whole), [one("127.0.0.1", 5), one("localhost", 6)]);

        let hosts = |text: &str| one_for_each_host(&Address::parse(text).expect("an address").config).len();
        assert_eq!(hosts("postgres://a@127.0.0.1/b"), 1);
        assert_eq!(hosts("host=127.0.0.1,localhost port=7 user=a"), 2);
        // A list of ports that does not fit is left to the client library, which refuses it.
        assert_eq!(hosts("host=127.0.0.1,localhost,127.0.0.2 port=7,8 user=a"), 1);
    }

    #[test]
    fn authorities_are_taken_out_of_an_address_wherever_they_stand() {
        let table = [
            ("postgres://a@b/c", "postgres://a@b/c", None),
            ("postgres://a@b/c?sslrootcert=/x", "postgres://a@b/c?", Some("/x")),
            (
                "postgres://a@b/c?sslmode=verify-full&sslrootcert=/x&keepalives=1",
                "postgres://a@b/c?sslmode=require&keepalives=1",
                Some("/x"),
            ),
        ];
        for (url, without, authorities) in table {
            assert_eq!(split_root_certificate(url), (without.to_owned(), authorities.map(str::to_owned)));
        }
        let refused = Address::parse("postgres://a@b/c?sslrootcert=/no/such/file").expect_err("a refusal");
        assert!(refused.to_string().contains("/no/such/file"), "{refused}");
    }
}
