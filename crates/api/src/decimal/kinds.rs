//! The decimal types of the contract, each with its smallest unit. A new kind is one line of the table below.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::print::DecimalText;
use super::scan::NumberFault;
use super::{deserialize, parse, serialize};
use crate::json::{WriteJson, Writer, write_decimal};

/// A number stored as an integer count of 10^-n.
pub trait DecimalKind: Copy {
    const PLACES: u32;
    fn units(self) -> i64;
}

macro_rules! decimal_kinds {
    ($($name:ident, $places:literal, $example:literal, $description:literal;)*) => {$(
        #[doc = $description]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        impl $name {
            pub const ZERO: $name = $name(0);
            /// Decimal places that are exact.
            pub const PLACES: u32 = $places;

            pub const fn from_units(units: i64) -> $name {
                $name(units)
            }

            pub const fn units(self) -> i64 {
                self.0
            }

            /// Reads the text of a JSON number, rounded half up to the unit.
            pub fn parse(text: &str) -> Result<$name, NumberFault> {
                parse(text, $places).map($name)
            }
        }

        impl DecimalKind for $name {
            const PLACES: u32 = $places;

            fn units(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                DecimalText::new(self.0, $places).fmt(formatter)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize(self.0, $places, serializer)
            }
        }

        impl WriteJson for $name {
            fn write_json(&self, out: &mut Writer) {
                write_decimal::<$places>(self.0, out);
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                deserialize(deserializer, $name::parse)
            }
        }

        #[cfg(feature = "schemas")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                crate::schema::number($description, $example).into()
            }
        }

        #[cfg(feature = "schemas")]
        impl utoipa::ToSchema for $name {}
    )*};
}

decimal_kinds! {
    Money,      6, "98.039212", "An amount of money in its currency, exact to 10^-6.";
    Shares,     4, "192.3831",  "A number of shares, exact to 10^-4.";
    UnitPrice,  6, "0.509604",  "A price per share between 0 and 1 that may be an average, to 10^-6, rounded half up.";
    PriceChange, 2, "-0.04",    "A difference of two prices in whole cents; it may be negative.";
    Percent,    2, "92.38",     "A percentage with two decimals: 2 means 2 %.";
    AssetPrice, 6, "96250.5",   "The price of an asset in what it is quoted in, exact to 10^-6.";
    PropLine,   2, "2.5",       "The line of a prop market, such as a number of goals.";
    Slippage,   4, "0.05",      "How far from the best price an order may trade, as a part of it: 0.05 is 5 %.";
}
