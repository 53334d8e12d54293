//! A page that connects: the cookie of its session replaces auth in every message, and only for our own page.

use std::net::SocketAddr;

use http::HeaderValue;
use serde_json::{Value, json};
use server::streams::StreamSettings;
use stage::node::{User, delete, limit};
use tokio::net::TcpStream;

use crate::hall::Hall;
use crate::reader::{Reader, request};

const PATH: &str = "/ws/v1/user";
const REQUIRED: &str = "include auth.accessToken or auth.apiKey in every message";

/// Connects as a browser does.
async fn connect(address: SocketAddr, user: &User, fields: &[(&'static str, &str)]) -> Reader {
    connect_at(address, PATH, user, fields).await
}

async fn connect_at(address: SocketAddr, path: &str, user: &User, fields: &[(&'static str, &str)]) -> Reader {
    let mut request = request(address, path);
    let headers = request.headers_mut();
    let cookie = format!("bellwether_session={}", user.token);
    headers.insert("cookie", HeaderValue::try_from(cookie).expect("a cookie"));
    for (name, value) in fields {
        headers.insert(*name, HeaderValue::from_str(value).expect("a field"));
    }
    let stream = TcpStream::connect(address).await.expect("a connection");
    Reader::asking(stream, request).await
}

pub async fn connect_page(hall: &Hall, user: &User) -> Reader {
    connect(hall.address, user, &[("origin", &format!("http://{}", hall.address))]).await
}

fn subscribe(hall: &Hall) -> Value {
    json!({"type": "subscribe", "channel": "orders", "marketIds": [hall.stage.book.market]})
}

#[tokio::test]
async fn a_page_leaves_auth_out_and_reads_what_is_its_users() {
    let hall = Hall::open().await;
    let (alice, bob, book) = (&hall.stage.alice, &hall.stage.bob, &hall.stage.book);
    let mut reader = connect_page(&hall, alice).await;
    reader.send(subscribe(&hall)).await;
    reader.acknowledged(&format!("orders:{}:{}", alice.id, book.market)).await;
    hall.stage.place(&bob.key, book, &limit(book.yes, "BUY", 30.0, 0.30)).await;
    hall.stage.place(&alice.key, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    assert_eq!(reader.next().await["data"]["order"]["userId"], json!(alice.id));
    reader.send(json!({"type": "ping"})).await;
    assert_eq!(reader.next().await["type"], "pong");
    // Auth in a message takes precedence, right or wrong.
    let mut message = subscribe(&hall);
    message["auth"] = json!({"apiKey": bob.key.public});
    reader.send(message.clone()).await;
    reader.acknowledged(&format!("orders:{}:{}", bob.id, book.market)).await;
    for (auth, words) in
        [(json!({}), REQUIRED), (json!({"apiKey": "pk_live_unknown"}), "the key or the session is unknown")]
    {
        message["auth"] = auth;
        reader.send(message.clone()).await;
        reader.failed(words).await;
    }
}

#[tokio::test]
async fn a_page_that_shows_another_user_receives_nothing_of_the_session() {
    let hall = Hall::open().await;
    let (alice, bob, book) = (&hall.stage.alice, &hall.stage.bob, &hall.stage.book);
    let own = format!("http://{}", hall.address);
    let of = async |shown: String| {
        connect_at(hall.address, &format!("{PATH}?as={shown}"), alice, &[("origin", &own)]).await
    };
    let mut reader = of(bob.id.to_string()).await;
    reader.send(subscribe(&hall)).await;
    reader.failed(REQUIRED).await;
    let mut reader = of(alice.id.to_string()).await;
    reader.send(subscribe(&hall)).await;
    reader.acknowledged(&format!("orders:{}:{}", alice.id, book.market)).await;
}

#[tokio::test]
async fn only_a_page_of_this_very_address_may_leave_auth_out() {
    let other = "https://app.example.org";
    let settings = StreamSettings { origins: vec![other.to_owned()], ..StreamSettings::default() };
    let hall = Hall::open_with(settings).await;
    let alice = &hall.stage.alice;
    let own = format!("http://{}", hall.address);
    let cases: [&[(&str, &str)]; 4] = [
        &[],
        // It may connect, with a key.
        &[("origin", other)],
        &[("origin", other), ("sec-fetch-site", "same-site")],
        &[("origin", &own), ("sec-fetch-site", "cross-site")],
    ];
    for fields in cases {
        let mut reader = connect(hall.address, alice, fields).await;
        reader.send(subscribe(&hall)).await;
        reader.failed(REQUIRED).await;
    }
    let ended = User { token: "token-unknown".to_owned(), ..alice.clone() };
    let mut reader = connect_page(&hall, &ended).await;
    reader.send(subscribe(&hall)).await;
    reader.failed(REQUIRED).await;
    let mut reader =
        connect(hall.address, alice, &[("origin", &own), ("sec-fetch-site", "same-origin")]).await;
    reader.send(json!({"type": "ping"})).await;
    assert_eq!(reader.next().await["type"], "pong");
}

#[tokio::test]
async fn a_logout_on_the_page_ends_its_connection_and_an_idle_one_is_nobodys_any_more() {
    let hall = Hall::open().await;
    let (alice, book) = (&hall.stage.alice, &hall.stage.book);
    let mut subscribed = connect_page(&hall, alice).await;
    subscribed.send(subscribe(&hall)).await;
    subscribed.acknowledged(&format!("orders:{}:{}", alice.id, book.market)).await;
    let mut idle = connect_page(&hall, alice).await;
    hall.stage.ask(delete("/web/session").on_page(alice)).await.expect(200);
    let (seen, end) = subscribed.rest().await;
    assert_eq!(seen, Vec::<Value>::new());
    assert_eq!(end, Some((1008, "the key or the session is no longer valid".to_owned())));
    idle.send(subscribe(&hall)).await;
    idle.failed("the key or the session is unknown or over").await;
}
