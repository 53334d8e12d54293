//! The page itself: its routes, its content security policy, its caching.

use stage::node::{Answered, Stage, draft, get, post};

use super::{PAGE, as_built};

const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

#[track_caller]
fn is_page(answered: &Answered) {
    assert_eq!(answered.status, 200, "{}", answered.text());
    assert_eq!(answered.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(as_built(&answered.text()), PAGE);
}

#[tokio::test]
async fn the_page_is_at_the_root_and_may_load_nothing_from_elsewhere() {
    let stage = Stage::open().await;
    let answered = stage.ask(get("/")).await;
    is_page(&answered);
    let policy = answered.header("content-security-policy").expect("a policy");
    for part in [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.split("; ").any(|given| given == part), "{part} is not in {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    assert_eq!(answered.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answered.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answered.header("cross-origin-opener-policy"), Some("same-origin"));
    assert_eq!(answered.header("cache-control"), Some("no-cache"));
}

#[tokio::test]
async fn a_browser_that_has_the_page_is_not_sent_it_again() {
    let stage = Stage::open().await;
    let tag = stage.ask(get("/")).await.header("etag").expect("a tag").to_owned();
    let again = stage.ask(get("/").header("if-none-match", &tag)).await;
    assert_eq!((again.status, again.bytes.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
    assert_eq!(again.header("cache-control"), Some("no-cache"));
    let other = stage.ask(get("/").header("if-none-match", "\"other\"")).await;
    is_page(&other);
}

#[tokio::test]
async fn assets_of_the_page_exist_and_those_of_its_build_are_cached_for_ever() {
    let stage = Stage::open().await;
    let page = stage.ask(get("/")).await.text();
    let loaded = page.split('"').filter(|part| part.starts_with('/') && part.contains('.'));
    for path in loaded {
        let answered = stage.ask(get(path).header("accept-encoding", "gzip, br")).await;
        assert_eq!(answered.status, 200, "{path}");
        // A path that contains a hash of the content is never reused.
        let is_of_the_build = path.starts_with("/assets/");
        let keeping = if is_of_the_build { "public, max-age=31536000, immutable" } else { "no-cache" };
        assert_eq!(answered.header("cache-control"), Some(keeping), "{path}");
        assert!(
            answered.header("content-type").is_some_and(|kind| kind != "application/octet-stream"),
            "{path}"
        );
        assert_eq!(answered.header("x-content-type-options"), Some("nosniff"), "{path}");
        if answered.header("content-encoding") == Some("gzip") {
            let plain = stage.ask(get(path)).await;
            assert!(answered.bytes.len() < plain.bytes.len(), "{path}");
            assert_eq!(answered.header("etag"), plain.header("etag"), "{path}");
        }
    }
}

#[tokio::test]
async fn a_place_that_only_the_page_knows_is_the_page_to_a_browser_and_nothing_to_a_program() {
    let stage = Stage::open().await;
    for path in ["/events/some-event", "/portfolio", "/account", "/a/b/c"] {
        is_page(&stage.ask(get(path).header("accept", HTML)).await);
        stage.ask(get(path)).await.refused(404, "not_found");
        stage.ask(get(path).header("accept", "application/json")).await.refused(404, "not_found");
        stage.ask(get(path).header("accept", "*/*")).await.refused(404, "not_found");
        stage.ask(post(path).header("accept", HTML)).await.refused(404, "not_found");
    }
    let head = stage.ask(draft("HEAD", "/portfolio").header("accept", HTML)).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
}

#[tokio::test]
async fn paths_of_programs_and_files_that_are_not_there_are_never_the_page() {
    let stage = Stage::open().await;
    for path in [
        "/v1",
        "/v1/pm/nothing",
        "/ws/v1/nothing",
        "/admin/v1/status",
        "/web/nothing",
        "/health/more",
        "/assets",
        "/assets/none.js",
        "/assets/index.js",
        "/assets/000000000000/index.js",
        "/assets/../index.html",
        "/none.png",
        "/events/some.thing",
        "/index.html",
        "/operator.html",
        "/..%2f..%2fCargo.toml",
    ] {
        let answered = stage.ask(get(path).header("accept", HTML)).await;
        answered.refused(404, "not_found");
    }
    let answered = stage.ask(get("/docs").header("accept", HTML)).await;
    assert!(answered.text().contains("/v1/pm/orders/batch/amend"), "the description stays where it was");
    assert_eq!(stage.ask(get("/health").header("accept", HTML)).await.expect(200)["status"], "ok");
    stage.ask(post("/")).await.refused(405, "method_not_allowed");
}

#[tokio::test]
async fn crawlers_and_old_browsers_find_their_files() {
    let stage = Stage::open().await;
    let robots = stage.ask(get("/robots.txt")).await;
    assert_eq!((robots.status, robots.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    assert!(robots.text().contains("User-agent: *\nDisallow: /v1/\n"), "{}", robots.text());
    let icon = stage.ask(get("/favicon.ico")).await;
    assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/x-icon")));
    // An icon directory with one picture, which is a PNG.
    assert!(icon.bytes.starts_with(&[0, 0, 1, 0, 1, 0]) && icon.bytes[22..].starts_with(b"\x89PNG"));
}
