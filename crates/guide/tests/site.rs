//! The whole site, as a reader's browser sees it: links, anchors, navigation, search, and no inline code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use guide::{PREFIX, Page, page, paths};

fn text(page: &Page) -> &str {
    std::str::from_utf8(&page.bytes).expect("text")
}

/// Every HTML page by its path.
fn pages() -> BTreeMap<&'static str, &'static str> {
    let all = paths().map(|path| (path, page(path).expect("a page")));
    all.filter(|(_, page)| page.content_type.starts_with("text/html"))
        .map(|(path, page)| (path, text(page)))
        .collect()
}

/// The values of an attribute.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let begin = format!(" {attribute}=\"");
    html.split(&begin).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The path below `PREFIX`, or none for a URL outside the site.
fn within(url: &str) -> Option<&str> {
    let rest = url.strip_prefix(PREFIX)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

#[test]
fn every_link_leads_to_a_page_and_every_anchor_to_a_heading() {
    let pages = pages();
    let mut broken = Vec::new();
    for (from, html) in &pages {
        for link in values(html, "href").into_iter().chain(values(html, "src")) {
            let (url, fragment) = link.split_once('#').unwrap_or((link, ""));
            let Some(path) = (if url.is_empty() { Some(*from) } else { within(url) }) else { continue };
            let is_there = match pages.get(path) {
                Some(html) => fragment.is_empty() || values(html, "id").contains(&fragment),
                None => fragment.is_empty() && page(path).is_some(),
            };
            if !is_there {
                broken.push(format!("{from}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn every_link_to_the_source_code_names_a_path_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (from, html) in pages() {
        for title in values(html, "title") {
            let path = title.strip_suffix(" in the source code").expect("a path");
            assert!(root.join(path).exists(), "{from}: {path} does not exist");
        }
    }
}

#[test]
fn every_document_is_a_page_and_is_in_the_navigation_of_every_page() {
    let pages = pages();
    for path in ["", "architecture", "contributing", "changelog", "api-guide", "decisions"] {
        assert!(pages.contains_key(path), "{path}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    assert_eq!(pages.len(), 4 + documents_below(&folder));
    for (from, html) in &pages {
        let (_, rest) = html.split_once("<nav id=\"guide-documents\"").expect("a navigation");
        let navigation = rest.split("</nav>").next().unwrap_or_default();
        let linked: BTreeSet<&str> = values(navigation, "href").into_iter().filter_map(within).collect();
        assert_eq!(linked, pages.keys().copied().collect(), "{from}");
        assert_eq!(navigation.matches("aria-current=\"page\"").count(), 1, "{from}");
    }
}

fn documents_below(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let count = |path: &Path| match path.is_dir() {
        true => documents_below(path),
        false => usize::from(path.extension().is_some_and(|ending| ending == "md")),
    };
    entries.map(|entry| count(&entry.path())).sum()
}

#[test]
fn no_page_has_inline_script_or_style_or_loads_from_elsewhere() {
    for (path, html) in pages() {
        let scripts: Vec<&str> = html.split("<script").skip(1).collect();
        assert_eq!(scripts.len(), 1, "{path}");
        assert!(scripts[0].starts_with(" src=\"/docs/guide/search.js\" defer></script>"), "{path}");
        for tag in html.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
            let names: String = tag.split('"').step_by(2).collect();
            let is_inline = tag.starts_with("style") || names.contains(" style=") || names.contains(" on");
            assert!(!is_inline && !tag.contains("javascript:"), "{path}: <{tag}>");
        }
        for loaded in values(html, "src") {
            assert!(loaded.starts_with("/docs/guide/"), "{path}: {loaded}");
        }
    }
}

#[test]
fn every_id_of_a_page_is_unique() {
    for (path, html) in pages() {
        let ids = values(html, "id");
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), ids.len(), "{path}");
    }
}

#[test]
fn the_search_index_has_the_headings_and_words_of_all_documents() {
    let file = page("search.json").expect("an index");
    assert_eq!(file.content_type, "application/json");
    let index: serde_json::Value = serde_json::from_str(text(file)).expect("JSON");
    let documents = index["documents"].as_array().expect("documents");
    assert_eq!(documents.len(), pages().len());
    let page = documents.iter().find(|document| document["url"] == "/docs/guide/web").expect("web.md");
    let sections = page["sections"].as_array().expect("sections");
    let section = sections.iter().find(|section| section["id"] == "the-cookies").expect("a heading");
    assert_eq!(section["heading"], "The cookies");
    assert!(section["text"].as_str().expect("text").contains("SameSite=Strict"));
}

#[test]
fn files_have_their_type() {
    let kinds = [
        ("", "text/html; charset=utf-8"),
        ("style.css", "text/css; charset=utf-8"),
        ("search.js", "text/javascript; charset=utf-8"),
        ("pictures/browse.png", "image/png"),
    ];
    for (path, kind) in kinds {
        assert_eq!(page(path).map(|page| page.content_type), Some(kind), "{path}");
    }
    for path in ["nothing", "README.md", "../Cargo.toml", "/", "operating/"] {
        assert!(page(path).is_none(), "{path}");
    }
}
