//! Ids of headings, by the rules of GitHub, so that an anchor works there and here.

use std::collections::HashMap;

/// A heading of a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// 1 to 6.
    pub(crate) level: u8,
    pub(crate) id: String,
    pub(crate) text: String,
}

/// The ids that a document has used.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    used: HashMap<String, usize>,
}

impl Ids {
    /// The slug of a heading; a repeated one gets `-1`, `-2` and so on.
    pub(crate) fn next(&mut self, heading: &str) -> String {
        let slug = slug(heading);
        let uses = self.used.entry(slug.clone()).or_default();
        let id = if *uses == 0 { slug } else { format!("{slug}-{uses}") };
        *uses += 1;
        id
    }
}

/// Lower case; spaces become hyphens; of other characters only letters, digits, hyphens and underscores stay.
fn slug(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower.chars().filter_map(|character| match character {
        ' ' => Some('-'),
        '-' | '_' => Some(character),
        _ => character.is_alphanumeric().then_some(character),
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::Ids;

    #[test]
    fn ids_are_those_of_github() {
        let mut ids = Ids::default();
        for (heading, id) in [
            ("Several nodes on one log", "several-nodes-on-one-log"),
            ("401: reason", "401-reason"),
            ("Where is…?", "where-is"),
            ("Where is", "where-is-1"),
            ("Other sites (CSRF)", "other-sites-csrf"),
            ("bellwether serve --skip-seq", "bellwether-serve---skip-seq"),
            ("a_name & another", "a_name--another"),
        ] {
            assert_eq!(ids.next(heading), id);
        }
    }
}
