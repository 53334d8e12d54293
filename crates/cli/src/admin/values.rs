//! Parses values of flags, as strictly as the exchange does.

use api::Word;
use api::admin::Amounts;
use api::decimal::{AssetPrice, Money, Percent, Price, PropLine, UnitPrice};
use api::response::{self, Score};
use api::terms::{Currency, OutcomeSide};
use clap::Args;

use super::desk::CommandError;
pub(super) use crate::time::read_time as time;

pub(super) fn word<T: Word>(text: &str) -> Result<T, String> {
    T::find_in_any_case(text).ok_or_else(|| format!("must be {}", T::choices()))
}

pub(super) fn money(text: &str) -> Result<Money, String> {
    Money::parse(text).map_err(|fault| fault.to_string())
}

pub(super) fn price(text: &str) -> Result<Price, String> {
    Price::parse(text).map_err(|fault| fault.to_string())
}

pub(super) fn unit_price(text: &str) -> Result<UnitPrice, String> {
    UnitPrice::parse(text).map_err(|fault| fault.to_string())
}

pub(super) fn percent(text: &str) -> Result<Percent, String> {
    Percent::parse(text).map_err(|fault| fault.to_string())
}

pub(super) fn goals(text: &str) -> Result<PropLine, String> {
    PropLine::parse(text).map_err(|fault| fault.to_string())
}

pub(super) fn asset_price(text: &str) -> Result<AssetPrice, String> {
    AssetPrice::parse(text).map_err(|fault| fault.to_string())
}

/// `2:1`.
pub(super) fn score(text: &str) -> Result<Score, String> {
    let read = || {
        let (home, away) = text.split_once(':')?;
        Some(Score { home: home.parse().ok()?, away: away.parse().ok()? })
    };
    read().ok_or_else(|| "must be goals of home and away, such as 2:1".to_owned())
}

/// `USD=1000`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    pub(super) currency: Currency,
    pub(super) amount: Money,
}

pub(super) fn amount(text: &str) -> Result<Amount, String> {
    let (currency, amount) =
        text.split_once('=').ok_or("must be a currency and an amount, such as USD=1000")?;
    Ok(Amount { currency: word(currency)?, amount: money(amount)? })
}

/// The given amounts by currency; `None` if nothing is given.
pub(super) fn amounts(given: &[Amount]) -> Result<Option<Amounts>, CommandError> {
    let mut amounts = Amounts { usd: None, ngn: None };
    for Amount { currency, amount } in given {
        let place = match currency {
            Currency::Usd => &mut amounts.usd,
            Currency::Ngn => &mut amounts.ngn,
        };
        if place.replace(*amount).is_some() {
            return Err(CommandError::input(format!("The amount in {currency} is given twice")));
        }
    }
    Ok((!given.is_empty()).then_some(amounts))
}

/// `YES` for an event with one market, otherwise `2=YES` or an id with its outcome.
#[derive(Clone, Debug)]
pub(super) struct Ruling {
    pub(super) market: Option<String>,
    pub(super) outcome: OutcomeSide,
}

pub(super) fn ruling(text: &str) -> Result<Ruling, String> {
    match text.split_once('=') {
        Some((market, outcome)) => Ok(Ruling { market: Some(market.to_owned()), outcome: word(outcome)? }),
        None => Ok(Ruling { market: None, outcome: word(text)? }),
    }
}

/// Evidence for a proposal: a text, a link, or both.
#[derive(Debug, Args)]
pub(super) struct Evidence {
    /// Why it is right, for publication
    #[arg(long, value_name = "TEXT", required_unless_present = "link")]
    evidence: Option<String>,
    /// A public link to the evidence
    #[arg(long, value_name = "URL")]
    link: Option<String>,
}

impl Evidence {
    pub(super) fn given(&self) -> response::Evidence {
        response::Evidence {
            text: self.evidence.clone().unwrap_or_default(),
            link: self.link.clone().unwrap_or_default(),
        }
    }
}
