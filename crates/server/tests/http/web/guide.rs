//! The documents at `/docs/guide`. Their links and their contents are tested in the crate `guide`.

use server::web::GuideFile;
use stage::node::{Stage, draft, get, post};

async fn with_guide() -> Stage {
    let stage = Stage::open().await;
    let make = || {
        let file = |(path, page): (&'static str, &'static guide::Page)| GuideFile {
            path,
            content_type: page.content_type,
            bytes: &page.bytes,
        };
        guide::pages().map(file).collect()
    };
    assert!(stage.app().web().add_guide(make));
    stage
}

#[tokio::test]
async fn a_document_is_a_page_that_loads_only_files_of_ours() {
    let stage = with_guide().await;
    for (path, title) in [("/docs/guide", "Bellwether"), ("/docs/guide/web", "The pages")] {
        let answered = stage.ask(get(path)).await;
        assert_eq!(
            (answered.status, answered.header("content-type")),
            (200, Some("text/html; charset=utf-8"))
        );
        let policy = answered.header("content-security-policy").expect("a policy");
        for part in ["default-src 'self'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]
        {
            assert!(policy.split("; ").any(|given| given == part), "{part} is not in {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");

        assert!(answered.text().contains(&format!(">{title}</h1>")), "{path}");
        for loaded in ["/docs/guide/style.css", "/docs/guide/search.js"] {
            assert!(answered.text().contains(loaded), "{path}");
            assert_eq!(stage.ask(get(loaded)).await.status, 200, "{loaded}");
        }
    }
    let picture = stage.ask(get("/docs/guide/pictures/browse.png")).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")));
    let head = stage.ask(draft("HEAD", "/docs/guide")).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
}

#[tokio::test]
async fn the_search_finds_its_index() {
    let stage = with_guide().await;
    let answered = stage.ask(get("/docs/guide/search.json")).await;
    assert_eq!(answered.header("content-type"), Some("application/json"));
    let index = answered.expect(200);
    let documents = index["documents"].as_array().expect("documents");
    assert!(documents.iter().any(|document| document["url"] == "/docs/guide/api-guide"), "{index}");
}

#[tokio::test]
async fn a_browser_that_has_a_document_revalidates_it() {
    let stage = with_guide().await;
    let first = stage.ask(get("/docs/guide/web")).await;
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    let tag = first.header("etag").expect("a tag").to_owned();
    let again = stage.ask(get("/docs/guide/web").header("if-none-match", &tag)).await;
    assert_eq!((again.status, again.bytes.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
    let packed = stage.ask(get("/docs/guide/web").header("accept-encoding", "gzip")).await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.bytes.len() < first.bytes.len() && packed.header("etag") == Some(tag.as_str()));
}

#[tokio::test]
async fn a_document_costs_what_a_file_of_the_page_costs() {
    let stage = with_guide().await;
    for path in ["/docs/guide", "/docs/guide/web", "/docs/guide/nothing"] {
        let answered = stage.ask(get(path)).await;
        assert_eq!(answered.header("ratelimit-policy"), Some(r#""files";q=1000;w=1"#), "{path}");
    }
}

#[tokio::test]
async fn a_page_that_is_not_there_is_not_found_also_by_a_browser() {
    let stage = with_guide().await;
    for path in
        ["/docs/guide/", "/docs/guide/nothing", "/docs/guide/web.md", "/docs/guide/..%2f..%2fCargo.toml"]
    {
        stage.ask(get(path).header("accept", "text/html")).await.refused(404, "not_found");
    }
    stage.ask(post("/docs/guide")).await.refused(405, "method_not_allowed");
}

#[tokio::test]
async fn llms_txt_names_addresses_that_exist() {
    let stage = with_guide().await;
    let answered = stage.ask(get("/llms.txt")).await;
    assert_eq!((answered.status, answered.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    let text = answered.text();
    assert!(text.starts_with("# Bellwether\n\n> "), "a title, then a summary: {text}");
    let links: Vec<&str> = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 10, "{links:?}");
    for link in links {
        assert_eq!(stage.ask(get(link)).await.status, 200, "{link}");
    }
}
