//! Request bodies of operators. Numbers are exact and terms are the contract's, as in the public API.

mod events;
mod governance;
mod people;
mod queries;
mod series;
mod sports;

pub use events::{CreateEvent, EditEvent, GrowPool, SeedPool, SetTerms};
pub use governance::{
    CancelMarkets, GivenVerdict, ProposeResult, ProposeVerdict, ResolveMarket, SetCancelOnly, SetPolicy,
    UpgradeRules, Withdraw,
};
pub use people::{
    ApproveReset, CancelOrdersOf, ChangeRole, CreateOperator, CreateUser, MoveFees, SuspendUser, Transfer,
};
pub use queries::{AdminEventsQuery, AuditQuery, UsersQuery};
pub use series::{CreateSeries, PushPrice};
pub use sports::{CreateSoccerEvents, ImportSports};

use api::decimal::{Money, Percent};
use api::error::BadRequest;
use exchange::catalogue::MarketDetails;
use exchange::numbers::{Currency, FeeRate, PerCurrency};
use exchange::text::Text;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::view::words::{ToApi, ToExchange};

/// An amount in each currency.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
pub struct Amounts {
    #[serde(rename = "USD", skip_serializing_if = "Option::is_none")]
    usd: Option<Money>,
    #[serde(rename = "NGN", skip_serializing_if = "Option::is_none")]
    ngn: Option<Money>,
}

impl Amounts {
    pub fn of(amounts: &PerCurrency<exchange::numbers::Money>) -> Amounts {
        Amounts { usd: Some(amounts.usd.to_api()), ngn: Some(amounts.ngn.to_api()) }
    }

    /// Overwrites the given amounts; missing ones stay unchanged.
    fn change(self, amounts: &mut PerCurrency<exchange::numbers::Money>) {
        for (currency, given) in [(Currency::Usd, self.usd), (Currency::Ngn, self.ngn)] {
            if let Some(given) = given {
                *amounts.get_mut(currency) = given.to_exchange();
            }
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
            minimums.change(&mut details.order_min);
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
