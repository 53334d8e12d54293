//! Series, and prices pushed by operators.

use api::Timestamp;
use api::decimal::{AssetPrice, Percent};
use api::error::BadRequest;
use api::terms;
use exchange::catalogue::{Automation, MarketDetails, NewSeries};
use exchange::id::SeriesId;
use exchange::numbers::PerCurrency;
use exchange::text::Text;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Amounts, MarketParts, text};
use crate::view::words::ToExchange;

/// Something that makes an event at every interval.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateSeries {
    #[schema(example = "crypto-btc-1h")]
    slug: String,
    display_name: String,
    description: Option<String>,
    category: terms::SeriesCategory,
    interval: terms::IntervalType,
    #[schema(example = "BTC")]
    asset_symbol: String,
    icon_url: Option<String>,
    engine: terms::Engine,
    currencies: Vec<terms::Currency>,
    yes_label: Option<String>,
    no_label: Option<String>,
    rules: Option<String>,
    /// In percent: 2 is 2 %.
    fee_percentage: Option<Percent>,
    minimum_order_amount: Option<Amounts>,
    /// AMM: what the house puts into each new pool.
    seed: Option<Amounts>,
    /// Whose prices count: none for anyone's, one, or two that must agree.
    sources: Option<Vec<String>>,
    /// How far two sources may be apart, in millionths of the first.
    tolerance_ppm: Option<u32>,
}

impl CreateSeries {
    pub fn into_new(self) -> Result<NewSeries, BadRequest> {
        let mut market = MarketDetails::default();
        let parts = MarketParts {
            yes_label: self.yes_label,
            no_label: self.no_label,
            rules: self.rules,
            fee_percentage: self.fee_percentage,
            minimum_order_amount: self.minimum_order_amount,
        };
        parts.change("", &mut market)?;
        let mut seed = PerCurrency::default();
        if let Some(given) = self.seed {
            given.change(&mut seed);
        }
        Ok(NewSeries {
            id: SeriesId::new(Uuid::now_v7().as_u128()),
            slug: Text::from(self.slug),
            display_name: Text::from(self.display_name),
            description: text(self.description),
            category: self.category.to_exchange(),
            interval: self.interval.to_exchange(),
            asset_symbol: Text::from(self.asset_symbol),
            automation: Automation::PriceUpDown,
            icon_url: text(self.icon_url),
            engine: self.engine.to_exchange(),
            currencies: self.currencies.into_iter().map(ToExchange::to_exchange).collect(),
            market,
            seed,
            sources: self.sources.unwrap_or_default().into_iter().map(Text::from).collect(),
            tolerance_ppm: self.tolerance_ppm.unwrap_or_default(),
        })
    }
}

/// A price of an asset.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushPrice {
    pub value: AssetPrice,
    /// Who says so; `push` if left out.
    pub source: Option<String>,
    /// When it was so; now if left out.
    pub source_time: Option<Timestamp>,
}
