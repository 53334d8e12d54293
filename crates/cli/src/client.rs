//! The HTTP client of all commands that talk to a running exchange: with a timeout, over TLS for https, trusting the
//! machine's certificates.

use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::{CryptoProvider, ring};
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

pub(crate) fn agent(patience: Duration) -> Agent {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()));
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(patience))
        .tls_config(tls.build());
    Agent::new_with_config(config.build())
}

/// Installs the process-wide provider, for libraries that cannot be given one.
pub(crate) fn choose_cryptography() {
    // Fails only if it is already installed.
    let _ = CryptoProvider::install_default(ring::default_provider());
}
