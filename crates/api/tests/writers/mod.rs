//! Every hand-written JSON writer against `serde_json`, byte for byte, on generated values.

mod generate;
mod values;

use api::Word;
use api::decimal::{AssetPrice, Money, Percent, Price, PriceChange, PropLine, Shares, Slippage, UnitPrice};
use api::error::{ErrorBody, ErrorCode, ErrorKind, ItemErrorCode, Outcome};
use api::json::WriteJson;
use api::response::*;
use api::terms::*;
use api::timestamp::{OptionalDate, Timestamp};
use serde::Serialize;
use uuid::Uuid;

use generate::{Generate, Source};

const ROUNDS: u64 = 400;

fn check<T: Serialize + WriteJson + ?Sized>(value: &T, what: &str) {
    // The writer appends and leaves earlier bytes unchanged.
    let mut written = b"before".to_vec();
    value.write_json(&mut written);
    let expected = serde_json::to_string(value).expect("serializable");
    let written = String::from_utf8(written).expect("UTF-8");
    assert_eq!(written.strip_prefix("before"), Some(expected.as_str()), "{what}");
}

macro_rules! check_generated {
    ($($type:ty),+ $(,)?) => {$(
        for seed in 0..ROUNDS {
            let value = <$type>::generate(&mut Source::new(seed));
            check(&value, &format!("{} of seed {seed}", stringify!($type)));
        }
    )+};
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
}

#[test]
fn answers_to_writes_are_written_as_serde_json_writes_them() {
    check_generated!(
        ClobOrder<'static>,
        AmmOrder<'static>,
        Order<'static>,
        Orders<'static>,
        PlaceOrderResponse<'static>,
        CancelOrderResponse<'static>,
        CancelAllResponse<'static>,
        CancelAfterResponse,
        BatchPlaceResponse<'static>,
        BatchAmendResponse<'static>,
        BatchCancelResponse,
        MintResult,
        BurnResult,
        Watched,
        ErrorBody,
    );
}

#[test]
fn market_data_is_written_as_serde_json_writes_it() {
    check_generated!(Vec<Book>, Ticker, Quote, Event, Events);
}

#[test]
fn words_are_written_as_serde_json_writes_them() {
    macro_rules! words {
        ($($word:ty),+ $(,)?) => {$(
            <$word>::ALL.iter().for_each(|word| check(word, stringify!($word)));
        )+};
    }
    words!(
        Currency,
        Engine,
        EventType,
        Status,
        SportMarketType,
        PropDirection,
        OutcomeSide,
        Side,
        OrderType,
        TimeInForce,
        StpMode,
        OrderStatus,
        ErrorKind,
        ErrorCode,
        ItemErrorCode,
        Outcome,
    );
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
