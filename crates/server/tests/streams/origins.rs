//! Origins of pages: all may connect to the public endpoints, only ours and configured ones to a user's own endpoint.

use http::HeaderValue;
use serde_json::json;
use server::streams::StreamSettings;
use server::web::WebSettings;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;

use crate::hall::Hall;
use crate::reader::{request, shake};

const PUBLIC: [&str; 2] = ["/ws/v1/markets", "/ws/v1/realtime"];
const OWN: &str = "/ws/v1/user";
const NAMED: &str = "https://app.example.org";
const FOREIGN: &str = "https://elsewhere.example.org";

async fn open() -> Hall {
    Hall::open_with(StreamSettings { origins: vec![NAMED.to_owned()], ..StreamSettings::default() }).await
}

/// The answer to a page's handshake.
async fn status(hall: &Hall, path: &str, origin: &str) -> u16 {
    let mut request = request(hall.address, path);
    request.headers_mut().insert("origin", HeaderValue::from_str(origin).expect("an origin"));
    let stream = TcpStream::connect(hall.address).await.expect("a connection");
    match shake(stream, request).await {
        Ok(_) => 101,
        Err(Error::Http(answer)) => answer.status().as_u16(),
        Err(error) => panic!("{origin}: {error}"),
    }
}

#[tokio::test]
async fn a_page_of_any_origin_reads_what_is_public_and_only_ours_and_named_ones_what_is_a_users_own() {
    let hall = open().await;
    let ours = format!("http://{}", hall.address);
    for origin in [&*ours, NAMED, FOREIGN, "null"] {
        for path in PUBLIC {
            assert_eq!(status(&hall, path, origin).await, 101, "{path} {origin}");
        }
        let expected = if origin == ours || origin == NAMED { 101 } else { 403 };
        assert_eq!(status(&hall, OWN, origin).await, expected, "{origin}");
    }
}

#[tokio::test]
async fn pages_of_other_origins_can_be_shut_out_of_everything() {
    let hall = open().await;
    let settings = WebSettings { cross_origin: false, ..WebSettings::default() };
    assert!(hall.stage.app().web().configure(settings), "configured before the first use");
    let ours = format!("http://{}", hall.address);
    for path in PUBLIC.into_iter().chain([OWN]) {
        for (origin, expected) in [(&*ours, 101), (NAMED, 101), (FOREIGN, 403)] {
            assert_eq!(status(&hall, path, origin).await, expected, "{path} {origin}");
        }
    }
}

#[tokio::test]
async fn a_foreign_page_on_a_public_endpoint_gets_nothing_of_its_visitors_account() {
    let hall = open().await;
    let alice = &hall.stage.alice;
    let mut request = request(hall.address, PUBLIC[0]);
    let cookie = format!("bellwether_session={}", alice.token);
    request.headers_mut().insert("origin", HeaderValue::from_static(FOREIGN));
    request.headers_mut().insert("cookie", HeaderValue::try_from(cookie).expect("a cookie"));
    let stream = TcpStream::connect(hall.address).await.expect("a connection");
    let mut reader = crate::reader::Reader::asking(stream, request).await;
    for message in [
        json!({"type": "subscribe", "channel": "orders", "marketIds": [hall.stage.book.market]}),
        json!({"type": "cancelOnDisconnect", "enabled": true}),
    ] {
        reader.send(message).await;
        reader.failed("connect to /ws/v1/user").await;
    }
}
