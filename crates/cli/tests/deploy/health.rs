//! `bellwether health`: an exit code for probes without an HTTP client.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use crate::exchange::{Environment, Exchange, command, exit_code};

#[test]
fn health_is_zero_while_an_exchange_is_ready_and_one_when_it_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["bellwether", "serve", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--data"];
    let mut serve = command(&words.map(str::to_owned), &Environment::new());
    let exchange = Exchange::start(serve.arg(folder.path().join("data")), &folder.path().join("log"));
    let address = exchange.address.clone();
    let listen = address.trim_start_matches("http://").to_owned();
    let told = Environment::from([("BELLWETHER_LISTEN".to_owned(), listen)]);
    assert_eq!(exit_code(&["health", &address], &Environment::new()), Some(0));
    assert_eq!(exit_code(&["health"], &told), Some(0), "it uses the configured address");
    assert_eq!(exchange.stop().code(), Some(0));
    assert_eq!(exit_code(&["health", &address], &Environment::new()), Some(1));
}

#[test]
fn health_exits_with_one_if_the_exchange_is_not_ready() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let answering = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut asked = [0; 11];
        stream.read_exact(&mut asked).expect("a request");
        let answer = "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";
        stream.write_all(answer.as_bytes()).expect("an answer");
        // Until the other side has read it.
        let _ = stream.read_to_end(&mut Vec::new());
        asked
    });
    assert_eq!(exit_code(&["health", &address], &Environment::new()), Some(1));
    assert_eq!(&answering.join().expect("an end"), b"GET /ready ");
}

#[test]
fn health_is_zero_while_its_network_has_no_public_request_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = [
        "bellwether",
        "serve",
        "--listen=127.0.0.1:0",
        "--admin-listen=127.0.0.1:0",
        "--public-per-second=1",
    ];
    let mut serve = command(&words.map(str::to_owned), &Environment::new());
    serve.arg("--data").arg(folder.path().join("data"));
    let exchange = Exchange::start(&mut serve, &folder.path().join("log"));
    let version = format!("{}/version", exchange.address);
    let is_refused = || {
        let answer = ureq::get(&version).config().http_status_as_error(false).build().call();
        answer.expect("an answer").status() == 429
    };
    // The limit is one request per second, so the second of two at once is refused.
    while !is_refused() {}
    assert_eq!(exit_code(&["health", &exchange.address], &Environment::new()), Some(0));
    assert_eq!(exchange.stop().code(), Some(0));
}
