//! Full-text search: splits texts into words, and limits queries.

use super::raw::RawQuery;
use crate::error::BadRequest;

/// Significant letters of a word; a text without spaces must not become one endless word.
const LETTERS_MAX: usize = 32;
/// Each word of a search is a separate lookup.
const WORDS_MAX: usize = 8;

/// The words of a text in order, in lower case: runs of letters and digits.
pub fn words_of(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(|part| part.to_lowercase().chars().take(LETTERS_MAX).collect())
}

/// The words of a parameter; empty if it is absent.
pub(super) fn read(query: &RawQuery, name: &str) -> Result<Vec<String>, BadRequest> {
    let Some(text) = query.bounded(name, 100)? else { return Ok(Vec::new()) };
    let words: Vec<String> = words_of(&text).collect();
    match words.len() {
        0 if !text.trim().is_empty() => Err(BadRequest::at(name, "must have a letter or a digit")),
        0..=WORDS_MAX => Ok(words),
        _ => Err(BadRequest::at(name, format!("must have at most {WORDS_MAX} words"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_lowercase_words_in_their_order() {
        let words: Vec<String> = words_of("Dollar/Naira: will the DOLLAR reach ₦2,000? #btc").collect();
        assert_eq!(words, ["dollar", "naira", "will", "the", "dollar", "reach", "2", "000", "btc"]);
        assert_eq!(words_of(&"x".repeat(100)).next().map(|word| word.len()), Some(32));
    }
}
