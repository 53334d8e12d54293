//! The build of the web pages, embedded in the executable. `cargo xtask web` makes it.
//!
//! Files under `assets` have stable names, so that the repository can store two builds as their difference. A browser gets them
//! from a folder that the content of all of them names, such as `/assets/4f2a81c09b7d/index.js`: no path ever changes its
//! content, and a file that imports another one relative to itself stays in its build.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use rust_embed::Embed;
use sha2::{Digest, Sha256};

use super::assets::{HTML, kind_of};
use crate::http::unchanging::Unchanging;

#[derive(Embed)]
#[folder = "../../web/dist"]
struct Embedded;

/// Where the files of a page are.
const FOLDER: &str = "assets/";

/// The name of the build.
static BUILD: LazyLock<String> = LazyLock::new(|| {
    let mut paths: Vec<Cow<'static, str>> =
        Embedded::iter().filter(|path| path.starts_with(FOLDER)).collect();
    paths.sort_unstable();
    let mut hash = Sha256::new();
    for path in &paths {
        hash.update(path.as_bytes());
        hash.update(Embedded::get(path).map_or([0; 32], |file| file.metadata.sha256_hash()));
    }
    HEXLOWER.encode(&hash.finalize()[..6])
});

/// The two pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    Trader,
    Operator,
}

impl PageKind {
    pub(super) const ALL: [PageKind; 2] = [PageKind::Trader, PageKind::Operator];

    pub(super) const fn path(self) -> &'static str {
        match self {
            PageKind::Trader => "index.html",
            PageKind::Operator => "operator.html",
        }
    }

    /// None if the build has no such page.
    pub(super) fn page(self) -> Option<&'static Page> {
        static TRADER: LazyLock<Option<Page>> = LazyLock::new(|| Page::of(PageKind::Trader));
        static OPERATOR: LazyLock<Option<Page>> = LazyLock::new(|| Page::of(PageKind::Operator));
        match self {
            PageKind::Trader => TRADER.as_ref(),
            PageKind::Operator => OPERATOR.as_ref(),
        }
    }
}

/// A page that names its files in the folder of the build.
pub(super) struct Page {
    pub(super) text: String,
    pub(super) file: Unchanging,
}

impl Page {
    fn of(kind: PageKind) -> Option<Page> {
        let file = Embedded::get(kind.path())?;
        let built = std::str::from_utf8(&file.data).ok()?;
        let text = built.replace("\"/assets/", &format!("\"/assets/{}/", *BUILD));
        Some(Page { file: Unchanging::new(HTML, text.clone()), text })
    }
}

/// The files of the build that are not pages, by their path in it.
static FILES: LazyLock<HashMap<Cow<'static, str>, Unchanging>> = LazyLock::new(|| {
    let is_page = |path: &str| PageKind::ALL.iter().any(|kind| kind.path() == path);
    let files = Embedded::iter().filter(|path| !is_page(path)).filter_map(|path| {
        let bytes = match Embedded::get(&path)?.data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        let file = Unchanging::new(kind_of(&path), bytes);
        Some((path, file))
    });
    files.collect()
});

/// The file at a path that a browser asks for, without the first slash, and its path in the build.
pub(super) fn file(path: &str) -> Option<(&'static str, &'static Unchanging)> {
    let path = match path.strip_prefix(FOLDER) {
        Some(inside) => format!("{FOLDER}{}", inside.strip_prefix(BUILD.as_str())?.strip_prefix('/')?),
        None => path.to_owned(),
    };
    FILES.get_key_value(path.as_str()).map(|(path, file)| (&**path, file))
}

#[cfg(test)]
mod tests {
    use super::{BUILD, Embedded, FOLDER, PageKind, file};

    fn text_of(path: &str) -> String {
        let file = Embedded::get(path).expect("a file of the build");
        String::from_utf8(file.data.into_owned()).expect("text")
    }

    #[test]
    fn both_pages_are_there_and_load_nothing_that_the_policy_forbids() {
        for kind in PageKind::ALL {
            let page = &kind.page().expect("a page").text;
            assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"), "{page}");
            for forbidden in ["<style", "style=\"", "javascript:", " onload=", "src=\"http", "href=\"http"] {
                assert!(!page.contains(forbidden), "{kind:?} has {forbidden}");
            }
            for script in page.split("<script").skip(1) {
                let tag = script.split('>').next().unwrap_or_default();
                assert!(tag.contains(" src=\"/") && !tag.contains(" src=\"//"), "{kind:?}: {tag}");
            }
        }
    }

    #[test]
    fn a_page_names_files_of_its_build_alone() {
        for kind in PageKind::ALL {
            let page = &kind.page().expect("a page").text;
            let named: Vec<&str> = page.split('"').filter(|part| part.starts_with("/assets/")).collect();
            assert!(named.len() > 2, "{kind:?} loads code and styles");
            for path in named {
                assert!(file(&path[1..]).is_some(), "{kind:?}: {path}");
            }
        }
    }

    #[test]
    fn a_file_under_assets_has_no_other_path() {
        let path = Embedded::iter().find(|path| path.starts_with(FOLDER)).expect("a file under assets");
        let name = &path[FOLDER.len()..];
        assert_eq!(file(&format!("assets/{}/{name}", *BUILD)).map(|(path, _)| path), Some(&*path));
        let others = [
            format!("assets/{name}"),
            format!("assets/000000000000/{name}"),
            format!("assets/{}{name}", *BUILD),
        ];
        for other in others {
            assert!(file(&other).is_none(), "{other}");
        }
    }

    /// A path from the root would leave out the folder of the build.
    #[test]
    fn files_name_each_other_relative_to_themselves() {
        for path in Embedded::iter().filter(|path| path.starts_with(FOLDER)) {
            let text = text_of(&path);
            for quote in ['"', '`', '\''] {
                assert!(!text.contains(&format!("{quote}/assets/")), "{path}");
                let names = [format!("from{quote}./"), format!("import({quote}./")]
                    .map(|start| text.split(&start).skip(1).map(str::to_owned).collect::<Vec<_>>())
                    .concat();
                for name in names.iter().filter_map(|import| import.split(quote).next()) {
                    assert!(Embedded::get(&format!("{FOLDER}{name}")).is_some(), "{path} imports {name}");
                }
            }
        }
    }

    #[test]
    fn a_page_is_no_file() {
        assert!(file("index.html").is_none() && file("operator.html").is_none());
        assert!(file("favicon.svg").is_some());
    }
}
