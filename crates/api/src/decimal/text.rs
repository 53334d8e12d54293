//! Exact numbers inside JSON strings, as used by activities: `"0.7235"`.

use super::kinds::DecimalKind;
use super::print::DecimalText;
use crate::json::{WriteJson, Writer};

/// An exact number that is written as a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalString {
    units: i64,
    places: u32,
}

impl DecimalString {
    pub const fn integer(value: i64) -> DecimalString {
        DecimalString { units: value, places: 0 }
    }
}

impl<T: DecimalKind> From<T> for DecimalString {
    fn from(value: T) -> DecimalString {
        DecimalString { units: value.units(), places: T::PLACES }
    }
}

impl WriteJson for DecimalString {
    fn write_json(&self, out: &mut Writer) {
        DecimalText::new(self.units, self.places).as_str().write_json(out);
    }
}
