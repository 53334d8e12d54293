//! An event as a link preview, an embedded page or a feed shows it: few texts, no ids of markets, no personal data.
//!
//! Prices and chances are written as the page writes them (`web/src/shared/numbers/format.ts`).

use std::cmp::Reverse;

use api::Timestamp;
use exchange::Exchange;
use exchange::catalogue::Status;
use exchange::id::{EventId, MarketId};
use exchange::index::{EventIndex, ListingIndex, MarketIndex};
use exchange::numbers::{Currency, Ppm};
use exchange::order::Outcome;

use super::event::shown_currency;
use super::market::price;
use super::order::label;
use super::words::ToApi;

/// Outcomes that a preview has room for.
pub const OUTCOMES_MAX: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedEvent {
    pub id: EventId,
    pub slug: String,
    pub title: String,
    pub description: String,
    pub category: String,
    pub status: Status,
    pub created_at: Timestamp,
    pub closes_at: Option<Timestamp>,
    /// The outcomes of the only market, or of several markets the likeliest.
    pub outcomes: Vec<SharedOutcome>,
    /// The market of the first outcome.
    pub leading: Option<MarketId>,
    pub currency: Currency,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedOutcome {
    pub label: String,
    /// `43%`.
    pub chance: String,
    /// `43.5¢`, `₦43.50`.
    pub price: String,
}

impl SharedEvent {
    /// `Yes 43% · No 57%`.
    pub fn chances(&self) -> String {
        let shown = self.outcomes.iter().map(|outcome| format!("{} {}", outcome.label, outcome.chance));
        shown.collect::<Vec<_>>().join(" · ")
    }

    /// The status in a word, if the event does not trade.
    pub fn ended(&self) -> Option<&'static str> {
        match self.status {
            Status::Draft | Status::Open => None,
            Status::Paused => Some("Paused"),
            Status::Closed => Some("Closed"),
            Status::Resolved => Some("Resolved"),
            Status::Cancelled => Some("Cancelled"),
        }
    }
}

pub fn shared(exchange: &Exchange, index: EventIndex) -> SharedEvent {
    let event = exchange.catalogue().event(index);
    let currency = shown_currency(event, Currency::Usd);
    let (outcomes, leading) = outcomes(exchange, &event.markets, currency);
    SharedEvent {
        id: event.id,
        slug: event.slug.to_string(),
        title: event.details.title.to_string(),
        description: event.details.description.to_string(),
        category: event.details.category.to_string(),
        status: event.status,
        created_at: event.created_at.to_api(),
        closes_at: event.details.closing_date.map(ToApi::to_api),
        outcomes,
        leading,
        currency,
    }
}

fn outcomes(
    exchange: &Exchange,
    markets: &[MarketIndex],
    currency: Currency,
) -> (Vec<SharedOutcome>, Option<MarketId>) {
    let catalogue = exchange.catalogue();
    let yes_price = |index: MarketIndex| {
        let listing = catalogue.listing(ListingIndex::new(index, currency));
        price(catalogue.market(index), listing, Outcome::Yes)
    };
    let shown = |label: &str, price: Ppm, is_settled: bool| SharedOutcome {
        label: label.to_owned(),
        chance: chance_text(price, is_settled),
        price: price_text(price, currency),
    };
    if let [only] = *markets {
        let (market, yes) = (catalogue.market(only), yes_price(only));
        let is_settled = market.settlement.is_some();
        let yes_outcome = shown(shown_label(label(market, Outcome::Yes)), yes, is_settled);
        let chance = complement(&yes_outcome.chance);
        let no_outcome = shown(shown_label(label(market, Outcome::No)), yes.complement(), is_settled);
        return (vec![yes_outcome, SharedOutcome { chance, ..no_outcome }], Some(market.id));
    }
    let mut priced: Vec<(Ppm, MarketIndex)> =
        markets.iter().map(|index| (yes_price(*index), *index)).collect();
    // A stable sort: equally likely outcomes keep the order of the event.
    priced.sort_by_key(|(price, _)| Reverse(*price));
    let leading = priced.first().map(|(_, index)| catalogue.market(*index).id);
    let first = priced.into_iter().take(OUTCOMES_MAX);
    let shown = first.map(|(price, index)| {
        let market = catalogue.market(index);
        shown(&market.details.title, price, market.settlement.is_some())
    });
    (shown.collect(), leading)
}

/// The usual labels as words.
fn shown_label(label: &str) -> &str {
    match label {
        "YES" => "Yes",
        "NO" => "No",
        other => other,
    }
}

/// Never 0% or 100% while it could go either way.
fn chance_text(price: Ppm, is_settled: bool) -> String {
    match price.units() {
        1..10_000 if !is_settled => "<1%".to_owned(),
        990_001..1_000_000 if !is_settled => ">99%".to_owned(),
        units => format!("{}%", (units + 5_000) / 10_000),
    }
}

/// The chance of the other outcome: the two always sum to 100%.
fn complement(chance: &str) -> String {
    match chance {
        "<1%" => ">99%".to_owned(),
        ">99%" => "<1%".to_owned(),
        number => {
            let percent: i64 = number.trim_end_matches('%').parse().unwrap_or_default();
            format!("{}%", 100 - percent)
        }
    }
}

/// The price of a share: 34¢, 46.7¢, ₦34, ₦46.70. A share pays a dollar or a hundred naira.
fn price_text(price: Ppm, currency: Currency) -> String {
    match currency {
        Currency::Usd => {
            let tenths = (price.units() + 500) / 1_000;
            match tenths % 10 {
                0 => format!("{}¢", tenths / 10),
                tenth => format!("{}.{tenth}¢", tenths / 10),
            }
        }
        Currency::Ngn => {
            let kobo = (price.units() + 50) / 100;
            match kobo % 100 {
                0 => format!("₦{}", kobo / 100),
                rest => format!("₦{}.{rest:02}", kobo / 100),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_certain_only_when_it_is_settled_and_both_sum_to_100() {
        for (units, is_settled, yes, no) in [
            (435_000, false, "44%", "56%"),
            (434_999, false, "43%", "57%"),
            (9_999, false, "<1%", ">99%"),
            (10_000, false, "1%", "99%"),
            (990_001, false, ">99%", "<1%"),
            (0, false, "0%", "100%"),
            (0, true, "0%", "100%"),
            (1_000_000, true, "100%", "0%"),
        ] {
            let chance = chance_text(Ppm::new(units), is_settled);
            assert_eq!((chance.as_str(), complement(&chance).as_str()), (yes, no), "{units}");
        }
    }

    #[test]
    fn a_price_is_what_a_share_costs() {
        for (units, usd, ngn) in [
            (340_000, "34¢", "₦34"),
            (467_000, "46.7¢", "₦46.70"),
            (467_049, "46.7¢", "₦46.70"),
            (999_950, "100¢", "₦100"),
            (0, "0¢", "₦0"),
        ] {
            let price = Ppm::new(units);
            assert_eq!(price_text(price, Currency::Usd), usd);
            assert_eq!(price_text(price, Currency::Ngn), ngn);
        }
    }
}
