//! Conversions of operators' requests (`api::admin::request`) to terms of the exchange.

mod events;
mod governance;
mod people;
mod series;
mod sports;

pub use events::{change_event, change_market, new_event, price_range, terms_change};
pub use governance::{evidence, policy_change, verdict, yes_price};
pub use people::token_hash;
pub use series::new_series;
pub use sports::{imported, new_soccer_events};

use api::admin::Amounts;
use api::decimal::Percent;
use api::error::BadRequest;
use exchange::catalogue::MarketDetails;
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency};
use exchange::text::Text;

use crate::view::words::ToExchange;

/// The given amounts, to be merged by the exchange.
fn given_amounts(given: Amounts) -> PerCurrency<Option<Money>> {
    PerCurrency { usd: given.usd.map(ToExchange::to_exchange), ngn: given.ngn.map(ToExchange::to_exchange) }
}

/// Overwrites the given amounts; missing ones stay unchanged.
fn change_amounts(given: Amounts, amounts: &mut PerCurrency<Money>) {
    for (currency, given) in [(Currency::Usd, given.usd), (Currency::Ngn, given.ngn)] {
        if let Some(given) = given {
            *amounts.get_mut(currency) = given.to_exchange();
        }
    }
}

/// The parts of a market that events, series and soccer games are given alike. What is left out stays as it is.
#[derive(Debug, Default)]
struct MarketParts {
    yes_label: Option<String>,
    no_label: Option<String>,
    rules: Option<String>,
    fee_percentage: Option<Percent>,
    minimum_order_amount: Option<Amounts>,
}

impl MarketParts {
    /// `path` is the field name for error messages.
    fn change(self, path: &str, details: &mut MarketDetails) -> Result<(), BadRequest> {
        set(&mut details.yes_label, self.yes_label);
        set(&mut details.no_label, self.no_label);
        set(&mut details.rules, self.rules);
        if let Some(fee) = self.fee_percentage {
            details.fee_rate = fee_rate(&format!("{path}feePercentage"), fee)?;
        }
        if let Some(minimums) = self.minimum_order_amount {
            change_amounts(minimums, &mut details.order_min);
        }
        Ok(())
    }
}

/// In percent: 2 is 2 %.
fn fee_rate(path: &str, fee: Percent) -> Result<FeeRate, BadRequest> {
    let basis_points = u16::try_from(fee.units()).ok();
    basis_points.and_then(FeeRate::new).ok_or_else(|| BadRequest::at(path, "must be between 0 and 10"))
}

fn set(text: &mut Text, given: Option<String>) {
    if let Some(given) = given {
        *text = Text::from(given);
    }
}

fn text(given: Option<String>) -> Text {
    Text::from(given.unwrap_or_default())
}
