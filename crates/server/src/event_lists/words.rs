//! Typo-tolerant word matching.

use std::collections::BTreeSet;

/// Shorter words have too many neighbours for typo matching.
const TYPO_LETTERS_MIN: usize = 4;

/// The word itself, and the word without each one of its letters. Two words that are one typo apart share a variant.
/// Empty for a short word.
pub fn variants_of(word: &str) -> BTreeSet<String> {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() < TYPO_LETTERS_MIN {
        return BTreeSet::new();
    }
    let without = |left_out: usize| {
        let kept = letters.iter().enumerate().filter(move |(place, _)| *place != left_out);
        kept.map(|(_, letter)| *letter).collect()
    };
    (0..letters.len()).map(without).chain([word.to_owned()]).collect()
}

/// Whether the words differ by one inserted, missing or wrong letter, or by two swapped neighbours.
pub fn is_one_typo_apart(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same_from_start = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same_from_start..], &other[same_from_start..]);
    match (one, other) {
        ([], []) => false,
        ([a, one_rest @ ..], [b, other_rest @ ..]) => {
            one_rest == other_rest
                || one_rest == other
                || one == other_rest
                || matches!((one_rest, other_rest), ([c, after @ ..], [d, then @ ..]) if a == d && b == c && after == then)
        }
        (rest, []) | ([], rest) => rest.len() == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_distinguished_from_other_words() {
        for (one, other) in [
            ("naira", "naria"),
            ("naira", "nira"),
            ("naira", "nairaa"),
            ("naira", "maira"),
            ("naira", "nairo"),
        ] {
            assert!(is_one_typo_apart(one, other) && is_one_typo_apart(other, one), "{one} {other}");
            assert!(!variants_of(one).is_disjoint(&variants_of(other)), "{one} {other}");
        }
        for (one, other) in [("naira", "naira"), ("naira", "niara x"), ("naira", "airan"), ("naira", "dinar")]
        {
            assert!(!is_one_typo_apart(one, other) && !is_one_typo_apart(other, one), "{one} {other}");
        }
        assert!(variants_of("btc").is_empty());
    }
}
