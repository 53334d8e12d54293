//! A macro for the closed sets of words in the contract, such as `BUY` and `SELL`: one line defines the type, its
//! spelling, its parser with a clear error, and its schema. The sets are in `terms.rs` and `error.rs`.

/// A closed set of words.
pub trait Word: Sized + Copy + 'static {
    const ALL: &'static [Self];

    fn as_str(self) -> &'static str;

    /// Finds a word with exactly this spelling.
    fn find(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.as_str() == text)
    }

    /// Finds a word in any case: for query strings, where clients differ.
    fn find_in_any_case(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.as_str().eq_ignore_ascii_case(text))
    }

    /// `A`, `A or B`, `A, B or C`.
    fn choices() -> String {
        let words: Vec<_> = Self::ALL.iter().map(|word| word.as_str()).collect();
        match words.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, first)) => format!("{} or {last}", first.join(", ")),
            None => String::new(),
        }
    }
}

/// Deserializes a word of a set from a JSON string.
pub(crate) struct WordVisitor<T>(pub(crate) std::marker::PhantomData<T>);

impl<T: Word> serde::de::Visitor<'_> for WordVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&T::choices())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        T::find(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

macro_rules! words {
    ($($(#[doc = $description:literal])+ $name:ident { $($variant:ident = $text:literal,)+ })*) => {$(
        $(#[doc = $description])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($variant,)+ }

        impl $crate::words::Word for $name {
            const ALL: &'static [$name] = &[$($name::$variant,)+];

            fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad($crate::words::Word::as_str(*self))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::words::Word::as_str(*self))
            }
        }

        impl $crate::json::WriteJson for $name {
            fn write_json(&self, out: &mut $crate::json::Writer) {
                let quoted = match self { $($name::$variant => concat!("\"", $text, "\""),)+ };
                out.raw(quoted.as_bytes());
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserializer.deserialize_str($crate::words::WordVisitor(std::marker::PhantomData))
            }
        }

        #[cfg(feature = "schemas")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::schema::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some([$($description.trim(),)+].join(" ")))
                    .enum_values(Some([$($text,)+]))
                    .into()
            }
        }

        #[cfg(feature = "schemas")]
        impl utoipa::ToSchema for $name {}
    )*};
}

pub(crate) use words;
