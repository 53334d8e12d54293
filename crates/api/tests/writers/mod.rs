//! The JSON writer against `serde_json`, byte for byte: every kind of value, and a struct with each attribute that the
//! derive follows. `responses` has the text of every response.

mod generate;

use api::decimal::{AssetPrice, Money, Percent, Price, PriceChange, PropLine, Shares, Slippage, UnitPrice};
use api::json::{Decimals, WriteJson, Writer, pretty, to_vec};
use api::terms::Currency;
use api::timestamp::{OptionalDate, Timestamp};
use serde::Serialize;
use uuid::Uuid;

use generate::{Generate, Source};

const ROUNDS: u64 = 400;

fn check<T: Serialize + WriteJson + ?Sized>(value: &T, what: &str) {
    // The writer appends and leaves earlier bytes unchanged.
    let mut out = Writer::new(b"before".to_vec(), Decimals::Numbers);
    value.write_json(&mut out);
    let expected = serde_json::to_string(value).expect("serializable");
    let written = String::from_utf8(out.into_bytes()).expect("UTF-8");
    assert_eq!(written.strip_prefix("before"), Some(expected.as_str()), "{what}");
    assert_eq!(pretty(expected.as_bytes()), serde_json::to_string_pretty(value).expect("serializable"));
}

macro_rules! check_generated {
    ($($type:ty),+ $(,)?) => {$(
        for seed in 0..ROUNDS {
            let value = <$type>::generate(&mut Source::new(seed));
            check(&value, &format!("{} of seed {seed}", stringify!($type)));
        }
    )+};
}

/// A struct whose fields are all generated.
macro_rules! generated {
    ($(#[$attribute:meta])* struct $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty,)* }) => {
        #[derive(Serialize, WriteJson)]
        $(#[$attribute])*
        struct $name { $($(#[$of_field])* $field: $type,)* }

        impl Generate for $name {
            fn generate(source: &mut Source) -> $name {
                $name { $($field: Generate::generate(source),)* }
            }
        }
    };
}

generated! {
    #[serde(rename_all = "camelCase", tag = "type", rename = "everything")]
    struct Everything {
        #[serde(skip_serializing_if = "Option::is_none")]
        first_of_all: Option<u64>,
        outcome1_id: Uuid,
        volume24h: Money,
        r#type2: String,
        #[serde(rename = "USD")]
        dollars: Option<Shares>,
        #[serde(flatten)]
        inner: Inner,
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        words: Vec<Either>,
        pair: [u32; 2],
        boxed: Box<Inner>,
        #[serde(flatten)]
        absent: Option<Absent>,
    }
}

generated! {
    struct Inner {
        #[serde(skip_serializing_if = "String::is_empty")]
        snake_case: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        date: Option<OptionalDate>,
    }
}

generated! {
    struct Absent {
        present: bool,
    }
}

#[derive(Serialize, WriteJson)]
#[serde(untagged)]
enum Either {
    Text(String),
    Number(i64),
}

impl Generate for Either {
    fn generate(source: &mut Source) -> Either {
        match source.below(2) {
            0 => Either::Text(Generate::generate(source)),
            _ => Either::Number(Generate::generate(source)),
        }
    }
}

#[derive(Serialize, WriteJson)]
struct Generic<T> {
    #[serde(flatten)]
    members: Inner,
    value: Vec<T>,
}

#[test]
fn a_struct_is_written_as_its_attributes_say() {
    check_generated!(Everything, Inner);
    for seed in 0..ROUNDS {
        let source = &mut Source::new(seed);
        let members = Inner::generate(source);
        check(&Generic { members, value: Vec::<Percent>::generate(source) }, "Generic");
    }
}

#[test]
fn decimals_are_strings_where_they_are_asked_for_and_integers_are_not() {
    #[derive(WriteJson)]
    struct Row {
        price: Price,
        none: Option<Money>,
        list: Vec<PriceChange>,
        count: u64,
        seconds: i64,
    }
    let list = vec![PriceChange::from_units(-4), PriceChange::ZERO];
    let row = Row { price: Price::from_cents(70), none: None, list, count: 7, seconds: -1 };
    let mut out = Writer::new(Vec::new(), Decimals::Strings);
    row.write_json(&mut out);
    let expected = r#"{"price":"0.7","none":null,"list":["-0.04","0"],"count":7,"seconds":-1}"#;
    assert_eq!(String::from_utf8(out.into_bytes()).expect("UTF-8"), expected);
    assert_eq!(
        to_vec(&row),
        expected.replace("\"0.7\"", "0.7").replace("\"-0.04\",\"0\"", "-0.04,0").as_bytes()
    );
}

#[test]
fn values_are_written_as_serde_json_writes_them() {
    check_generated!(
        bool,
        u16,
        u32,
        u64,
        i64,
        String,
        Uuid,
        Timestamp,
        OptionalDate,
        Money,
        Shares,
        UnitPrice,
        PriceChange,
        Percent,
        AssetPrice,
        PropLine,
        Slippage,
        Price,
        Option<u64>,
        Vec<u32>,
        Vec<String>,
    );
    check(&Currency::Ngn, "a word");
}

#[test]
fn every_character_is_escaped_as_serde_json_escapes_it() {
    for code in (0..0x300).chain(0x2000..0x2100).chain([0xd7ff, 0xe000, 0xfffd, 0xffff, 0x1_f600, 0x10_ffff])
    {
        let character = char::from_u32(code).expect("not a surrogate");
        for text in [format!("{character}"), format!("a{character}b"), format!("{character}{character}é")] {
            check(text.as_str(), &format!("U+{code:04x}"));
        }
    }
}

#[test]
fn numbers_at_the_bounds_of_digits_are_written_as_serde_json_writes_them() {
    let powers = (0..19).map(|exponent| 10_i64.pow(exponent));
    let around = powers.flat_map(|power| [power - 1, power, power + 1, 5 * (power / 10), power / 2 * 3]);
    for units in around.chain([i64::MAX, i64::MAX - 1]).flat_map(|units| [units, -units]).chain([i64::MIN]) {
        check(&units, "i64");
        check(&Money::from_units(units), "Money");
        check(&Shares::from_units(units), "Shares");
        check(&Percent::from_units(units), "Percent");
        check(&units.unsigned_abs(), "u64");
    }
    (0..=100).for_each(|cents| check(&Price::from_cents(cents), "Price"));
    check(&u64::MAX, "u64");
}
