//! The way to the database, encrypted: a server that proves who it is is used, one that cannot is not.

use std::path::Path;
use std::process::Command;

use journal::Sequence;
use journal::postgres::{Database, Options};
use journal::testing::conformance::{payload_of, read, store};
use pgtest::Server;
use tempfile::TempDir;

use crate::writer;

fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    let output = command.args(arguments.split(' ')).current_dir(folder).output().expect("openssl runs");
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
}

/// An authority, and a certificate of its for a server called `localhost`.
fn authority() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
    openssl(folder.path(), &format!("{new} -subj /CN=authority -keyout ca.key -out ca.pem"));
    let usage = "-addext subjectAltName=DNS:localhost -addext basicConstraints=CA:FALSE";
    openssl(
        folder.path(),
        &format!(
            "{new} -subj /CN=localhost {usage} -CA ca.pem -CAkey ca.key -keyout server.key -out server.pem"
        ),
    );
    folder
}

/// A server that can be talked to in both ways.
fn encrypting(authority: &TempDir) -> Server {
    let mut server = Server::start(&[]);
    server.kill();
    for name in ["server.key", "server.pem"] {
        server.put(name, &std::fs::read(authority.path().join(name)).expect("a file"));
    }
    server.set(&["ssl = on", "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'"]);
    server.launch();
    server
}

#[test]
fn a_server_that_proves_who_it_is_is_written_to_and_read_in_secret() {
    let authority = authority();
    let server = encrypting(&authority);
    let name = server.create_database();
    let file = authority.path().join("ca.pem");
    let to = |host: &str, mode: &str| {
        let port = server.port();
        format!("postgres://tester@{host}:{port}/{name}?sslmode={mode}&sslrootcert={}", file.display())
    };
    let database = Database::open(&to("localhost", "verify-full"), Options::default()).expect("a database");
    let mut journal = writer(&database);
    let stored = store(&mut journal, &payload_of(&[5], 1));
    assert_eq!(read(&journal, Sequence::FIRST), [stored]);
    let _listener = database.listen(|_| {}).expect("a listener");
    let is_secret = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE application_name = 'bellwether'";
    assert_eq!(server.execute("postgres", is_secret), "t", "every connection of ours");

    // Its certificate is for its name, not for its number.
    let refused = Database::open(&to("127.0.0.1", "require"), Options::default()).expect_err("a refusal");
    assert!(refused.to_string().contains("certificate"), "{refused}");
}

#[test]
fn a_server_that_cannot_prove_who_it_is_gets_nothing() {
    let (ours, theirs) = (authority(), authority());
    let (stranger, plain) = (encrypting(&theirs), Server::start(&[]));
    let file = ours.path().join("ca.pem");
    for (server, why) in [(&stranger, "certificate"), (&plain, "TLS")] {
        let (name, port) = (server.create_database(), server.port());
        let url = format!(
            "postgres://tester@localhost:{port}/{name}?sslmode=require&sslrootcert={}",
            file.display()
        );
        let refused = Database::open(&url, Options::default()).expect_err("a refusal").to_string();
        assert!(refused.contains(why), "{refused}");
        let tables = "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'bellwether%'";
        assert_eq!(server.execute(&name, tables), "0");
    }
}
