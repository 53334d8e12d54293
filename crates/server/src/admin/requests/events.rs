//! Descriptions of events: created as drafts and editable until opened; and the terms of their markets.

use api::Timestamp;
use api::decimal::{Money, Percent, Price};
use api::error::BadRequest;
use api::terms;
use exchange::catalogue::{EventDetails, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::id::{EventId, MarketId};
use exchange::numbers::{FeeRate, PerCurrency};
use exchange::text::Text;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Amounts, MarketParts, fee_rate, set, text};
use crate::view::words::ToExchange;

/// A draft.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateEvent {
    #[schema(example = "rain-in-lagos-on-sunday")]
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
    /// When trading stops by itself.
    closing_date: Option<Timestamp>,
    resolution_date: Option<Timestamp>,
    markets: Vec<CreateMarket>,
}

/// A market of a draft.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateMarket {
    title: String,
    yes_label: Option<String>,
    no_label: Option<String>,
    rules: Option<String>,
    image_url: Option<String>,
    image128_url: Option<String>,
    /// In percent: 2 is 2 %.
    fee_percentage: Option<Percent>,
    /// The smallest order; what is left out stays at the general minimum.
    minimum_order_amount: Option<Amounts>,
}

impl CreateEvent {
    /// The event, with new ids.
    pub fn into_new(self) -> Result<NewEvent, BadRequest> {
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
        details.image_url = text(self.image_url);
        details.image_128_url = text(self.image128_url);
        let parts = MarketParts {
            yes_label: self.yes_label,
            no_label: self.no_label,
            rules: self.rules,
            fee_percentage: self.fee_percentage,
            minimum_order_amount: self.minimum_order_amount,
        };
        parts.change(&format!("markets[{index}]."), &mut details)?;
        Ok(NewMarket { id: MarketId::new(Uuid::now_v7().as_u128()), details })
    }
}

/// Changes to a draft; fields that are left out stay.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditEvent {
    title: Option<String>,
    category: Option<String>,
    subcategory: Option<String>,
    description: Option<String>,
    resolution_source: Option<String>,
    additional_context: Option<String>,
    image_url: Option<String>,
    image128_url: Option<String>,
    hashtags: Option<Vec<String>>,
    country_codes: Option<Vec<String>>,
    opening_date: Option<Timestamp>,
    closing_date: Option<Timestamp>,
    resolution_date: Option<Timestamp>,
    #[serde(default)]
    pub markets: Vec<EditMarket>,
}

/// Changes to a market of a draft.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditMarket {
    /// An id, or `slug` or `slug:2`.
    pub market: String,
    title: Option<String>,
    yes_label: Option<String>,
    no_label: Option<String>,
    rules: Option<String>,
    image_url: Option<String>,
    image128_url: Option<String>,
    fee_percentage: Option<Percent>,
    minimum_order_amount: Option<Amounts>,
}

impl EditEvent {
    /// Applies the changes to an event's details and returns the changed markets.
    pub fn change(self, details: &mut EventDetails) -> Vec<EditMarket> {
        set(&mut details.title, self.title);
        set(&mut details.category, self.category);
        set(&mut details.subcategory, self.subcategory);
        set(&mut details.description, self.description);
        set(&mut details.resolution_source, self.resolution_source);
        set(&mut details.additional_context, self.additional_context);
        set(&mut details.image_url, self.image_url);
        set(&mut details.image_128_url, self.image128_url);
        let texts = |given: Vec<String>| given.into_iter().map(Text::from).collect();
        if let Some(hashtags) = self.hashtags {
            details.hashtags = texts(hashtags);
        }
        if let Some(codes) = self.country_codes {
            details.country_codes = texts(codes);
        }
        for (date, given) in [
            (&mut details.opening_date, self.opening_date),
            (&mut details.closing_date, self.closing_date),
            (&mut details.resolution_date, self.resolution_date),
        ] {
            *date = given.map(ToExchange::to_exchange).or(*date);
        }
        self.markets
    }
}

impl EditMarket {
    pub fn change(self, index: usize, details: &mut MarketDetails) -> Result<(), BadRequest> {
        set(&mut details.title, self.title);
        set(&mut details.image_url, self.image_url);
        set(&mut details.image_128_url, self.image128_url);
        let parts = MarketParts {
            yes_label: self.yes_label,
            no_label: self.no_label,
            rules: self.rules,
            fee_percentage: self.fee_percentage,
            minimum_order_amount: self.minimum_order_amount,
        };
        parts.change(&format!("markets[{index}]."), details)
    }
}

/// The house's money for a pool, and the price it begins with.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SeedPool {
    pub currency: terms::Currency,
    pub amount: Money,
    /// Of YES.
    pub price: Price,
}

/// More of the house's money for a pool, at the price it has.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GrowPool {
    pub currency: terms::Currency,
    pub amount: Money,
}

/// The fee and the minimums of orders to come; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetTerms {
    /// In percent: 2 is 2 %.
    fee_percentage: Option<Percent>,
    minimum_order_amount: Option<Amounts>,
}

impl SetTerms {
    pub fn over(
        self,
        details: &MarketDetails,
    ) -> Result<(FeeRate, PerCurrency<exchange::numbers::Money>), BadRequest> {
        let rate = match self.fee_percentage {
            Some(fee) => fee_rate("feePercentage", fee)?,
            None => details.fee_rate,
        };
        let mut minimums = details.order_min;
        if let Some(given) = self.minimum_order_amount {
            given.change(&mut minimums);
        }
        Ok((rate, minimums))
    }
}
