//! The address of the database, and whether the connection is encrypted.
//!
//! The syntax is that of libpq. An encrypted connection always verifies the server's certificate, which libpq does not
//! do with `require`. A connection to another machine is encrypted unless the address disables it.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
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

    pub(super) async fn connect(
        &self,
    ) -> Result<(Client, Connection<Socket, Encrypted>), tokio_postgres::Error> {
        self.config.connect(self.encryption.clone()).await
    }
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

    use super::{Address, split_root_certificate};

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
