//! A verdict on the command line: `--outcome YES`, `--outcome 2=YES`, or `--yes-price 0.5` to cancel.

use api::admin::request::GivenVerdict;
use api::admin::response::{EventDetail, MarketDetail};
use api::decimal::Money;
use api::response;
use clap::Args;
use uuid::Uuid;

use super::desk::{CommandError, Desk, segment};
use super::values::{Ruling, money, ruling};

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(super) struct Verdict {
    /// YES or NO; with several markets `2=YES`, once for each market by its number or id
    #[arg(long = "outcome", value_name = "OUTCOME", value_parser = ruling, conflicts_with = "yes_price")]
    pub(super) outcomes: Vec<Ruling>,
    /// Cancel: what a YES share pays, 0 to 1; NO pays the rest
    #[arg(long, value_name = "PRICE", value_parser = money)]
    pub(super) yes_price: Option<Money>,
}

impl Verdict {
    /// The verdict as a request.
    pub(super) fn given(&self, desk: &Desk, event: &str) -> Result<GivenVerdict, CommandError> {
        let outcomes = match self.yes_price {
            Some(_) => None,
            None => Some(rulings(desk, event, &self.outcomes)?),
        };
        Ok(GivenVerdict { outcomes, yes_price: self.yes_price })
    }
}

/// The rulings with the ids of their markets.
pub(super) fn rulings(
    desk: &Desk,
    event: &str,
    given: &[Ruling],
) -> Result<Vec<response::Ruling>, CommandError> {
    let event: EventDetail = desk.get_json(&format!("/admin/v1/events/{}", segment(event)))?;
    let ruling = |ruling: &Ruling| {
        let market_id = pick(&event.markets, ruling)?;
        Ok(response::Ruling { market_id, outcome: ruling.outcome })
    };
    given.iter().map(ruling).collect()
}

fn pick(markets: &[MarketDetail], ruling: &Ruling) -> Result<Uuid, CommandError> {
    let named = match &ruling.market {
        None if markets.len() == 1 => markets.first(),
        None => None,
        Some(market) => {
            let number = market.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let by_id = || markets.iter().find(|shown| shown.market_id.to_string() == *market);
            number.and_then(|place| markets.get(place)).or_else(by_id)
        }
    };
    let missing = || {
        let title = |(place, market): (usize, &MarketDetail)| format!("\n  {} {}", place + 1, market.title);
        let titles: String = markets.iter().enumerate().map(title).collect();
        CommandError::input(format!("Name the market by its number: --outcome 1={}{titles}", ruling.outcome))
    };
    named.map(|market| market.market_id).ok_or_else(missing)
}
