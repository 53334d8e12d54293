//! An exchange behind TLS: the client commands reach it by https, and only if its certificate is valid.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;

use pgtest::Authority;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use stage::demo::Demo;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;

/// Terminates TLS in front of an HTTP server, until it is dropped.
struct Front {
    _runtime: Runtime,
    url: String,
}

impl Front {
    fn of(address: &str, authority: &Authority) -> Front {
        let certificate =
            CertificateDer::from_pem_file(authority.server_certificate()).expect("a certificate");
        let key = PrivateKeyDer::from_pem_file(authority.server_key()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(vec![certificate], key));
        let acceptor = TlsAcceptor::from(Arc::new(config.expect("a configuration")));
        let runtime = Runtime::new().expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let behind = address.trim_start_matches("http://").to_owned();
        runtime.spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (acceptor, behind) = (acceptor.clone(), behind.clone());
                tokio::spawn(async move {
                    // A client that does not trust the certificate closes the connection and reports why.
                    let Ok(mut client) = acceptor.accept(client).await else { return };
                    let mut server = TcpStream::connect(behind).await.expect("the exchange is there");
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                });
            }
        });
        Front { _runtime: runtime, url: format!("https://localhost:{port}") }
    }
}

fn bellwether(arguments: &[&str], authority: &Authority) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(arguments).env("SSL_CERT_FILE", authority.certificate()).env_remove("SSL_CERT_DIR");
    command
}

#[test]
fn watch_and_admin_reach_an_exchange_behind_tls_that_they_can_trust_and_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Demo::start(folder.path());
    let (ours, theirs) = (Authority::new(), Authority::new());
    let public = Front::of(demo.text("/baseUrl"), &ours);
    let admin = Front::of(demo.text("/adminUrl"), &ours);
    let token = folder.path().join("operator.token");
    let token = token.to_str().expect("a path of letters");

    let status = ["admin", "--url", &admin.url, "--token-file", token, "status"];
    let told = bellwether(&status, &ours).output().expect("an end");
    assert!(told.status.success(), "{told:?}");
    let refused = bellwether(&status, &theirs).output().expect("an end");
    assert!(!refused.status.success(), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("certificate"), "{refused:?}");

    let watch = ["watch", "rain-in-lagos-on-new-years-day", "--plain", "--url", &public.url];
    let mut watching = bellwether(&watch, &ours).stdout(Stdio::piped()).spawn().expect("a process");
    let output = BufReader::new(watching.stdout.take().expect("an output"));
    let is_live = output.lines().map_while(Result::ok).any(|line| line.starts_with("book "));
    watching.kill().expect("a signal");
    watching.wait().expect("an end");
    assert!(is_live, "a book came by the stream");
    assert!(!bellwether(&watch, &theirs).output().expect("an end").status.success());
}
