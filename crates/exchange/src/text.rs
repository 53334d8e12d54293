//! Immutable text, shared instead of copied. One word wide; an empty text owns nothing.

use core::borrow::Borrow;
use core::fmt;
use core::ops::Deref;

use arcstr::ArcStr;
use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(ArcStr);

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(ArcStr::from(text))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(ArcStr::from(text))
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

/// A text hashes and compares as its string does.
impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<C> Encode<C> for Text {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
        e.str(self)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Text {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Text, Error> {
        d.str().map(Text::from)
    }
}
