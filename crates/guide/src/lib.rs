//! The documents of this repository as a site: one HTML page for each Markdown file, their pictures, a style sheet, and
//! a search that runs in the browser. The server serves it at `/docs/guide`.
//!
//! The crate reads no file at run time and opens no connection. `documents` embeds, `order` sorts, `render` translates
//! Markdown, `layout` adds the frame of a page, `search` writes the index. No page contains inline script or style.

mod documents;
mod headings;
mod html;
mod layout;
mod links;
mod order;
mod render;
mod search;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use documents::Assets;
use render::Rendered;

/// The path of the first page. All links of the site begin with it.
pub const PREFIX: &str = "/docs/guide";

/// A file of the site.
#[derive(Debug)]
pub struct Page {
    pub content_type: &'static str,
    pub bytes: Cow<'static, [u8]>,
}

impl Page {
    fn new(path: &str, bytes: Cow<'static, [u8]>) -> Page {
        Page { content_type: content_type(path), bytes }
    }
}

/// All files by path below `PREFIX`, rendered when they are first asked for.
static SITE: LazyLock<BTreeMap<String, Page>> = LazyLock::new(build);

/// The file at a path below `PREFIX`, without a leading slash. The first page has the empty path.
pub fn page(path: &str) -> Option<&'static Page> {
    SITE.get(path)
}

/// All files by path.
pub fn pages() -> impl Iterator<Item = (&'static str, &'static Page)> {
    SITE.iter().map(|(path, page)| (path.as_str(), page))
}

/// The paths of all files.
pub fn paths() -> impl Iterator<Item = &'static str> {
    SITE.keys().map(String::as_str)
}

fn build() -> BTreeMap<String, Page> {
    let library = documents::library();
    let render = |path: &&str| render::render(path, library.text(path).unwrap_or_default(), &library);
    let ordered = order::ordered(&library);
    let rendered: Vec<Rendered> = ordered.iter().flat_map(|group| &group.documents).map(render).collect();
    let mut site = BTreeMap::new();
    for (index, document) in rendered.iter().enumerate() {
        let html = layout::page(&rendered, index, &ordered);
        site.insert(document.place.clone(), Page::new("index.html", Cow::Owned(html.into_bytes())));
    }
    let index = search::index(&rendered).into_bytes();
    site.insert("search.json".to_owned(), Page::new("search.json", Cow::Owned(index)));
    for (place, bytes) in library.into_pictures() {
        let page = Page::new(&place, bytes);
        site.insert(place, page);
    }
    for name in Assets::iter() {
        if let Some(file) = Assets::get(&name) {
            site.insert(name.to_string(), Page::new(&name, file.data));
        }
    }
    site
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        _ => "application/octet-stream",
    }
}
