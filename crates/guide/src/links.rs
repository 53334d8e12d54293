//! Targets of links: a relative path of the repository becomes a URL of the site.

use crate::PREFIX;
use crate::documents::Library;

/// Schemes that a link may have.
const SCHEMES: [&str; 3] = ["https", "http", "mailto"];

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A page or picture of the site, a heading of the same page, another path of this server, or another site.
    Url(String),
    /// A path of the repository that the site does not have, such as a script.
    Source(String),
    /// A scheme that is not allowed, such as `javascript`.
    Refused,
}

/// Resolves a link in the document `from`.
pub(crate) fn resolve(from: &str, link: &str, library: &Library) -> Target {
    if let Some(scheme) = scheme_of(link) {
        let is_allowed = SCHEMES.iter().any(|allowed| scheme.eq_ignore_ascii_case(allowed));
        return if is_allowed { Target::Url(link.to_owned()) } else { Target::Refused };
    }
    if link.starts_with("//") {
        return Target::Refused;
    }
    if link.starts_with(['#', '/']) {
        return Target::Url(link.to_owned());
    }
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let path = join(from, path);
    match library.place(&path) {
        Some(place) => Target::Url(url(&place, fragment)),
        None => Target::Source(path),
    }
}

/// The URL of a place in the site, with the id of a heading or an empty string.
pub(crate) fn url(place: &str, fragment: &str) -> String {
    let slash = if place.is_empty() { "" } else { "/" };
    let hash = if fragment.is_empty() { "" } else { "#" };
    format!("{PREFIX}{slash}{place}{hash}{fragment}")
}

fn scheme_of(link: &str) -> Option<&str> {
    let (scheme, _) = link.split_once(':')?;
    (!scheme.contains(['/', '?', '#'])).then_some(scheme)
}

/// A path relative to the folder of the document `from`, without `.` and `..`.
fn join(from: &str, path: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::{Target, resolve};
    use crate::documents::Library;

    #[test]
    fn links_between_documents_become_urls_of_the_site() {
        let documents = ["README.md", "docs/web.md", "docs/operating/README.md", "docs/operating/cluster.md"];
        let library = Library::planted(&documents.map(|path| (path, "")), &["docs/pictures/a.png"]);
        for (from, link, expected) in [
            ("README.md", "docs/operating/cluster.md", "/docs/guide/operating/cluster"),
            ("README.md", "docs/operating/", "/docs/guide/operating"),
            ("docs/operating/cluster.md", "../web.md#the-cookies", "/docs/guide/web#the-cookies"),
            ("docs/operating/cluster.md", "README.md", "/docs/guide/operating"),
            ("docs/web.md", "../README.md#read-on", "/docs/guide#read-on"),
            ("docs/web.md", "./pictures/a.png", "/docs/guide/pictures/a.png"),
            ("docs/web.md", "#caches", "#caches"),
            ("docs/web.md", "/openapi.json", "/openapi.json"),
            ("docs/web.md", "https://example.org/a.md", "https://example.org/a.md"),
        ] {
            assert_eq!(resolve(from, link, &library), Target::Url(expected.to_owned()), "{from}: {link}");
        }
    }

    #[test]
    fn other_files_are_named_and_foreign_schemes_refused() {
        let library = Library::planted(&[], &[]);
        let source = |path: &str| Target::Source(path.to_owned());
        assert_eq!(resolve("docs/api-guide.md", "../scripts/sign.sh", &library), source("scripts/sign.sh"));
        assert_eq!(resolve("README.md", "docs/gone.md#a", &library), source("docs/gone.md"));
        for link in ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,a", "//example.org"] {
            assert_eq!(resolve("README.md", link, &library), Target::Refused, "{link}");
        }
    }
}
