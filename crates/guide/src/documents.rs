//! The embedded files: all of `docs`, four documents of the root folder, and our own assets. A path of a document is
//! its path in the repository.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rust_embed::Embed;

#[derive(Embed)]
#[folder = "../../docs"]
struct Docs;

#[derive(Embed)]
#[folder = "assets"]
pub(crate) struct Assets;

const ROOT: [(&str, &str); 4] = [
    ("README.md", include_str!("../../../README.md")),
    ("ARCHITECTURE.md", include_str!("../../../ARCHITECTURE.md")),
    ("CONTRIBUTING.md", include_str!("../../../CONTRIBUTING.md")),
    ("CHANGELOG.md", include_str!("../../../CHANGELOG.md")),
];

/// The folder of `Docs` in the repository.
const DOCS: &str = "docs/";
/// The document that a folder's path leads to.
pub(crate) const INDEX: &str = "README.md";

/// Documents and pictures by path in the repository.
#[derive(Debug, Default)]
pub(crate) struct Library {
    documents: BTreeMap<String, Cow<'static, str>>,
    pictures: BTreeMap<String, Cow<'static, [u8]>>,
}

/// All embedded documents and pictures.
pub(crate) fn library() -> Library {
    let mut library = Library::default();
    for (path, text) in ROOT {
        library.documents.insert(path.to_owned(), Cow::Borrowed(text));
    }
    for name in Docs::iter() {
        let Some(file) = Docs::get(&name) else { continue };
        let path = format!("{DOCS}{name}");
        if path.ends_with(".md") {
            let text = String::from_utf8_lossy(&file.data).into_owned();
            library.documents.insert(path, Cow::Owned(text));
        } else {
            library.pictures.insert(path, file.data);
        }
    }
    library
}

impl Library {
    /// Paths of all documents, in alphabetical order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.documents.keys().map(String::as_str)
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.documents.get(path).map(AsRef::as_ref)
    }

    /// The place in the site of a file or folder of the repository, if the site has it.
    pub(crate) fn place(&self, path: &str) -> Option<String> {
        let index = format!("{}{INDEX}", if path.is_empty() { String::new() } else { format!("{path}/") });
        if self.documents.contains_key(path) {
            Some(place_of_document(path))
        } else if self.documents.contains_key(&index) {
            Some(place_of_document(&index))
        } else {
            self.pictures.contains_key(path).then(|| below_docs(path).to_owned())
        }
    }

    /// Each picture with its place in the site.
    pub(crate) fn into_pictures(self) -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
        self.pictures.into_iter().map(|(path, bytes)| (below_docs(&path).to_owned(), bytes))
    }

    #[cfg(test)]
    pub(crate) fn planted(documents: &[(&'static str, &'static str)], pictures: &[&str]) -> Library {
        let documents = documents.iter().map(|(path, text)| ((*path).to_owned(), Cow::Borrowed(*text)));
        let pictures = pictures.iter().map(|path| ((*path).to_owned(), Cow::Borrowed(&b""[..])));
        Library { documents: documents.collect(), pictures: pictures.collect() }
    }
}

/// `README.md` is the first page, `docs/a/README.md` is `a`, `docs/a/b.md` is `a/b`, `CHANGELOG.md` is `changelog`.
pub(crate) fn place_of_document(path: &str) -> String {
    // The root folder's index has the empty place already.
    if path == "docs/README.md" {
        return "documents".to_owned();
    }
    let stem = below_docs(path).trim_end_matches(".md");
    stem.strip_suffix("README").unwrap_or(stem).trim_end_matches('/').to_lowercase()
}

fn below_docs(path: &str) -> &str {
    path.strip_prefix(DOCS).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{Library, place_of_document};

    #[test]
    fn a_place_is_the_path_without_ending_and_folder_of_documents() {
        for (path, place) in [
            ("README.md", ""),
            ("CHANGELOG.md", "changelog"),
            ("docs/README.md", "documents"),
            ("docs/api-guide.md", "api-guide"),
            ("docs/operating/README.md", "operating"),
            ("docs/operating/one-machine.md", "operating/one-machine"),
        ] {
            assert_eq!(place_of_document(path), place);
        }
    }

    #[test]
    fn a_folder_leads_to_its_index() {
        let library = Library::planted(&[("README.md", ""), ("docs/a/README.md", "")], &["docs/p/q.png"]);
        assert_eq!(library.place("").as_deref(), Some(""));
        assert_eq!(library.place("docs/a").as_deref(), Some("a"));
        assert_eq!(library.place("docs/p/q.png").as_deref(), Some("p/q.png"));
        assert_eq!(library.place("docs"), None);
        assert_eq!(library.place("docs/b.md"), None);
    }
}
