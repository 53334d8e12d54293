//! `deploy/nginx.conf` with Debian's nginx, in front of an exchange that trusts it.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use patience::PATIENCE;
use pgtest::Authority;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::exchange::{Environment, Exchange, command};
use crate::{deployed, mapped};

/// A running nginx; killed if a test ends early.
struct Nginx {
    process: Child,
    port: u16,
    authority: Authority,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

impl Nginx {
    /// Runs the site of `deploy` with its own port, certificate and files below `folder`.
    fn start(folder: &Path, exchange: &Exchange) -> Nginx {
        let (port, authority) = (free_port(), Authority::new());
        let certificates = "/etc/letsencrypt/live/venue.example.org";
        let site = mapped(
            &deployed("nginx.conf"),
            &[
                (
                    "server 127.0.0.1:8080",
                    format!("server {}", exchange.address.trim_start_matches("http://")),
                ),
                ("listen 80;", format!("listen 127.0.0.1:{};", free_port())),
                ("listen 443 ssl;", format!("listen 127.0.0.1:{port} ssl;")),
                (
                    &format!("{certificates}/fullchain.pem"),
                    authority.server_certificate().display().to_string(),
                ),
                (&format!("{certificates}/privkey.pem"), authority.server_key().display().to_string()),
            ],
        );
        let below = folder.display();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|kind| format!("{kind}_temp_path {below}/{kind};\n"))
            .collect();
        let main = format!(
            "daemon off;\nmaster_process off;\npid {below}/nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{site}}}\n"
        );
        let file = folder.join("nginx.conf");
        fs::write(&file, main).expect("a file");
        let log = fs::File::create(folder.join("nginx.log")).expect("a log");
        let mut nginx = Command::new("nginx");
        nginx.arg("-e").arg(folder.join("nginx-error.log")).arg("-c").arg(&file);
        let process = nginx.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        let mut nginx = Nginx { process: process.expect("nginx is installed"), port, authority };
        let log = || fs::read_to_string(folder.join("nginx-error.log")).unwrap_or_default();
        patience::until(
            || format!("nginx does not listen: {}", log()),
            || {
                assert!(nginx.process.try_wait().expect("a child").is_none(), "nginx has ended: {}", log());
                TcpStream::connect(("127.0.0.1", port)).is_ok()
            },
        );
        nginx
    }

    /// The status of a request from one of the addresses of the loopback interface.
    fn status(&self, from: &str, path: &str, header: &str) -> String {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--interface", from]);
        curl.arg("--cacert").arg(self.authority.certificate()).args(["--header", header]);
        let resolved = format!("localhost:{}:127.0.0.1", self.port);
        let output = curl
            .args(["--resolve", &resolved])
            .arg(format!("https://localhost:{}{path}", self.port))
            .output();
        String::from_utf8(output.expect("curl runs").stdout).expect("a text")
    }

    /// The first line of the answer to a request for a WebSocket connection.
    fn upgrade(&self, path: &str) -> String {
        let mut roots = RootCertStore::empty();
        let authority = CertificateDer::from_pem_file(self.authority.certificate()).expect("a certificate");
        roots.add(authority).expect("an authority");
        let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = "localhost".try_into().expect("a name");
        let connection = ClientConnection::new(Arc::new(config), name).expect("a connection");
        let socket = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        socket.set_read_timeout(Some(PATIENCE)).expect("a bound");
        let mut stream = StreamOwned::new(connection, socket);
        let host = format!("localhost:{}", self.port);
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        .expect("sent");
        let mut line = Vec::new();
        let mut byte = [0];
        while !line.ends_with(b"\r\n") {
            stream.read_exact(&mut byte).expect("a line");
            line.extend(byte);
        }
        String::from_utf8(line).expect("a text")
    }
}

#[test]
fn nginx_forwards_clients_by_their_own_address_and_streams_but_not_metrics() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data").display().to_string();
    let words = [
        "bellwether",
        "serve",
        "--data",
        &data,
        "--listen=127.0.0.1:0",
        "--admin-listen=127.0.0.1:0",
        "--trusted-proxies=127.0.0.1",
        "--secure-cookies",
        "--public-per-second=1",
    ];
    let words = words.map(str::to_owned);
    let exchange = Exchange::start(&mut command(&words, &Environment::new()), &folder.path().join("log"));
    let nginx = Nginx::start(folder.path(), &exchange);
    let (events, none) = ("/v1/pm/events", "X-None: 1");
    assert_eq!(nginx.status("127.0.0.2", events, none), "200");
    assert_eq!(nginx.status("127.0.0.2", "/metrics", none), "404");
    assert!(nginx.upgrade("/ws/v1/markets").starts_with("HTTP/1.1 101 "));

    let refused = (0..1_000).any(|_| nginx.status("127.0.0.2", events, none) == "429");
    assert!(refused, "one client has one request a second");
    assert_eq!(nginx.status("127.0.0.3", events, none), "200", "another client has its own");
    // If claims counted, each of these would be a new client.
    let claim = |number: u32| format!("X-Forwarded-For: 203.0.{}.{}", number / 250, number % 250);
    let refused = (0..1_000).any(|number| nginx.status("127.0.0.2", events, &claim(number)) == "429");
    assert!(refused, "a client cannot claim other addresses");
    drop(nginx);
    assert_eq!(exchange.stop().code(), Some(0));
}
