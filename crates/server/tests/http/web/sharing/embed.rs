//! The embedded page: read-only, for frames, without a look at the caller.

use server::web::WebSettings;
use stage::node::{Answered, Stage, get};

use super::{HTML, VENUE, configure, open_odd, shared};

fn ancestors(answered: &Answered) -> String {
    let policy = answered.header("content-security-policy").expect("a policy");
    let part = policy.split("; ").find_map(|part| part.strip_prefix("frame-ancestors "));
    part.unwrap_or_else(|| panic!("no frame-ancestors in {policy}")).to_owned()
}

#[tokio::test]
async fn an_event_can_be_embedded_and_no_other_page_can() {
    let stage = shared().await;
    open_odd(&stage).await;
    let answered = stage.ask(get("/embed/odd")).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert_eq!(ancestors(&answered), "*");
    let policy = answered.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(answered.header("x-frame-options"), None);
    let page = answered.text();
    let link = format!("<a href=\"{VENUE}/events/odd\" target=\"_blank\" rel=\"noopener\">");
    assert!(page.contains(&link), "{page}");
    assert!(page.contains("&lt;/script&gt;") && page.matches("<script").count() == 1, "{page}");
    for forbidden in ["<style", " style=", "<form", "<button", "<input", " onclick", "javascript:"] {
        assert!(!page.contains(forbidden), "{forbidden} in {page}");
    }
    for file in ["/embed.css", "/embed.js"] {
        assert!(page.contains(file));
        assert_eq!(stage.ask(get(file)).await.status, 200, "{file}");
    }
    for path in ["/", "/events/odd", "/events/none", "/portfolio", "/docs"] {
        assert_eq!(ancestors(&stage.ask(get(path).header("accept", HTML)).await), "'none'", "{path}");
    }
}

#[tokio::test]
async fn a_cookie_changes_nothing_and_none_is_set() {
    let stage = shared().await;
    let anonymous = stage.ask(get("/embed/the-book")).await;
    let member = stage.ask(get("/embed/the-book").cookie(&stage.alice)).await;
    assert_eq!((anonymous.status, anonymous.text()), (200, member.text()));
    for answered in [&anonymous, &member] {
        assert_eq!(answered.header("set-cookie"), None);
        assert_eq!(answered.header("cache-control"), Some("public, no-cache"));
    }
    let tag = anonymous.header("etag").expect("a tag");
    assert_eq!(stage.ask(get("/embed/the-book").header("if-none-match", tag)).await.status, 304);
}

#[tokio::test]
async fn named_sites_may_embed_and_no_others() {
    let stage = Stage::open().await;
    let embed_origins = ["https://news.example.org", "http://localhost:3000"];
    let embed_origins = embed_origins.map(|origin| origin.parse().expect("an origin")).to_vec();
    configure(&stage, WebSettings { embed_origins, ..WebSettings::default() });
    let answered = stage.ask(get("/embed/the-book")).await;
    assert_eq!(ancestors(&answered), "https://news.example.org http://localhost:3000");
}

#[tokio::test]
async fn a_venue_without_a_public_address_links_to_itself() {
    let stage = Stage::open().await;
    let page = stage.ask(get("/embed/the-book")).await.text();
    assert!(page.contains("<a href=\"/events/the-book\""), "{page}");
}

#[tokio::test]
async fn a_draft_and_an_unknown_event_are_not_found() {
    let stage = shared().await;
    for path in ["/embed/the-hidden", "/embed/none", "/embed/", "/embed", "/embed/%22%3e"] {
        stage.ask(get(path).header("accept", HTML)).await.refused(404, "not_found");
    }
    assert_eq!(stage.ask(get(&format!("/embed/{}", stage.book.event))).await.status, 200);
}
