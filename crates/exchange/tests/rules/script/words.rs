//! Reading a line word by word. Numbers are exact: text to integers, nothing else.

use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::Outcome;
use exchange::time::Span;

#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    line: &'a str,
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) fn of(line: &'a str) -> Words<'a> {
        Words { line, rest: line.trim() }
    }

    pub(crate) fn fail(&self, why: &str) -> ! {
        panic!("{why}, in the line: {}", self.line)
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    pub(crate) fn next(&mut self) -> &'a str {
        let Some(word) = self.peek() else { self.fail("the line ends too early") };
        self.rest = self.rest.trim_start()[word.len()..].trim_start();
        word
    }

    /// Takes the next word if it is this one.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(word);
        if is_next {
            self.next();
        }
        is_next
    }

    pub(crate) fn expect(&mut self, word: &str) {
        if !self.take(word) {
            self.fail(&format!("expected {word:?} before {:?}", self.rest));
        }
    }

    pub(crate) fn end(&self) {
        if let Some(word) = self.peek() {
            self.fail(&format!("{word:?} is one word too many"));
        }
    }

    /// The rest of the line in parts; nothing remains.
    pub(crate) fn split(&mut self, separator: char) -> impl Iterator<Item = Words<'a>> + use<'a> {
        let (line, rest) = (self.line, self.rest);
        self.rest = "";
        rest.split(separator).map(move |part| Words { line, rest: part.trim() })
    }

    pub(crate) fn money(&mut self) -> Money {
        Money::new(self.decimal(6))
    }

    pub(crate) fn shares(&mut self) -> Shares {
        Shares::new(self.decimal(4))
    }

    pub(crate) fn cents(&mut self) -> u8 {
        let cents = self.decimal(2);
        u8::try_from(cents).unwrap_or_else(|_| self.fail("not a price"))
    }

    pub(crate) fn price(&mut self) -> Price {
        let cents = self.cents();
        Price::new(cents).unwrap_or_else(|| self.fail("a price is 0.01 to 0.99"))
    }

    /// `0.05` or `2%`, in basis points.
    pub(crate) fn basis_points(&mut self) -> u16 {
        let text = self.next();
        let units = match text.strip_suffix('%') {
            Some(percent) => self.units(percent, 2),
            None => self.units(text, 4),
        };
        u16::try_from(units).unwrap_or_else(|_| self.fail("not a rate"))
    }

    pub(crate) fn currency(&mut self) -> Currency {
        match self.next() {
            "USD" => Currency::Usd,
            "NGN" => Currency::Ngn,
            other => self.fail(&format!("{other:?} is no currency")),
        }
    }

    pub(crate) fn outcome(&mut self) -> Outcome {
        match self.next() {
            "YES" => Outcome::Yes,
            "NO" => Outcome::No,
            other => self.fail(&format!("{other:?} is no outcome")),
        }
    }

    /// `60s`, or `10 minutes`.
    pub(crate) fn span(&mut self) -> Span {
        let text = self.next();
        if let Some(seconds) = text.strip_suffix('s') {
            return Span::seconds(self.units(seconds, 0));
        }
        let count = self.units(text, 0);
        match self.next() {
            "second" | "seconds" => Span::seconds(count),
            "minute" | "minutes" => Span::minutes(count),
            "hour" | "hours" => Span::hours(count),
            "day" | "days" => Span::days(count),
            other => self.fail(&format!("{other:?} is no span of time")),
        }
    }

    fn decimal(&mut self, decimals: u32) -> i64 {
        let text = self.next();
        self.units(text, decimals)
    }

    fn units(&self, text: &str, decimals: u32) -> i64 {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = part.len() as u32;
        if digits > decimals {
            self.fail(&format!("{text:?} has more than {decimals} decimals"));
        }
        match format!("{whole}{part}").parse::<i64>() {
            Ok(units) => units * 10_i64.pow(decimals - digits),
            Err(_) => self.fail(&format!("{text:?} is no number")),
        }
    }
}
