//! Reads a tool's arguments. An argument that the tool does not have is refused: a mistyped bound must not be ignored.
//!
//! Decimals may be JSON numbers or strings; a string keeps every digit.

use api::Word;
use api::decimal::{Money, NumberFault, Price, Shares, Slippage};
use serde_json::{Map, Value};

use crate::stop::{Stop, bad_argument};

/// Arguments that have not been read yet.
#[derive(Debug)]
pub(crate) struct Arguments(Map<String, Value>);

impl Arguments {
    /// `known` are the names in the tool's schema.
    pub(crate) fn new(given: Map<String, Value>, known: &[&str]) -> Result<Arguments, Stop> {
        match given.keys().all(|name| known.contains(&name.as_str())) {
            true => Ok(Arguments(given)),
            false if known.is_empty() => Err(bad_argument("This tool takes no arguments.")),
            false => Err(bad_argument(format!("This tool takes only: {}.", known.join(", ")))),
        }
    }

    /// A text without spaces around it; none if it is missing or empty.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, Stop> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
            Some(_) => Err(bad_argument(format!("`{name}` must be a string."))),
        }
    }

    pub(crate) fn required_text(&mut self, name: &'static str) -> Result<String, Stop> {
        self.text(name)?.ok_or_else(|| bad_argument(format!("`{name}` is required.")))
    }

    /// A word of a closed set, in any case.
    pub(crate) fn word<W: Word>(&mut self, name: &'static str) -> Result<Option<W>, Stop> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let known = W::find_in_any_case(&text);
        known.map(Some).ok_or_else(|| bad_argument(format!("`{name}` must be {}.", W::choices())))
    }

    pub(crate) fn required_word<W: Word>(&mut self, name: &'static str) -> Result<W, Stop> {
        self.word(name)?.ok_or_else(|| bad_argument(format!("`{name}` must be {}.", W::choices())))
    }

    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool, Stop> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(bad_argument(format!("`{name}` must be true or false."))),
        }
    }

    /// A whole number from 1 to `most`.
    pub(crate) fn count(&mut self, name: &'static str, default: u64, most: u64) -> Result<u64, Stop> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(default),
            Some(value) => match value.as_u64() {
                Some(count) if (1..=most).contains(&count) => Ok(count),
                _ => Err(bad_argument(format!("`{name}` must be a whole number from 1 to {most}."))),
            },
        }
    }

    /// An amount of money above 0.
    pub(crate) fn money(&mut self, name: &'static str) -> Result<Option<Money>, Stop> {
        let money = self.decimal(name, Money::parse)?;
        positive(name, money, Money::ZERO)
    }

    pub(crate) fn required_money(&mut self, name: &'static str) -> Result<Money, Stop> {
        self.money(name)?.ok_or_else(|| bad_argument(format!("`{name}` is required.")))
    }

    /// A cost, which may be 0.
    pub(crate) fn cost(&mut self, name: &'static str) -> Result<Money, Stop> {
        self.decimal(name, Money::parse)?.ok_or_else(|| bad_argument(format!("`{name}` is required.")))
    }

    /// A number of shares above 0.
    pub(crate) fn shares(&mut self, name: &'static str) -> Result<Option<Shares>, Stop> {
        let shares = self.decimal(name, Shares::parse)?;
        positive(name, shares, Shares::ZERO)
    }

    /// A limit price from 0.01 to 0.99.
    pub(crate) fn price(&mut self, name: &'static str) -> Result<Option<Price>, Stop> {
        self.decimal(name, Price::parse)
    }

    /// A part from 0 to 1.
    pub(crate) fn slippage(&mut self, name: &'static str) -> Result<Option<Slippage>, Stop> {
        let one = Slippage::from_units(10_i64.pow(Slippage::PLACES));
        match self.decimal(name, Slippage::parse)? {
            Some(slippage) if slippage < Slippage::ZERO || slippage > one => {
                Err(bad_argument(format!("`{name}` must be from 0 to 1.")))
            }
            slippage => Ok(slippage),
        }
    }

    fn decimal<T>(
        &mut self,
        name: &'static str,
        parse: impl Fn(&str) -> Result<T, NumberFault>,
    ) -> Result<Option<T>, Stop> {
        let text = match self.0.remove(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(_) => return Err(bad_argument(format!("`{name}` must be a decimal number."))),
        };
        parse(&text).map(Some).map_err(|fault| bad_argument(format!("`{name}`: {fault}.")))
    }
}

fn positive<T: PartialOrd>(name: &'static str, value: Option<T>, zero: T) -> Result<Option<T>, Stop> {
    match value {
        Some(value) if value <= zero => Err(bad_argument(format!("`{name}` must be above 0."))),
        value => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use api::terms::Side;
    use serde_json::{Value, json};

    use super::Arguments;

    fn arguments(value: Value) -> Arguments {
        let Value::Object(given) = value else { panic!("arguments are an object") };
        let known = ["side", "amount", "shares", "price", "max_slippage", "limit", "all", "event"];
        Arguments::new(given, &known).unwrap()
    }

    #[test]
    fn decimals_are_exact_as_numbers_and_as_strings() {
        for value in [json!(10.1), json!("10.1"), json!(" 10.100000 ")] {
            let amount = arguments(json!({"amount": value})).money("amount").unwrap().unwrap();
            assert_eq!(amount.units(), 10_100_000);
        }
        let amount = arguments(json!({"amount": "999999999.999999"})).required_money("amount").unwrap();
        assert_eq!(amount.units(), 999_999_999_999_999);
    }

    #[test]
    fn numbers_that_cannot_be_used_are_refused() {
        for value in [json!(0), json!(-1), json!("ten"), json!([1]), json!("1e40"), json!("NaN")] {
            assert!(arguments(json!({"amount": value})).money("amount").is_err(), "{value}");
        }
        assert!(arguments(json!({"price": 0.655})).price("price").is_err());
        assert!(arguments(json!({"price": "1"})).price("price").is_err());
        assert!(arguments(json!({"max_slippage": 1.5})).slippage("max_slippage").is_err());
        assert!(arguments(json!({"limit": 0})).count("limit", 5, 10).is_err());
        assert!(arguments(json!({"limit": 11})).count("limit", 5, 10).is_err());
    }

    #[test]
    fn words_may_be_in_any_case_and_missing_ones_are_named() {
        assert_eq!(arguments(json!({"side": "buy"})).required_word::<Side>("side").unwrap(), Side::Buy);
        let error = arguments(json!({"side": "hold"})).required_word::<Side>("side").unwrap_err();
        assert!(format!("{error:?}").contains("BUY or SELL"), "{error:?}");
        assert!(arguments(json!({"event": "  "})).required_text("event").is_err());
    }

    #[test]
    fn an_argument_that_the_tool_does_not_have_is_refused_without_repeating_it() {
        let Value::Object(given) = json!({"max_cost": 5}) else { panic!("an object") };
        let error = format!("{:?}", Arguments::new(given, &["amount"]).unwrap_err());
        assert!(error.contains("only: amount") && !error.contains("max_cost"), "{error}");
    }
}
