//! The test server can be queried, killed and restarted, and a cut ends the connection.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

use pgtest::{Proxy, Server};

#[test]
fn a_killed_server_keeps_its_committed_rows() {
    let mut server = Server::start(&[]);
    let database = server.create_database();
    server.execute(&database, "CREATE TABLE kept (number int); INSERT INTO kept VALUES (7)");
    server.kill();
    server.launch();
    assert_eq!(server.execute(&database, "SELECT number FROM kept"), "7");
}

#[test]
fn a_proxy_hands_bytes_on_up_to_the_cut_and_none_behind_it() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let target = listener.local_addr().expect("an address").port();
    let proxy = Proxy::start(target);
    let port: u16 = proxy.url("x").rsplit(['/', ':']).nth(1).expect("a port").parse().expect("a number");
    proxy.cut_after(10);
    let echo = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).expect("an end");
        heard
    });
    let mut client = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
    client.write_all(b"0123456789abcdef").expect("bytes sent");
    assert_eq!(client.read(&mut [0; 8]).unwrap_or(0), 0, "the connection is gone");
    assert_eq!(echo.join().expect("an end"), b"0123456789");
    assert_eq!(proxy.cuts(), 1);
}
