//! Exact numbers through serde: printed numbers are read back unchanged, without a float in between.

use api::decimal::{self, AssetPrice, DecimalString, Money, Percent, Price, PriceChange, Shares, UnitPrice};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, PartialEq)]
struct Numbers {
    money: Money,
    shares: Shares,
    price: Price,
    average: UnitPrice,
    percent: Option<Percent>,
    asset: Option<AssetPrice>,
    list: Vec<PriceChange>,
}

#[test]
fn numbers_are_written_exactly_and_read_back() {
    let numbers = Numbers {
        money: Money::from_units(99_999_997),
        shares: Shares::from_units(1_923_831),
        price: Price::from_cents(70),
        average: UnitPrice::from_units(509_604),
        percent: Some(Percent::from_units(-392)),
        asset: None,
        list: vec![PriceChange::from_units(-4), PriceChange::ZERO, PriceChange::from_units(100)],
    };
    let text = serde_json::to_string(&numbers).unwrap();
    assert_eq!(
        text,
        r#"{"money":99.999997,"shares":192.3831,"price":0.7,"average":0.509604,"percent":-3.92,"asset":null,"list":[-0.04,0,1]}"#
    );
    assert_eq!(serde_json::from_str::<Numbers>(&text).unwrap(), numbers);
    assert_eq!(serde_json::from_slice::<Numbers>(text.as_bytes()).unwrap(), numbers);
}

/// A float has 53 bits: these would change if a float were used anywhere.
#[test]
fn numbers_beyond_a_float_stay_exact() {
    for (units, text) in [
        (9_007_199_254_740_993, "9007199254.740993"),
        (i64::MAX, "9223372036854.775807"),
        (i64::MIN, "-9223372036854.775808"),
        (4_611_686_018_427_387_905, "4611686018427.387905"),
    ] {
        assert_eq!(serde_json::to_string(&Money::from_units(units)).unwrap(), text);
        assert_eq!(serde_json::from_str::<Money>(text).unwrap().units(), units);
    }
}

#[test]
fn excess_decimals_are_rounded_half_up() {
    let table = [
        ("0.0000005", 1),
        ("0.00000049999999999999999999999", 0),
        ("1.9999995", 2_000_000),
        ("100", 100_000_000),
        ("1e2", 100_000_000),
        ("1.5E-3", 1_500),
        ("-0.0000005", -1),
        ("-0", 0),
        ("123456789012.1234567890123456789012345678901234567890", 123_456_789_012_123_457),
    ];
    for (text, units) in table {
        assert_eq!(serde_json::from_str::<Money>(text).unwrap().units(), units, "{text}");
    }
}

#[test]
fn other_values_are_refused_with_a_message() {
    let table = [
        (r#""1""#, "must be a number, not a string"),
        ("true", "must be a number, not a boolean"),
        ("[1]", "must be a number, not a list"),
        ("{}", "must be a number, not an object"),
        ("null", "must be a number, not null"),
        ("1e41", "has an exponent out of range (at most 40 either way)"),
        ("1e-41", "has an exponent out of range (at most 40 either way)"),
        ("1e30", "is too large"),
        ("9223372036854.775808", "is too large"),
        ("12345678901234567890", "is too large"),
    ];
    for (text, message) in table {
        let error = serde_json::from_str::<Money>(text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
    for text in ["NaN", "Infinity", "-Infinity", "01", "1.", ".5", "+1", "1_000", "0x1", ""] {
        assert!(serde_json::from_str::<Money>(text).is_err(), "{text}");
    }
}

#[test]
fn activities_write_numbers_as_strings() {
    let strings: [DecimalString; 4] = [
        UnitPrice::from_units(723_500).into(),
        Money::from_units(102_000_000).into(),
        Shares::from_units(1_382_100).into(),
        DecimalString::integer(100),
    ];
    assert_eq!(api::json::to_vec(&strings), br#"["0.7235","102","138.21","100"]"#);
}

proptest! {
    #[test]
    fn every_number_survives_printing_and_parsing(units: i64, places in 0_u32..=18) {
        let text = decimal::print(units, places);
        prop_assert_eq!(decimal::parse(&text, places), Ok(units));
        let plain = text.strip_prefix('-').unwrap_or(&text);
        prop_assert!(plain == "0" || !plain.starts_with('0') || plain.starts_with("0."));
        prop_assert!(!plain.contains('.') || !plain.ends_with(['0', '.']));
    }

    #[test]
    fn every_number_survives_json(units: i64) {
        let text = serde_json::to_string(&Money::from_units(units)).unwrap();
        prop_assert_eq!(serde_json::from_str::<Money>(&text).unwrap().units(), units);
    }

    /// Checked by independent i128 arithmetic on the digits.
    #[test]
    fn rounding_is_half_up(whole in 0_i64..1_000_000, fraction in 0_u64..10_000_000_000) {
        let text = format!("{whole}.{fraction:010}");
        let exact = i128::from(whole) * 10_000_000_000 + i128::from(fraction);
        let expected = (exact + 5_000) / 10_000;
        prop_assert_eq!(i128::from(decimal::parse(&text, 6).unwrap()), expected);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[-+0-9.eE]{0,40}|\\PC{0,20}", places in 0_u32..=18) {
        let ours = decimal::parse(&text, places);
        let theirs = serde_json::from_str::<&serde_json::value::RawValue>(&text);
        // JSON accepts everything that we accept.
        prop_assert!(ours.is_err() || theirs.is_ok());
        let _ = Price::parse(&text);
    }

    #[test]
    fn a_float_of_a_client_near_a_cent_is_that_cent(cents in 1_u8..=99) {
        let computed = f64::from(cents) * 0.01;
        let text = serde_json::to_string(&computed).unwrap();
        prop_assert_eq!(Price::parse(&text).unwrap().cents(), cents);
    }
}
