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

/// A text of any length without invisible characters.
pub(crate) fn whole(text: &str) -> String {
    clean(text, usize::MAX, |_| false)
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

/// Control characters, marks that change the direction of text, characters without width or ink, and the tags and selectors
/// that can carry hidden text.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
                | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::{NAME_CHARACTERS_MAX, name, passage, whole};

    #[test]
    fn invisible_characters_are_removed() {
        assert_eq!(name("Ra\u{200B}in\u{202E} in\nLagos\u{E0041}\u{7}"), "Rain in Lagos");
        assert_eq!(passage("one\ntwo\u{2066}"), "one\ntwo");
        assert_eq!(name(" \u{200B} Rain \u{FEFF}"), "Rain");
        let without_ink = concat!(
            "\u{34F}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{2800}\u{3164}",
            "\u{FFA0}\u{1D173}\u{1D17A}\u{E0000}\u{E007F}",
        );
        assert_eq!(name(&format!("Ra{without_ink}in")), "Rain");
        assert_eq!(whole(&format!("one\n{without_ink}two")), "one\ntwo");
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
