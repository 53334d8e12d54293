//! `serve --tls-cert --tls-key`: clients that trust the authority are served, and a renewed certificate is used without a
//! restart.

use std::fs;
use std::path::Path;
use std::process::Command;

use pgtest::Authority;

use crate::exchange::{Environment, Exchange, command};

fn install(authority: &Authority, folder: &Path) {
    fs::copy(authority.server_key(), folder.join("key.pem")).expect("a key");
    fs::copy(authority.server_certificate(), folder.join("cert.pem")).expect("a certificate");
}

/// Whether a client that trusts only this authority gets an answer.
fn is_served(url: &str, authority: &Authority) -> bool {
    let mut health: Command =
        command(&["bellwether".to_owned(), "health".to_owned(), url.to_owned()], &Environment::new());
    let output = health.env("SSL_CERT_FILE", authority.certificate()).output().expect("an end");
    output.status.success()
}

#[test]
fn tls_is_served_and_a_renewed_certificate_is_used_without_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (Authority::new(), Authority::new());
    install(&first, folder.path());
    let path = |name: &str| folder.path().join(name).display().to_string();
    let words = ["bellwether", "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let mut words = words.map(str::to_owned).to_vec();
    words.extend(["--data".to_owned(), path("data")]);
    words.extend(["--tls-cert".to_owned(), path("cert.pem"), "--tls-key".to_owned(), path("key.pem")]);
    let exchange = Exchange::start(&mut command(&words, &Environment::new()), &folder.path().join("log"));
    let address = exchange.address.strip_prefix("https://127.0.0.1:").expect("an https address");
    let url = format!("https://localhost:{address}");
    assert!(is_served(&url, &first), "{}", exchange.log());
    assert!(!is_served(&url, &second));
    let plain = ureq::get(format!("http://127.0.0.1:{address}/ready")).call();
    assert!(plain.is_err(), "plain requests are not served");

    install(&second, folder.path());
    let complaint = || format!("the new certificate is not used: {}", exchange.log());
    patience::until(complaint, || is_served(&url, &second));
    assert!(!is_served(&url, &first));
    assert_eq!(exchange.stop().code(), Some(0));
}

#[test]
fn a_certificate_that_cannot_be_read_is_a_wrong_setting() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data").display().to_string();
    let flags = [
        "serve",
        "--data",
        &data,
        "--listen=127.0.0.1:0",
        "--admin-listen=127.0.0.1:0",
        "--tls-cert=/nowhere",
    ];
    let code = |more: &[&str]| crate::exchange::exit_code(&[&flags, more].concat(), &Environment::new());
    assert_eq!(code(&[]), Some(2), "a key is missing");
    assert_eq!(code(&["--tls-key=/nowhere"]), Some(2));
}
