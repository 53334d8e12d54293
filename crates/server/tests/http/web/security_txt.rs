//! Contacts for vulnerability reports: `/.well-known/security.txt`.

use api::Timestamp;
use server::web::WebSettings;
use stage::node::{Stage, get};

use crate::socket::listen;

const PATH: &str = "/.well-known/security.txt";

#[tokio::test]
async fn without_a_contact_there_is_no_security_txt() {
    let stage = Stage::open().await;
    stage.ask(get(PATH).header("accept", "text/html")).await.refused(404, "not_found");
}

#[tokio::test]
async fn the_contact_is_served_with_a_date_in_the_future_however_long_the_venue_runs() {
    let stage = Stage::open().await;
    let security_contact = Some("mailto:security@example.org".parse().expect("a contact"));
    assert!(stage.app().web().configure(WebSettings { security_contact, ..WebSettings::default() }));
    for _ in 0..3 {
        let answered = stage.ask(get(PATH)).await;
        assert_eq!(
            (answered.status, answered.header("content-type")),
            (200, Some("text/plain; charset=utf-8"))
        );
        let text = answered.text();
        let field = |name: &str| {
            let mut values = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            (values.next().map(str::to_owned), values.next())
        };
        assert_eq!(field("Contact"), (Some("mailto:security@example.org".to_owned()), None));
        assert_eq!(field("Preferred-Languages"), (Some("en".to_owned()), None));
        let (Some(expires), None) = field("Expires") else { panic!("one Expires in {text}") };
        let left = Timestamp::parse(&expires).expect("a time").micros() - stage.app().now_micros();
        let days = left / (24 * 60 * 60 * 1_000_000);
        assert!((360..365).contains(&days), "{days} days in {text}");
        stage.clock.advance_seconds(300 * 24 * 60 * 60);
    }
}

#[tokio::test]
async fn the_contact_is_served_through_a_socket() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let security_contact = Some("mailto:security@example.org".parse().expect("a contact"));
    assert!(stage.app().web().configure(WebSettings { security_contact, ..WebSettings::default() }));
    let answered = listening.answer(get(PATH)).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    let text = answered.text();
    assert!(text.lines().any(|line| line == "Contact: mailto:security@example.org"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("Expires: ")), "{text}");
}
