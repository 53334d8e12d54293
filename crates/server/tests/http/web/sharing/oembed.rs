//! oEmbed: the address of an event becomes a frame.

use stage::node::get;

use super::{VENUE, open_odd, shared};

#[tokio::test]
async fn the_address_of_an_event_becomes_a_frame_of_its_embedded_page() {
    let stage = shared().await;
    open_odd(&stage).await;
    let encoded = "https%3A%2F%2Fvenue.example.org%2Fevents%2Fodd%3Foutcome%3DNO";
    let body = stage.ask(get(&format!("/oembed?url={encoded}&format=json"))).await.expect(200);
    assert_eq!((body["version"].as_str(), body["type"].as_str()), (Some("1.0"), Some("rich")));
    assert_eq!(body["provider_url"], format!("{VENUE}/"));
    assert_eq!(body["thumbnail_url"], format!("{VENUE}/cards/odd.png"));
    assert_eq!((body["width"].as_u64(), body["height"].as_u64()), (Some(480), Some(240)));
    let html = body["html"].as_str().expect("a frame");
    assert!(html.starts_with(&format!("<iframe src=\"{VENUE}/embed/odd\" title=\"&quot;Rain")), "{html}");
    assert_eq!(html.matches(['<', '>']).count(), 4, "{html}");
    assert!(html.ends_with("></iframe>"), "{html}");
}

#[tokio::test]
async fn a_frame_is_never_larger_than_the_site_has_room() {
    let stage = shared().await;
    let asked = format!("/oembed?url={VENUE}/events/the-book&maxwidth=300&maxheight=100000");
    let body = stage.ask(get(&asked)).await.expect(200);
    assert_eq!((body["width"].as_u64(), body["height"].as_u64()), (Some(300), Some(240)));
    assert!(
        body["html"].as_str().is_some_and(|html| html.contains("width=\"300\" height=\"240\"")),
        "{body}"
    );
}

#[tokio::test]
async fn other_addresses_and_formats_are_refused() {
    let stage = shared().await;
    for url in [
        "https://evil.example/events/the-book",
        "https://venue.example.org.evil.example/events/the-book",
        "http://venue.example.org/events/the-book",
        "https://venue.example.org/events/none",
        "https://venue.example.org/events/the-hidden",
        "https://venue.example.org/",
        "/events/the-book",
    ] {
        stage.ask(get(&format!("/oembed?url={url}"))).await.refused(404, "not_found");
    }
    for query in ["", "?url=", "?url=a&url=b", "?url=x&format=xml", "?url=x&maxwidth=wide", "?url=%ff"] {
        stage.ask(get(&format!("/oembed{query}"))).await.refused(400, "bad_request");
    }
}
