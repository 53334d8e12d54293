//! Checks on texts, dates and numbers of the catalogue that do not depend on the exchange's state. Each command checks
//! uniqueness and references itself.

use super::{EventDetails, EventKind, MarketDetails, NewEvent};
use crate::numbers::{Currency, Money};
use crate::reject::Reject;
use crate::text::Text;
use crate::time::Time;

/// Maximum number of markets of an event.
const EVENT_MARKETS_MAX: usize = 100;

pub(crate) const SLUG_CHARACTERS_MAX: usize = 120;
const TITLE_CHARACTERS_MAX: usize = 300;
const NAME_CHARACTERS_MAX: usize = 100;
const WORD_CHARACTERS_MAX: usize = 60;
const URL_CHARACTERS_MAX: usize = 2_000;
const PROSE_CHARACTERS_MAX: usize = 10_000;
const LIST_ITEMS_MAX: usize = 50;

pub(crate) const fn invalid(field: &'static str, rule: &'static str) -> Reject {
    Reject::InvalidField { field, rule }
}

/// `Err` unless `holds`.
pub(crate) fn require(holds: bool, field: &'static str, rule: &'static str) -> Result<(), Reject> {
    if holds { Ok(()) } else { Err(invalid(field, rule)) }
}

fn fits(text: &str, characters_max: usize) -> bool {
    // A text has at most as many characters as bytes, so a short text need not be counted.
    text.len() <= characters_max || text.chars().count() <= characters_max
}

pub(crate) fn check_title(field: &'static str, text: &str) -> Result<(), Reject> {
    require(!text.is_empty() && fits(text, TITLE_CHARACTERS_MAX), field, "has 1 to 300 characters")
}

pub(crate) fn check_name(field: &'static str, text: &str) -> Result<(), Reject> {
    require(!text.is_empty() && fits(text, NAME_CHARACTERS_MAX), field, "has 1 to 100 characters")
}

pub(crate) fn check_word(field: &'static str, text: &str) -> Result<(), Reject> {
    require(!text.is_empty() && fits(text, WORD_CHARACTERS_MAX), field, "has 1 to 60 characters")
}

pub(crate) fn check_short(field: &'static str, text: &str) -> Result<(), Reject> {
    require(fits(text, WORD_CHARACTERS_MAX), field, "has at most 60 characters")
}

pub(crate) fn check_url(field: &'static str, text: &str) -> Result<(), Reject> {
    require(fits(text, URL_CHARACTERS_MAX), field, "has at most 2000 characters")
}

pub(crate) fn check_prose(field: &'static str, text: &str) -> Result<(), Reject> {
    require(fits(text, PROSE_CHARACTERS_MAX), field, "has at most 10000 characters")
}

fn check_list(field: &'static str, words: &[Text]) -> Result<(), Reject> {
    require(words.len() <= LIST_ITEMS_MAX, field, "has at most 50 items")?;
    words.iter().try_for_each(|word| check_word(field, word))
}

/// Lowercase letters, digits and hyphens.
pub(crate) fn check_slug(slug: &str, characters_max: usize) -> Result<(), Reject> {
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let sized = !slug.is_empty() && slug.len() <= characters_max;
    require(sized, "slug", "is neither empty nor too long")?;
    require(slug.bytes().all(legal), "slug", "consists of lowercase letters, digits and hyphens")
}

/// An asset's symbol.
pub(crate) fn check_symbol(field: &'static str, symbol: &str) -> Result<(), Reject> {
    let legal = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let holds = !symbol.is_empty() && symbol.len() <= 20 && symbol.bytes().all(legal);
    require(holds, field, "has 1 to 20 uppercase letters and digits")
}

pub(crate) fn check_date(field: &'static str, date: Time) -> Result<(), Reject> {
    require((Time::ZERO..=Time::MAX).contains(&date), field, "lies between 1970 and 9999")
}

pub(crate) fn check_currencies(currencies: &[Currency]) -> Result<(), Reject> {
    require(!currencies.is_empty(), "currencies", "names at least one")?;
    let twice = Currency::ALL.iter().any(|each| currencies.iter().filter(|other| *other == each).count() > 1);
    require(!twice, "currencies", "names each once")
}

impl EventDetails {
    pub(crate) fn check(&self, now: Time) -> Result<(), Reject> {
        check_title("title", &self.title)?;
        check_prose("description", &self.description)?;
        check_word("category", &self.category)?;
        check_short("subcategory", &self.subcategory)?;
        check_url("image_url", &self.image_url)?;
        check_url("image_128_url", &self.image_128_url)?;
        check_list("hashtags", &self.hashtags)?;
        check_list("country_codes", &self.country_codes)?;
        check_url("resolution_source", &self.resolution_source)?;
        check_prose("additional_context", &self.additional_context)?;
        self.check_dates(now)
    }

    /// Requires opening, closing and resolution dates in order, and a closing date in the future.
    fn check_dates(&self, now: Time) -> Result<(), Reject> {
        let dates = [
            ("opening_date", self.opening_date),
            ("closing_date", self.closing_date),
            ("resolution_date", self.resolution_date),
        ];
        for (field, date) in dates {
            date.map_or(Ok(()), |date| check_date(field, date))?;
        }
        let ordered = |earlier: Option<Time>, later: Option<Time>| match (earlier, later) {
            (Some(earlier), Some(later)) => earlier <= later,
            _ => true,
        };
        require(self.closing_date.is_none_or(|date| date > now), "closing_date", "lies in the future")?;
        require(ordered(self.opening_date, self.closing_date), "opening_date", "is not after closing_date")?;
        require(
            ordered(self.closing_date, self.resolution_date),
            "resolution_date",
            "is not before closing_date",
        )?;
        require(
            ordered(self.opening_date, self.resolution_date),
            "resolution_date",
            "is not before opening_date",
        )
    }
}

impl MarketDetails {
    pub(crate) fn check(&self) -> Result<(), Reject> {
        check_title("market title", &self.title)?;
        self.check_terms()
    }

    /// Checks everything except the title, which a template does not have.
    pub(crate) fn check_terms(&self) -> Result<(), Reject> {
        check_word("yes_label", &self.yes_label)?;
        check_word("no_label", &self.no_label)?;
        require(self.yes_label != self.no_label, "no_label", "differs from yes_label")?;
        check_prose("rules", &self.rules)?;
        check_url("image_url", &self.image_url)?;
        check_url("image_128_url", &self.image_128_url)?;
        check_short("threshold_range", &self.threshold_range)?;
        for currency in Currency::ALL {
            let minimum = *self.order_min.get(currency);
            let sized = minimum >= Money::order_min(currency) && minimum <= Money::ORDER_MAX;
            require(sized, "order_min", "lies between the general minimum and the largest order")?;
        }
        Ok(())
    }
}

impl NewEvent {
    /// Checks everything that does not depend on the rest of the catalogue.
    pub(crate) fn check(&self, now: Time) -> Result<(), Reject> {
        check_slug(&self.slug, SLUG_CHARACTERS_MAX)?;
        self.details.check(now)?;
        check_currencies(&self.currencies)?;
        let markets = self.markets.len();
        match self.kind {
            EventKind::Single => require(markets == 1, "markets", "is exactly one in a single event")?,
            EventKind::Combined | EventKind::Grouped => {
                require(
                    (2..=EVENT_MARKETS_MAX).contains(&markets),
                    "markets",
                    "are 2 to 100 in this kind of event",
                )?;
            }
        }
        self.markets.iter().try_for_each(|market| market.details.check())
    }
}
