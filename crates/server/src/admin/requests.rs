//! What operators ask for, as typed values. Numbers are exact, as on the public side; words are the contract's.

use api::Timestamp;
use api::decimal::{Money, Percent, Price};
use api::error::BadRequest;
use api::terms;
use exchange::catalogue::{EventDetails, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::id::{EventId, MarketId};
use exchange::numbers::{Currency, FeeRate};
use exchange::text::Text;
use serde::Deserialize;
use uuid::Uuid;

use crate::view::words::ToExchange;

const PASSWORD_CHARACTERS: std::ops::RangeInclusive<usize> = 8..=128;

/// Shows nothing when debugged: it has a password.
#[derive(Deserialize)]
pub(super) struct CreateUser {
    pub(super) email: String,
    pub(super) tag: String,
    /// Without one the account cannot log in until its owner sets one.
    pub(super) password: Option<String>,
}

impl CreateUser {
    pub(super) fn check(&self) -> Result<(), BadRequest> {
        let fits = |password: &String| PASSWORD_CHARACTERS.contains(&password.chars().count());
        if self.password.as_ref().is_none_or(fits) {
            return Ok(());
        }
        Err(BadRequest::at("password", "must have 8 to 128 characters"))
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Transfer {
    pub(super) currency: terms::Currency,
    pub(super) amount: Money,
    /// Whatever stands for this payment elsewhere. Each is taken once, so trying again is safe.
    pub(super) reference: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct SeedPool {
    pub(super) currency: terms::Currency,
    pub(super) amount: Money,
    pub(super) price: Price,
}

#[derive(Debug, Deserialize)]
pub(super) struct ResolveMarket {
    pub(super) outcome: terms::OutcomeSide,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CancelMarkets {
    /// What a YES share pays, 0 to 1 in whole cents; without it 0.50. NO pays the rest.
    pub(super) yes_price: Option<Money>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateEvent {
    slug: String,
    title: String,
    #[serde(rename = "type")]
    event_type: terms::EventType,
    engine: terms::Engine,
    currencies: Vec<terms::Currency>,
    category: String,
    subcategory: Option<String>,
    description: Option<String>,
    resolution_source: Option<String>,
    additional_context: Option<String>,
    image_url: Option<String>,
    image128_url: Option<String>,
    #[serde(default)]
    hashtags: Vec<String>,
    #[serde(default)]
    country_codes: Vec<String>,
    opening_date: Option<Timestamp>,
    closing_date: Option<Timestamp>,
    resolution_date: Option<Timestamp>,
    markets: Vec<CreateMarket>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateMarket {
    title: String,
    yes_label: Option<String>,
    no_label: Option<String>,
    rules: Option<String>,
    image_url: Option<String>,
    image128_url: Option<String>,
    /// In percent: 2 is 2 %.
    fee_percentage: Option<Percent>,
    minimum_order_amount: Option<Minimums>,
}

/// The smallest order in each currency; what is left out stays at the general minimum.
#[derive(Debug, Deserialize)]
struct Minimums {
    #[serde(rename = "USD")]
    usd: Option<Money>,
    #[serde(rename = "NGN")]
    ngn: Option<Money>,
}

impl CreateEvent {
    /// The event with new ids.
    pub(super) fn into_new(self) -> Result<NewEvent, BadRequest> {
        let markets = self.markets.into_iter().enumerate();
        let markets = markets.map(|(index, market)| market.into_new(index)).collect::<Result<_, _>>()?;
        let details = EventDetails {
            title: Text::from(self.title),
            description: text(self.description),
            category: Text::from(self.category),
            subcategory: text(self.subcategory),
            image_url: text(self.image_url),
            image_128_url: text(self.image128_url),
            hashtags: self.hashtags.into_iter().map(Text::from).collect(),
            country_codes: self.country_codes.into_iter().map(Text::from).collect(),
            resolution_source: text(self.resolution_source),
            additional_context: text(self.additional_context),
            opening_date: self.opening_date.map(ToExchange::to_exchange),
            closing_date: self.closing_date.map(ToExchange::to_exchange),
            resolution_date: self.resolution_date.map(ToExchange::to_exchange),
        };
        Ok(NewEvent {
            id: EventId::new(Uuid::now_v7().as_u128()),
            slug: Text::from(self.slug),
            kind: self.event_type.to_exchange(),
            engine: self.engine.to_exchange(),
            currencies: self.currencies.into_iter().map(ToExchange::to_exchange).collect(),
            details,
            markets,
            link: EventLink::None,
        })
    }
}

impl CreateMarket {
    fn into_new(self, index: usize) -> Result<NewMarket, BadRequest> {
        let mut details = MarketDetails { title: Text::from(self.title), ..MarketDetails::default() };
        if let Some(label) = self.yes_label {
            details.yes_label = Text::from(label);
        }
        if let Some(label) = self.no_label {
            details.no_label = Text::from(label);
        }
        details.rules = text(self.rules);
        details.image_url = text(self.image_url);
        details.image_128_url = text(self.image128_url);
        if let Some(fee) = self.fee_percentage {
            let basis_points = u16::try_from(fee.units()).ok();
            let path = format!("markets[{index}].feePercentage");
            details.fee_rate = basis_points
                .and_then(FeeRate::new)
                .ok_or_else(|| BadRequest::at(path, "must be between 0 and 10"))?;
        }
        if let Some(minimums) = self.minimum_order_amount {
            for (currency, minimum) in [(Currency::Usd, minimums.usd), (Currency::Ngn, minimums.ngn)] {
                if let Some(minimum) = minimum {
                    *details.order_min.get_mut(currency) = minimum.to_exchange();
                }
            }
        }
        Ok(NewMarket { id: MarketId::new(Uuid::now_v7().as_u128()), details })
    }
}

fn text(given: Option<String>) -> Text {
    Text::from(given.unwrap_or_default())
}
