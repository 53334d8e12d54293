//! TLS of the listener, through real sockets: requests, and connections that never finish their handshake.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pgtest::Authority;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use server::http::admission::{Admission, AdmissionLimits};
use server::http::serving::Timeouts;
use server::http::tls::{Tls, TlsFiles};
use stage::node::{Stage, get};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::socket::{Listening, PATIENCE, listen_over_tls, wire};

async fn listen(stage: &Stage, authority: &Authority, timeouts: Timeouts, connections_max: u32) -> Listening {
    let files = TlsFiles { certificate: authority.server_certificate(), key: authority.server_key() };
    let tls = Arc::new(Tls::load(files).expect("a certificate"));
    let limits = AdmissionLimits { connections_max, per_network_max: connections_max, proxies: Vec::new() };
    listen_over_tls(stage.router(), timeouts, Admission::new(limits), tls).await
}

fn connector(authority: &Authority) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    let trusted = CertificateDer::from_pem_file(authority.certificate()).expect("a certificate");
    roots.add(trusted).expect("an authority");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn requests_over_tls_are_answered_on_one_connection() {
    let (stage, authority) = (Stage::open().await, Authority::new());
    let listening = listen(&stage, &authority, Timeouts::default(), 9).await;
    let socket = TcpStream::connect(listening.address).await.expect("a connection");
    let name = "localhost".try_into().expect("a name");
    let mut stream = connector(&authority).connect(name, socket).await.expect("a handshake");
    let last = get("/openapi.json").header("connection", "close");
    stream.write_all(&[wire(get("/health")), wire(last)].concat()).await.expect("sent");
    let mut answers = Vec::new();
    tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answers)).await.expect("an end").expect("answers");
    let answers = String::from_utf8_lossy(&answers);
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 2, "{answers}");
    until("the connection is still held", || listening.admission.open() == 0).await;
    listening.end().await;
}

#[tokio::test]
async fn a_handshake_counts_as_a_connection_and_has_the_time_of_a_head() {
    let (stage, authority) = (Stage::open().await, Authority::new());
    let timeouts = Timeouts { header: Duration::from_millis(500), ..Timeouts::default() };
    let listening = listen(&stage, &authority, timeouts, 1).await;
    let mut silent = TcpStream::connect(listening.address).await.expect("a connection");
    until("the handshake has no slot", || listening.admission.open() == 1).await;
    let mut refused = TcpStream::connect(listening.address).await.expect("a connection");
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, refused.read_to_end(&mut answer)).await.expect("an end");
    assert_eq!(String::from_utf8_lossy(&answer), "", "a full listener sends nothing that is not TLS");
    assert_eq!(listening.admission.refused(), 1);
    let mut bytes = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, silent.read_to_end(&mut bytes)).await.expect("an end in time");
    until("the slot is still held", || listening.admission.open() == 0).await;

    let mut plain = TcpStream::connect(listening.address).await.expect("a connection");
    plain.write_all(&wire(get("/health"))).await.expect("sent");
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, plain.read_to_end(&mut answer)).await.expect("an end");
    assert!(!answer.starts_with(b"HTTP/"), "plain requests have no answer");
    listening.end().await;
}
