//! A market of an event, in one currency.

use api::decimal::PropLine;
use api::response::{AnnouncedTerms, Market, MarketTerms, PropTeam, ResolvedOutcome};
use exchange::Exchange;
use exchange::catalogue::{self, AssetPrice, Event, Listing, Prop, PropDirection, Venue};
use exchange::id::TeamId;
use exchange::index::{ListingIndex, MarketIndex};
use exchange::numbers::{Currency, Money, Ppm};
use exchange::order::Outcome;

use super::order::label;
use super::sport::league_name;
use super::words::ToApi;

/// Whether a market is public: its event is not a draft.
pub(super) fn is_public(exchange: &Exchange, index: MarketIndex) -> bool {
    let catalogue = exchange.catalogue();
    catalogue.event(catalogue.market(index).event).is_public()
}

pub(super) fn market(exchange: &Exchange, index: MarketIndex, currency: Currency) -> Market {
    let catalogue = exchange.catalogue();
    let market = catalogue.market(index);
    let event = catalogue.event(market.event);
    let listing = catalogue.listing(ListingIndex::new(index, currency));
    let instrument = catalogue.instrument(index);
    let outcome_id = |outcome| instrument.outcome(outcome).to_api();
    let details = &market.details;
    let prop = details.prop;
    let winner = market.resolved_outcome();
    Market {
        id: market.id.to_api(),
        title: details.title.to_string(),
        status: market.status.to_api(),
        outcome1_id: outcome_id(Outcome::Yes),
        outcome2_id: outcome_id(Outcome::No),
        outcome1_label: label(market, Outcome::Yes).to_owned(),
        outcome2_label: label(market, Outcome::No).to_owned(),
        outcome1_price: price(market, listing, Outcome::Yes).to_api(),
        outcome2_price: price(market, listing, Outcome::No).to_api(),
        yes_buy_price: buy_price(market, listing, Outcome::Yes).to_api(),
        no_buy_price: buy_price(market, listing, Outcome::No).to_api(),
        minimum_order_amount: details.order_min.get(currency).to_api(),
        fee_percentage: details.fee_rate.to_api(),
        announced_terms: announced_terms(market, currency),
        total_orders: listing.orders,
        rules: details.rules.to_string(),
        prop_line: prop.and_then(|prop| prop.line).map(|line| PropLine::from_units(i64::from(line))),
        prop_direction: prop.and_then(|prop| prop.direction).map(PropDirection::to_api),
        prop_team: prop.and_then(|Prop { team, .. }| prop_team(exchange, team?)),
        image_url: details.image_url.to_string(),
        image128_url: details.image_128_url.to_string(),
        resolution_price: market.settlement.map_or(Ppm::ZERO.to_api(), |settlement| settlement.yes.to_api()),
        resolved_outcome: ResolvedOutcome(winner.map(Outcome::to_api)),
        resolved_outcome_id: winner.map(outcome_id),
        market_threshold: details.threshold.map(|units| AssetPrice(units).to_api()),
        market_threshold_range: details.threshold_range.to_string(),
        market_close_value: close_value(event).map(AssetPrice::to_api),
        liquidity_reward: None,
        maker_rebate: None,
    }
}

/// The displayed price: the payout of a settled market, otherwise the price of the listing.
pub(super) fn price(market: &catalogue::Market, listing: &Listing, outcome: Outcome) -> Ppm {
    match market.settlement {
        Some(settlement) => Ppm::new(settlement.cents(outcome).cents() * 10_000),
        None => listing.price(outcome),
    }
}

/// The current price of one share. Zero after trading has ended: a pool keeps its reserves until it is settled, but sells
/// nothing.
pub(super) fn buy_price(market: &catalogue::Market, listing: &Listing, outcome: Outcome) -> Ppm {
    if market.status.has_orders() { listing.buy_price(outcome) } else { Ppm::ZERO }
}

/// The liquidity. Book: the notional of resting orders, each at its own price. Pool: the smaller reserve, times the
/// payout of a share.
pub(super) fn liquidity(listing: &Listing, currency: Currency) -> Money {
    match &listing.venue {
        Venue::Book(_) | Venue::Idle => listing.resting,
        Venue::Pool(pool) => pool.as_ref().map_or(Money::ZERO, |pool| pool.depth().payout(currency)),
    }
}

/// A series event has one market, so the event's close value is the market's.
fn close_value(event: &Event) -> Option<AssetPrice> {
    event.close_value
}

/// The terms of a market in one currency, with those that are announced.
pub(super) fn terms(market: &catalogue::Market, currency: Currency) -> MarketTerms {
    MarketTerms {
        fee_percentage: market.details.fee_rate.to_api(),
        minimum_order_amount: market.details.order_min.get(currency).to_api(),
        announced_terms: announced_terms(market, currency),
    }
}

pub(super) fn announced_terms(market: &catalogue::Market, currency: Currency) -> Option<AnnouncedTerms> {
    market.announced.map(|announced| AnnouncedTerms {
        fee_percentage: announced.terms.fee_rate.to_api(),
        minimum_order_amount: announced.terms.order_min.get(currency).to_api(),
        from: announced.from.to_api(),
    })
}

fn prop_team(exchange: &Exchange, id: TeamId) -> Option<PropTeam> {
    let sports = exchange.catalogue().sports();
    let team = sports.teams.get(&id)?;
    Some(PropTeam {
        id: team.id.to_api(),
        name: team.name.to_string(),
        slug: team.slug.to_string(),
        league: league_name(sports, team.league),
        sport: team.sport.to_uppercase(),
    })
}
