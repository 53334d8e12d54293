//! How long an answer may be cached, its tag, and conditional requests.

use std::hash::{DefaultHasher, Hash, Hasher};

use http::header;

use super::fields::Fields;

/// How quickly a response becomes outdated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// At once (prices). A cache must revalidate it with its tag.
    Live,
    /// Slowly (names, dates).
    Slow,
    /// Once a minute (pictures).
    Minute,
}

impl Freshness {
    pub(crate) const fn cache_control(self) -> &'static str {
        match self {
            Freshness::Live => "public, no-cache",
            Freshness::Slow => "public, max-age=10",
            Freshness::Minute => "public, max-age=60",
        }
    }
}

/// A weak tag, because the same content may be sent compressed or not.
pub(crate) fn tag_of(bytes: &[u8]) -> String {
    // A tag only distinguishes versions of a response; it needs no cryptographic hash.
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("W/\"{:x}-{:016x}\"", bytes.len(), hasher.finish())
}

/// The tags of what a client has, as one list.
pub(crate) fn known_tags(fields: &dyn Fields) -> Option<Vec<u8>> {
    let mut list: Option<Vec<u8>> = None;
    fields.any(&header::IF_NONE_MATCH, &mut |value| {
        let list = list.get_or_insert_default();
        if !list.is_empty() {
            list.push(b',');
        }
        list.extend_from_slice(value);
        false
    });
    list
}

/// RFC 9110, If-None-Match: a list of tags, compared weakly, or `*`.
pub(crate) fn is_known(known: &[u8], tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let wanted = opaque(tag);
    let known = std::str::from_utf8(known).unwrap_or_default();
    known.split(',').any(|given| given.trim() == "*" || opaque(given) == wanted)
}

#[cfg(test)]
mod tests {
    use super::{is_known, tag_of};

    #[test]
    fn a_tag_is_known_in_a_list_weak_or_strong() {
        let tag = tag_of(b"body");
        let strong = tag.trim_start_matches("W/").to_owned();
        let asked = |field: &str| is_known(field.as_bytes(), &tag);
        assert!(asked(&tag) && asked(&strong) && asked("*"));
        assert!(asked(&format!("\"other\", {tag}")) && asked(&format!("W/\"a\",{strong} ")));
        assert!(!asked("\"other\"") && !asked("") && !asked(&tag_of(b"bodies")));
    }
}
