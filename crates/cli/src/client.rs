//! What every command that talks to a running exchange asks with: HTTP with a limit in time, over TLS where the address
//! says so, to whom this machine trusts.

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

/// For a library that does not take it from us.
pub(crate) fn choose_cryptography() {
    // One that was chosen before is the same.
    let _ = CryptoProvider::install_default(ring::default_provider());
}
