//! Words of the contract in answers. An exchange that is newer than this crate may send words that it does not know.

use std::borrow::Cow;
use std::fmt;

use api::Word;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A word of the contract, such as `OrderStatus::Filled`. Compare it directly: `order.status == OrderStatus::Filled`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term<W> {
    /// A word that this version knows.
    Known(W),
    /// A newer word.
    Unknown(String),
}

impl<W: Word> Term<W> {
    /// The word; none if this version does not know it.
    pub fn known(&self) -> Option<W> {
        match self {
            Term::Known(word) => Some(*word),
            Term::Unknown(_) => None,
        }
    }

    /// The word as the exchange spells it.
    pub fn as_str(&self) -> &str {
        match self {
            Term::Known(word) => word.as_str(),
            Term::Unknown(text) => text,
        }
    }

    fn of(text: Cow<'_, str>) -> Term<W> {
        W::find(&text).map_or_else(|| Term::Unknown(text.into_owned()), Term::Known)
    }
}

impl<W: Word + PartialEq> PartialEq<W> for Term<W> {
    fn eq(&self, word: &W) -> bool {
        self.known().as_ref() == Some(word)
    }
}

impl<W: Word> fmt::Display for Term<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl<W: Word> Serialize for Term<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, W: Word> Deserialize<'de> for Term<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Term<W>, D::Error> {
        Cow::<'de, str>::deserialize(deserializer).map(Term::of)
    }
}

/// A word that is missing, null or empty until it is known. For `#[serde(with)]`.
pub(crate) mod option {
    use super::{Cow, Deserialize, Deserializer, Serializer, Term, Word};

    pub(crate) fn serialize<S: Serializer, W: Word>(
        term: &Option<Term<W>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(term.as_ref().map_or("", Term::as_str))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, W: Word>(
        deserializer: D,
    ) -> Result<Option<Term<W>>, D::Error> {
        let text = Option::<Cow<'de, str>>::deserialize(deserializer)?;
        Ok(text.filter(|text| !text.is_empty()).map(Term::of))
    }
}

/// A date that is missing, null or empty until it is set. For `#[serde(with)]`.
pub(crate) mod date {
    use api::Timestamp;
    use serde::de::Error as _;

    use super::{Cow, Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        date: &Option<Timestamp>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match date {
            Some(date) => date.serialize(serializer),
            None => serializer.serialize_str(""),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        let text = Option::<Cow<'de, str>>::deserialize(deserializer)?;
        let text = text.filter(|text| !text.is_empty());
        text.map(|text| Timestamp::parse(&text)).transpose().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use api::Timestamp;
    use api::terms::{OrderStatus, OutcomeSide};
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Row {
        status: Term<OrderStatus>,
        #[serde(default, with = "option")]
        winner: Option<Term<OutcomeSide>>,
        #[serde(default, with = "date")]
        ends: Option<Timestamp>,
    }

    fn read(json: &str) -> Row {
        serde_json::from_str(json).expect("a row")
    }

    #[test]
    fn a_known_word_compares_and_a_newer_word_is_kept() {
        let row = read(r#"{"status":"open","winner":"NO"}"#);
        assert!(
            row.status == OrderStatus::Open && row.winner.is_some_and(|winner| winner == OutcomeSide::No)
        );
        let newer = read(r#"{"status":"suspended"}"#);
        assert_eq!((newer.status.known(), newer.status.as_str()), (None, "suspended"));
        assert_eq!(
            serde_json::to_string(&newer).expect("JSON"),
            r#"{"status":"suspended","winner":"","ends":""}"#
        );
    }

    #[test]
    fn empty_and_missing_words_and_dates_are_none() {
        for json in [r#"{"status":"open"}"#, r#"{"status":"open","winner":"","ends":""}"#] {
            let row = read(json);
            assert!(row.winner.is_none() && row.ends.is_none());
        }
        let row = read(r#"{"status":"open","winner":null,"ends":"1970-01-01T00:00:01Z"}"#);
        assert_eq!((row.winner.is_none(), row.ends), (true, Some(Timestamp::from_micros(1_000_000))));
        assert!(serde_json::from_str::<Row>(r#"{"status":"open","ends":"soon"}"#).is_err());
    }
}
