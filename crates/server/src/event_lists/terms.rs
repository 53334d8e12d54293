//! Index terms: a field value, a trigram of a title or a slug, or a word. The index has a set of events for each.

use exchange::catalogue::{Engine, EventKind, Status};
use exchange::id::{GameId, SeriesId};
use exchange::numbers::Currency;

/// A key of the index: one byte for the kind of term, then its value. Byte order puts a word before its continuations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(Box<[u8]>);

/// The texts that support substring search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchedText {
    Title,
    Slug,
}

/// Prefixes up to this length are terms of their own.
pub const PREFIX_LETTERS_MAX: usize = 2;

/// Padding after the end of a text, so that a gram starts at each letter. No title or slug contains it.
const END: char = '\0';

impl Term {
    fn new(kind: u8, value: &[u8]) -> Term {
        Term([&[kind], value].concat().into())
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn is_continued_by(&self, other: &Term) -> bool {
        other.0.starts_with(&self.0)
    }

    pub fn status(status: Status) -> Term {
        Term::new(b's', &[status as u8])
    }

    /// Of events that were cancelled and had never opened.
    pub fn never_opened() -> Term {
        Term::new(b'n', &[])
    }

    pub fn kind(kind: EventKind) -> Term {
        Term::new(b'k', &[kind as u8])
    }

    pub fn engine(engine: Engine) -> Term {
        Term::new(b'e', &[engine as u8])
    }

    pub fn currency(currency: Currency) -> Term {
        Term::new(b'm', &[currency as u8])
    }

    /// `category` must be lower case.
    pub fn category(category: &str) -> Term {
        Term::new(b'c', category.as_bytes())
    }

    /// `subcategory` must be lower case.
    pub fn subcategory(subcategory: &str) -> Term {
        Term::new(b'b', subcategory.as_bytes())
    }

    pub fn series(series: SeriesId) -> Term {
        Term::new(b'r', &series.as_u128().to_be_bytes())
    }

    pub fn game(game: GameId) -> Term {
        Term::new(b'g', &game.as_u128().to_be_bytes())
    }

    /// Up to three consecutive letters of a text. A shorter term is a prefix of the trigrams that start with it.
    pub fn gram(text: SearchedText, letters: &str) -> Term {
        let kind = match text {
            SearchedText::Title => b't',
            SearchedText::Slug => b'u',
        };
        Term::new(kind, letters.as_bytes())
    }

    /// A single letter of a text.
    pub fn letter(text: SearchedText, letter: &str) -> Term {
        let kind = match text {
            SearchedText::Title => b'x',
            SearchedText::Slug => b'y',
        };
        Term::new(kind, letter.as_bytes())
    }

    /// A word of the title.
    pub fn title_word(word: &str) -> Term {
        Term::new(b'v', word.as_bytes())
    }

    /// A word of any text.
    pub fn word(word: &str) -> Term {
        Term::new(b'w', word.as_bytes())
    }

    /// The first letters of a word of any text, at most `PREFIX_LETTERS_MAX`.
    pub fn prefix(letters: &str) -> Term {
        Term::new(b'p', letters.as_bytes())
    }

    /// The word, if this is a `word` term.
    pub fn as_word(&self) -> Option<&str> {
        match &*self.0 {
            [b'w', word @ ..] => str::from_utf8(word).ok(),
            _ => None,
        }
    }
}

/// The prefixes of a word that are terms of their own.
pub fn short_prefixes(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().map(|(start, letter)| start + letter.len_utf8());
    ends.take(PREFIX_LETTERS_MAX).map(|end| &word[..end])
}

/// The grams of a lower-case text, one starting at each letter.
pub fn grams_of(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().chain([END; 2]).collect();
    letters.windows(3).map(|three| three.iter().collect()).collect()
}

/// The grams of every text that contains `part`, which is lower case. A part of one or two letters is its own,
/// incomplete gram.
pub fn grams_within(part: &str) -> Vec<String> {
    let letters: Vec<char> = part.chars().collect();
    match letters.len() {
        0 => Vec::new(),
        1 | 2 => vec![part.to_owned()],
        _ => letters.windows(3).map(|three| three.iter().collect()).collect(),
    }
}

/// Whether the grams alone prove that a text contains `part`.
pub fn is_proved_by_grams(part: &str) -> bool {
    part.chars().count() <= 3 && !part.contains(END)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_a_text_is_found_by_its_grams() {
        let text = "naïve €5";
        let grams = grams_of(text);
        assert_eq!(grams.len(), text.chars().count());
        let letters: Vec<char> = text.chars().collect();
        for from in 0..letters.len() {
            for to in from + 1..=letters.len() {
                let part: String = letters[from..to].iter().collect();
                for gram in grams_within(&part) {
                    assert!(grams.iter().any(|has| has.starts_with(&gram)), "{gram:?} of {part:?}");
                }
            }
        }
        assert!(grams_within("").is_empty());
    }

    #[test]
    fn the_short_prefixes_of_a_word_are_its_first_letters() {
        let prefixes = |word| short_prefixes(word).collect::<Vec<_>>();
        assert_eq!(prefixes("élan"), ["é", "él"]);
        assert_eq!(prefixes("a"), ["a"]);
        assert!(prefixes("").is_empty());
    }

    #[test]
    fn terms_of_different_kinds_are_different() {
        let (word, title) = (Term::word("rain"), Term::title_word("rain"));
        assert_ne!(word, title);
        assert_eq!((word.as_word(), title.as_word()), (Some("rain"), None));
        assert!(Term::word("ra").is_continued_by(&word) && !Term::word("ra").is_continued_by(&title));
    }
}
