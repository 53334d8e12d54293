//! Texts that come from the venue, made safe to show: no invisible characters, a bounded length.
//!
//! They are data for the reader. They go into named fields of answers and nowhere else.

/// Of titles, labels and slugs.
pub(crate) const NAME_CHARACTERS_MAX: usize = 200;
/// Of descriptions, rules and evidence.
pub(crate) const PASSAGE_CHARACTERS_MAX: usize = 4_000;

/// A title, a label or a slug, on one line and without spaces around it.
pub(crate) fn name(text: &str) -> String {
    clean(text.trim(), NAME_CHARACTERS_MAX, |character| character == '\n' || character == '\t')
        .trim()
        .to_owned()
}

/// A longer text; its lines stay.
pub(crate) fn passage(text: &str) -> String {
    clean(text, PASSAGE_CHARACTERS_MAX, |_| false)
}

/// Removes characters that a person does not see, and cuts the rest. `is_space` characters become spaces.
fn clean(text: &str, characters_max: usize, is_space: impl Fn(char) -> bool) -> String {
    let shown = text.chars().filter_map(|character| match character {
        character if is_space(character) => Some(' '),
        '\n' | '\t' => Some(character),
        character if is_invisible(character) => None,
        character => Some(character),
    });
    let mut cleaned: String = shown.clone().take(characters_max).collect();
    if shown.clone().nth(characters_max).is_some() {
        cleaned.push('…');
    }
    cleaned
}

/// Control characters, marks that change the direction of text, characters without width, and the tags and selectors that
/// can carry hidden text.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::{NAME_CHARACTERS_MAX, name, passage};

    #[test]
    fn invisible_characters_are_removed() {
        assert_eq!(name("Ra\u{200B}in\u{202E} in\nLagos\u{E0041}\u{7}"), "Rain in Lagos");
        assert_eq!(passage("one\ntwo\u{2066}"), "one\ntwo");
        assert_eq!(name(" \u{200B} Rain \u{FEFF}"), "Rain");
        assert_eq!(name("Wird es in Łódź regnen? 雨"), "Wird es in Łódź regnen? 雨");
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        let long = "ä".repeat(NAME_CHARACTERS_MAX + 1);
        let cut = name(&long);
        assert_eq!(cut.chars().count(), NAME_CHARACTERS_MAX + 1);
        assert!(cut.ends_with('…'));
        let fits = "ä".repeat(NAME_CHARACTERS_MAX);
        assert_eq!(name(&fits), fits);
    }
}
