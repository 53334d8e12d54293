//! The known word that is most like a misspelt one, for messages.

/// `None` if no known word has anything in common with it.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |known: &str| strsim::jaro_winkler(word, known);
    let alike = known.into_iter().filter(|known| likeness(known) > 0.0);
    alike.max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_finger_leads_to_the_word_that_was_meant() {
        let known = ["error", "warn", "info", "debug", "trace", "access"];
        for (word, meant) in [("wran", "warn"), ("acess", "access"), ("inof", "info"), ("warning", "warn")] {
            assert_eq!(nearest(word, known), Some(meant), "{word}");
        }
        assert_eq!(nearest("xyz", known), None);
    }
}
