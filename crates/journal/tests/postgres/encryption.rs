//! Encrypted connections to the database: only a server with a valid certificate is used.

use journal::Sequence;
use journal::postgres::{Database, Options};
use journal::testing::conformance::{payload_of, read, store};
use pgtest::{Authority, Server};

use crate::postgres::writer;

/// A server that accepts encrypted and plain connections.
fn encrypting(authority: &Authority) -> Server {
    let mut server = Server::start(&[]);
    server.kill();
    for (name, file) in
        [("server.key", authority.server_key()), ("server.pem", authority.server_certificate())]
    {
        server.put(name, &std::fs::read(file).expect("a file"));
    }
    server.set(&["ssl = on", "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'"]);
    server.launch();
    server
}

#[test]
fn a_server_that_proves_who_it_is_is_written_to_and_read_in_secret() {
    let authority = Authority::new();
    let server = encrypting(&authority);
    let name = server.create_database();
    let file = authority.certificate();
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

    // Its certificate is for its name, not for its address.
    let refused = Database::open(&to("127.0.0.1", "require"), Options::default()).expect_err("a refusal");
    assert!(refused.to_string().contains("certificate"), "{refused}");
}

#[test]
fn a_server_that_cannot_prove_who_it_is_gets_nothing() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let (stranger, plain) = (encrypting(&theirs), Server::start(&[]));
    let file = ours.certificate();
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
