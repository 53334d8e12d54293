//! Tags for link previews at the one marked place of the page.

use exchange::numbers::Currency;
use stage::node::{Answered, Stage, get};

use super::super::{PAGE, as_built};
use super::{HTML, ODD_TITLE, VENUE, open_event, open_odd, shared};

const MARK: &str = "<!-- sharing -->";

async fn page(stage: &Stage, path: &str) -> Answered {
    let answered = stage.ask(get(path).header("accept", HTML)).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("text/html; charset=utf-8")));
    answered
}

/// What was written at the mark; the rest of the page must be unchanged.
fn written(page: &str) -> String {
    let (before, after) = PAGE.split_once(MARK).expect("a mark");
    let page = as_built(page);
    let written = page.strip_prefix(before).and_then(|page| page.strip_suffix(after));
    written.unwrap_or_else(|| panic!("the page is changed elsewhere: {page}")).to_owned()
}

/// The values of a tag's attribute.
fn values(tags: &str, beginning: &str) -> Vec<String> {
    let lines = tags.lines().map(str::trim).filter_map(|line| line.strip_prefix(beginning));
    lines.map(|line| line.split('"').next().unwrap_or_default().to_owned()).collect()
}

fn property(tags: &str, name: &str) -> Vec<String> {
    values(tags, &format!("<meta property=\"{name}\" content=\""))
}

#[tokio::test]
async fn without_a_public_address_the_page_is_as_it_was_built() {
    let stage = Stage::open().await;
    for path in ["/", "/events/the-book", "/events/none"] {
        assert_eq!(as_built(&page(&stage, path).await.text()), PAGE, "{path}");
    }
    for path in ["/oembed?url=x", "/feeds/events.rss", "/feeds/closings.ics", "/cards/the-book.png"] {
        let refused = stage.ask(get(path).header("accept", HTML)).await.refused(404, "not_found");
        assert!(refused["message"].as_str().is_some_and(|text| text.contains("--public-url")), "{refused}");
    }
}

#[tokio::test]
async fn the_page_of_an_event_describes_it_and_every_other_page_names_only_the_feeds() {
    let stage = shared().await;
    let tags = written(&page(&stage, "/events/the-book").await.text());
    let address = format!("{VENUE}/events/the-book");
    assert_eq!(values(&tags, "<link rel=\"canonical\" href=\""), [address.as_str()]);
    assert_eq!(property(&tags, "og:url"), [address.as_str()]);
    assert_eq!(property(&tags, "og:title"), ["Will the book hold?"]);
    assert_eq!(property(&tags, "og:image"), [format!("{VENUE}/cards/the-book.png")]);
    assert_eq!(values(&tags, "<meta name=\"twitter:card\" content=\""), ["summary_large_image"]);
    assert!(property(&tags, "og:description")[0].starts_with("Yes 50% · No 50%"), "{tags}");
    let oembed = "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"";
    let [oembed] = &values(&tags, oembed)[..] else { panic!("no oEmbed in {tags}") };
    let path = oembed.strip_prefix(VENUE).expect("an address of the venue").replace("&amp;", "&");
    stage.ask(get(&path)).await.expect(200);
    // An address with the id leads to the same page.
    let by_id = written(&page(&stage, &format!("/events/{}", stage.book.event)).await.text());
    assert_eq!(by_id, tags);

    let plain = written(&page(&stage, "/").await.text());
    assert_eq!(values(&plain, "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"").len(), 1);
    assert!(!plain.contains("og:") && !plain.contains("canonical"), "{plain}");
    for path in ["/events/none", "/events/the-hidden", "/events/", "/events/a/b", "/portfolio", "/events/%22"]
    {
        assert_eq!(written(&page(&stage, path).await.text()), plain, "{path}");
    }
}

#[tokio::test]
async fn a_title_that_is_markup_is_written_as_text() {
    let stage = shared().await;
    open_odd(&stage).await;
    let tags = written(&page(&stage, "/events/odd").await.text());
    let expected =
        "&quot;Rain&quot; &amp; &lt;/script&gt;&lt;script&gt;alert(&#39;₦&#39;)&lt;/script&gt;; a,b\\c end";
    assert_eq!(property(&tags, "og:title"), [expected]);
    assert!(!tags.contains("<script") && !tags.contains("<b>"), "{tags}");
    // Every line is one tag, and its quotes are those of its attributes.
    for line in tags.lines().map(str::trim) {
        let is_tag = line.starts_with("<meta ") || line.starts_with("<link ");
        assert!(is_tag && line.ends_with(" />") && line.matches(['<', '>']).count() == 2, "{line}");
        assert!(line.matches('"').count() % 2 == 0, "{line}");
    }
    assert!(ODD_TITLE.contains("</script>"), "the title is odd");
}

#[tokio::test]
async fn addresses_never_come_from_the_request() {
    let stage = shared().await;
    open_odd(&stage).await;
    let forged = |path: &str| {
        let forged = get(path).header("accept", HTML).header("host", "evil.example:81");
        let forged = forged.header("x-forwarded-host", "evil.example").header("x-forwarded-proto", "ftp");
        forged.header("forwarded", "host=evil.example;proto=ftp").header("origin", "https://evil.example")
    };
    let oembed = format!("/oembed?url={VENUE}/events/odd");
    for path in ["/", "/events/odd", "/embed/odd", &oembed, "/feeds/events.rss", "/feeds/closings.ics"] {
        let answered = stage.ask(forged(path)).await;
        assert_eq!(answered.status, 200, "{path}");
        assert!(!answered.text().contains("evil") && answered.text().contains(VENUE), "{path}");
        let usual = stage.ask(get(path).header("accept", HTML)).await;
        assert_eq!(answered.text(), usual.text(), "{path}");
    }
}

#[tokio::test]
async fn the_page_with_tags_keeps_its_headers_its_tag_and_its_compression() {
    let stage = shared().await;
    let without = Stage::open().await;
    let names =
        ["content-security-policy", "referrer-policy", "cross-origin-opener-policy", "cache-control", "vary"];
    let (with_tags, plain) =
        (page(&stage, "/events/the-book").await, page(&without, "/events/the-book").await);
    for name in names {
        assert_eq!(with_tags.header(name), plain.header(name), "{name}");
    }
    let tag = with_tags.header("etag").expect("a tag").to_owned();
    let again = get("/events/the-book").header("accept", HTML).header("if-none-match", &tag);
    assert_eq!(stage.ask(again).await.status, 304);
    let short = get("/events/the-book").header("accept", HTML).header("accept-encoding", "gzip");
    let short = stage.ask(short).await;
    assert_eq!(short.header("content-encoding"), Some("gzip"));
    assert!(short.bytes.len() < with_tags.bytes.len());
}

#[tokio::test]
async fn several_markets_show_the_likeliest_and_naira_where_there_are_no_dollars() {
    let stage = shared().await;
    open_event(&stage, "many", "Who?", &["Ada", "Bola", "Chidi", "Dayo"], vec![Currency::Ngn]).await;
    let tags = written(&page(&stage, "/events/many").await.text());
    let description = &property(&tags, "og:description")[0];
    assert!(description.starts_with("Ada 50% · Bola 50% · Chidi 50%. "), "{description}");
    let embedded = stage.ask(get("/embed/many")).await.text();
    assert!(embedded.contains("₦50") && !embedded.contains('¢') && !embedded.contains("Dayo"), "{embedded}");
}

#[tokio::test]
async fn a_network_without_tokens_gets_the_page_without_the_tags() {
    let stage = shared().await;
    let plain = written(&page(&stage, "/").await.text());
    while stage.ask(get("/version")).await.status != 429 {}
    assert_eq!(written(&page(&stage, "/events/the-book").await.text()), plain);
    stage.clock.advance_seconds(1);
    assert_ne!(written(&page(&stage, "/events/the-book").await.text()), plain);
}
