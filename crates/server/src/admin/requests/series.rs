//! Series.

use api::admin::request::CreateSeries;
use api::error::BadRequest;
use exchange::catalogue::{Automation, MarketDetails, NewSeries};
use exchange::id::SeriesId;
use exchange::numbers::PerCurrency;
use exchange::text::Text;

use super::{MarketParts, change_amounts, text};
use crate::view::words::ToExchange;

/// The series, with a new id.
pub fn new_series(id: SeriesId, given: CreateSeries) -> Result<NewSeries, BadRequest> {
    let mut market = MarketDetails::default();
    let parts = MarketParts {
        yes_label: given.yes_label,
        no_label: given.no_label,
        rules: given.rules,
        fee_percentage: given.fee_percentage,
        minimum_order_amount: given.minimum_order_amount,
    };
    parts.change("", &mut market)?;
    let mut seed = PerCurrency::default();
    if let Some(amounts) = given.seed {
        change_amounts(amounts, &mut seed);
    }
    Ok(NewSeries {
        id,
        slug: Text::from(given.slug),
        display_name: Text::from(given.display_name),
        description: text(given.description),
        category: given.category.to_exchange(),
        interval: given.interval.to_exchange(),
        asset_symbol: Text::from(given.asset_symbol),
        automation: Automation::PriceUpDown,
        icon_url: text(given.icon_url),
        engine: given.engine.to_exchange(),
        currencies: given.currencies.into_iter().map(ToExchange::to_exchange).collect(),
        market,
        seed,
        sources: given.sources.unwrap_or_default().into_iter().map(Text::from).collect(),
        tolerance_ppm: given.tolerance_ppm.unwrap_or_default(),
    })
}
