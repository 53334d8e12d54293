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
    proxy.cut_after(10);
    let echo = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).expect("an end");
        heard
    });
    let mut client = TcpStream::connect((Ipv4Addr::LOCALHOST, proxy.port())).expect("a connection");
    client.write_all(b"0123456789abcdef").expect("bytes sent");
    assert_eq!(client.read(&mut [0; 8]).unwrap_or(0), 0, "the connection is gone");
    assert_eq!(echo.join().expect("an end"), b"0123456789");
    assert_eq!(proxy.cuts(), 1);
}

#[test]
fn an_isolated_proxy_neither_answers_nor_ends_a_connection_and_a_closed_one_ends_it() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let proxy = Proxy::start(listener.local_addr().expect("an address").port());
    let echo = thread::spawn(move || {
        let mut heard = Vec::new();
        for stream in listener.incoming().take(2) {
            let mut buffer = [0; 8];
            let mut stream = stream.expect("a connection");
            let count = stream.read(&mut buffer).unwrap_or(0);
            heard.push(buffer[..count].to_vec());
        }
        heard
    });
    let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, proxy.port())).expect("a connection");
    let mut before = connect();
    before.write_all(b"before").expect("bytes sent");
    assert_eq!(before.read(&mut [0; 8]).unwrap_or(0), 0, "the server has read it and ended the connection");
    proxy.isolate();
    let mut during = connect();
    during.write_all(b"during").expect("bytes sent");
    during.set_nonblocking(true).expect("a socket");
    let silence = during.read(&mut [0; 8]).expect_err("nothing to read");
    assert_eq!(silence.kind(), std::io::ErrorKind::WouldBlock, "the connection is open");
    proxy.close();
    assert_eq!(connect().read(&mut [0; 8]).unwrap_or(0), 0, "a new connection ends at once");
    proxy.restore();
    let mut after = connect();
    after.write_all(b"after").expect("bytes sent");
    assert_eq!(after.read(&mut [0; 8]).unwrap_or(0), 0, "the server has read it");
    assert_eq!(echo.join().expect("an end"), [b"before".to_vec(), b"after".to_vec()]);
}
