//! Limits of streams: of one network, which is an IPv4 address or an IPv6 /64, and of all together.

use http::HeaderValue;
use server::streams::StreamSettings;
use server::web::WebSettings;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;

use crate::hall::Hall;
use crate::reader::{request, shake};

const PATH: &str = "/ws/v1/markets";

/// A hall behind a proxy that it trusts.
async fn behind_a_proxy(settings: StreamSettings) -> Hall {
    let hall = Hall::open_with(settings).await;
    let proxies = vec!["127.0.0.1".parse().expect("an address")];
    let settings = WebSettings { proxies, ..WebSettings::default() };
    assert!(hall.stage.app().web().configure(settings), "configured before the first use");
    hall
}

/// Connects as the proxy does for a caller of this address.
async fn connect(hall: &Hall, address: &str) -> Result<WebSocketStream<TcpStream>, u16> {
    // Handshakes are requests, which have their own limit per second.
    hall.stage.clock.advance_seconds(1);
    let mut request = request(hall.address, PATH);
    let address = HeaderValue::from_str(address).expect("an address");
    request.headers_mut().insert("x-forwarded-for", address);
    let stream = TcpStream::connect(hall.address).await.expect("a connection");
    match shake(stream, request).await {
        Ok(socket) => Ok(socket),
        Err(Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn three_hundred_addresses_of_one_ipv6_network_have_a_hundred_streams() {
    let hall = behind_a_proxy(StreamSettings::default()).await;
    let mut open = Vec::new();
    for host in 0..300 {
        match connect(&hall, &format!("2001:db8:1:2:{host:x}::{host:x}")).await {
            Ok(socket) => open.push(socket),
            Err(status) => assert_eq!(status, 429),
        }
    }
    assert_eq!(open.len(), 100);
    connect(&hall, "2001:db8:1:3::1").await.expect("another network");
    connect(&hall, "203.0.113.9").await.expect("another network");
    drop(open.pop());
    hall.until("a place that is given back", |app| app.streams().connections() == 99).await;
    connect(&hall, "2001:db8:1:2::1").await.expect("a place that was given back");
}

#[tokio::test]
async fn all_networks_together_have_so_many_streams() {
    let hall = behind_a_proxy(StreamSettings { connections_max: 3, ..StreamSettings::default() }).await;
    let mut open = Vec::new();
    for host in 1..=3 {
        open.push(connect(&hall, &format!("203.0.113.{host}")).await.expect("a place"));
    }
    assert_eq!(connect(&hall, "203.0.113.4").await.err(), Some(503));
    drop(open.pop());
    hall.until("a place that is given back", |app| app.streams().connections() == 2).await;
    connect(&hall, "203.0.113.4").await.expect("a place that was given back");
}
