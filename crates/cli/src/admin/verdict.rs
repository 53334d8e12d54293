//! A verdict on the command line: `--outcome YES`, `--outcome 2=YES`, or `--yes-price 0.5` to cancel.

use api::decimal::Money;
use api::terms::OutcomeSide;
use clap::Args;
use serde_json::Value;

use super::desk::{Body, Desk, Trouble, segment};
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

/// One market's outcome, by its id.
pub(super) struct Decided {
    pub(super) market: String,
    pub(super) outcome: OutcomeSide,
}

impl Verdict {
    /// The verdict as a request body.
    pub(super) fn body(&self, desk: &Desk, event: &str) -> Result<Body, Trouble> {
        if let Some(price) = &self.yes_price {
            return Ok(Body::new().with("yesPrice", price));
        }
        Ok(outcomes(&decided(desk, event, &self.outcomes)?))
    }
}

pub(super) fn outcomes(decided: &[Decided]) -> Body {
    let ruling = |decided: &Decided| {
        Body::new().with("marketId", &decided.market).with("outcome", &decided.outcome).raw()
    };
    Body::new().with("outcomes", &decided.iter().filter_map(ruling).collect::<Vec<_>>())
}

/// The rulings with the ids of their markets.
pub(super) fn decided(desk: &Desk, event: &str, rulings: &[Ruling]) -> Result<Vec<Decided>, Trouble> {
    let event = desk.look(&format!("/admin/v1/events/{}", segment(event)))?;
    let ids: Vec<&str> = event["markets"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|market| market["marketId"].as_str())
        .collect();
    rulings
        .iter()
        .map(|ruling| Ok(Decided { market: pick(&event, &ids, ruling)?, outcome: ruling.outcome }))
        .collect()
}

fn pick(event: &Value, ids: &[&str], ruling: &Ruling) -> Result<String, Trouble> {
    let named = match &ruling.market {
        None if ids.len() == 1 => ids.first(),
        None => None,
        Some(market) => {
            let number = market.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            number.and_then(|place| ids.get(place)).or_else(|| ids.iter().find(|id| *id == market))
        }
    };
    let missing = || {
        let title = |(place, market): (usize, &Value)| {
            format!("\n  {} {}", place + 1, market["title"].as_str().unwrap_or_default())
        };
        let titles: String =
            event["markets"].as_array().into_iter().flatten().enumerate().map(title).collect();
        Trouble::input(format!("Name the market by its number: --outcome 1={}{titles}", ruling.outcome))
    };
    named.map(|id| (*id).to_owned()).ok_or_else(missing)
}
