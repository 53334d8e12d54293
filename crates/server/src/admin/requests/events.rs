//! Descriptions of events: created as drafts and editable until opened; and the terms of their markets.

use api::admin::request::{CreateEvent, CreateMarket, EditEvent, EditMarket, GrowPool, SetTerms};
use api::error::BadRequest;
use exchange::catalogue::{EventDetails, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{ChangeTerms, PriceRange};
use exchange::id::{EventId, MarketId};
use exchange::numbers::Ppm;
use exchange::text::Text;

use super::{MarketParts, fee_rate, given_amounts, set, text};
use crate::identifiers::new_id;
use crate::pictures::address::small_of;
use crate::view::words::ToExchange;

/// The event; its markets get new ids.
pub fn new_event(id: EventId, given: CreateEvent) -> Result<NewEvent, BadRequest> {
    let markets = given.markets.into_iter().enumerate();
    let markets = markets.map(|(index, market)| new_market(market, index)).collect::<Result<_, _>>()?;
    let details = EventDetails {
        title: Text::from(given.title),
        description: text(given.description),
        category: Text::from(given.category),
        subcategory: text(given.subcategory),
        image_128_url: small_picture(given.image_url.as_deref(), given.image128_url),
        image_url: text(given.image_url),
        hashtags: given.hashtags.into_iter().map(Text::from).collect(),
        country_codes: given.country_codes.into_iter().map(Text::from).collect(),
        resolution_source: text(given.resolution_source),
        additional_context: text(given.additional_context),
        opening_date: given.opening_date.map(ToExchange::to_exchange),
        closing_date: given.closing_date.map(ToExchange::to_exchange),
        resolution_date: given.resolution_date.map(ToExchange::to_exchange),
    };
    Ok(NewEvent {
        id,
        slug: Text::from(given.slug),
        kind: given.event_type.to_exchange(),
        engine: given.engine.to_exchange(),
        currencies: given.currencies.into_iter().map(ToExchange::to_exchange).collect(),
        details,
        markets,
        link: EventLink::None,
    })
}

fn new_market(given: CreateMarket, index: usize) -> Result<NewMarket, BadRequest> {
    let mut details = MarketDetails { title: Text::from(given.title), ..MarketDetails::default() };
    details.image_128_url = small_picture(given.image_url.as_deref(), given.image128_url);
    details.image_url = text(given.image_url);
    let parts = MarketParts {
        yes_label: given.yes_label,
        no_label: given.no_label,
        rules: given.rules,
        fee_percentage: given.fee_percentage,
        minimum_order_amount: given.minimum_order_amount,
    };
    parts.change(&format!("markets[{index}]."), &mut details)?;
    Ok(NewMarket { id: MarketId::new(new_id().as_u128()), details })
}

/// Applies the changes to an event's details and returns the changed markets.
pub fn change_event(given: EditEvent, details: &mut EventDetails) -> Vec<EditMarket> {
    set(&mut details.title, given.title);
    set(&mut details.category, given.category);
    set(&mut details.subcategory, given.subcategory);
    set(&mut details.description, given.description);
    set(&mut details.resolution_source, given.resolution_source);
    set(&mut details.additional_context, given.additional_context);
    set_pictures(&mut details.image_url, &mut details.image_128_url, given.image_url, given.image128_url);
    let texts = |texts: Vec<String>| texts.into_iter().map(Text::from).collect();
    if let Some(hashtags) = given.hashtags {
        details.hashtags = texts(hashtags);
    }
    if let Some(codes) = given.country_codes {
        details.country_codes = texts(codes);
    }
    for (date, new) in [
        (&mut details.opening_date, given.opening_date),
        (&mut details.closing_date, given.closing_date),
        (&mut details.resolution_date, given.resolution_date),
    ] {
        *date = new.map(ToExchange::to_exchange).or(*date);
    }
    given.markets
}

/// The address of the small size: as given, else that of the large size if this venue has the picture.
fn small_picture(large: Option<&str>, given: Option<String>) -> Text {
    text(given.or_else(|| small_of(large?)))
}

/// Changes the addresses of a picture. A new large size alone brings its small size, or ends that of another picture.
fn set_pictures(large: &mut Text, small: &mut Text, new: Option<String>, new_small: Option<String>) {
    if new_small.is_some()
        || new.as_deref().is_some_and(|new| small_of(new).is_some() || small_of(small).is_some())
    {
        *small = small_picture(new.as_deref(), new_small);
    }
    set(large, new);
}

/// `index` is the place of the market in the request, for error messages.
pub fn change_market(given: EditMarket, index: usize, details: &mut MarketDetails) -> Result<(), BadRequest> {
    set(&mut details.title, given.title);
    set_pictures(&mut details.image_url, &mut details.image_128_url, given.image_url, given.image128_url);
    let parts = MarketParts {
        yes_label: given.yes_label,
        no_label: given.no_label,
        rules: given.rules,
        fee_percentage: given.fee_percentage,
        minimum_order_amount: given.minimum_order_amount,
    };
    parts.change(&format!("markets[{index}]."), details)
}

/// The given changes of a market's terms.
pub fn terms_change(given: SetTerms, market: MarketId) -> Result<ChangeTerms, BadRequest> {
    let fee_rate = given.fee_percentage.map(|fee| fee_rate("feePercentage", fee)).transpose()?;
    let order_min = given.minimum_order_amount.map(given_amounts).unwrap_or_default();
    Ok(ChangeTerms { market, fee_rate, order_min })
}

/// The prices of YES at which a pool is to grow: as given, else a cent around the price that it has now.
pub fn price_range(given: &GrowPool, now: Ppm) -> PriceRange {
    let low = Ppm::new(now.units() - Ppm::CENT.units()).max(Ppm::ZERO);
    let high = Ppm::new(now.units() + Ppm::CENT.units()).min(Ppm::WHOLE);
    PriceRange {
        low: given.yes_price_min.map_or(low, ToExchange::to_exchange),
        high: given.yes_price_max.map_or(high, ToExchange::to_exchange),
    }
}
