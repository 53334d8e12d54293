//! Resolves names in paths. People type slugs and tags, programs send ids; both are accepted.

use api::error::ErrorBody;
use api::identifier;
use exchange::Exchange;
use exchange::id::{EventId, GameId, MarketId, OperatorId, ProposalId, SeriesId, UserId};
use exchange::index::{EventIndex, MarketIndex, UserIndex};
use exchange::reject::Reject;

use crate::app::App;
use crate::history::RetiredName;
use crate::http::Failure;

fn id(text: &str) -> Option<u128> {
    identifier::parse(text).ok().map(|id| id.as_u128())
}

fn missing(what: &str) -> Failure {
    ErrorBody::not_found(format!("{what} not found")).into()
}

/// An event by its id or slug, drafts included.
pub(super) fn event(exchange: &Exchange, text: &str) -> Result<EventIndex, Failure> {
    let catalogue = exchange.catalogue();
    let by_id = id(text).and_then(|id| catalogue.find_event(EventId::new(id)));
    by_id.or_else(|| catalogue.find_event_by_slug(text)).ok_or_else(|| missing("Event"))
}

/// The names under which history may have an event.
pub(super) fn event_names(text: &str) -> Vec<RetiredName> {
    let by_id = id(text).map(|id| RetiredName::Event(EventId::new(id)));
    by_id.into_iter().chain([RetiredName::Slug(text.to_owned())]).collect()
}

/// The id of an event in memory. A retired event is refused, like the exchange refuses to change an ended one.
pub(super) async fn event_in_memory(app: &App, text: &str) -> Result<EventId, Failure> {
    if let Ok(found) = event_id(&app.reading().read_state(), text) {
        return Ok(found);
    }
    let shelf = app.reading().shelf_of(event_names(text)).await?;
    let status = shelf.catalogue().event(event(&shelf, text)?).status;
    Err(app.writing().refuse(&Reject::StatusNotAllowed { status }))
}

/// Like `event_in_memory`, for a market.
pub(super) async fn market_in_memory(app: &App, text: &str) -> Result<MarketId, Failure> {
    if let Ok(found) = market_id(&app.reading().read_state(), text) {
        return Ok(found);
    }
    let name = match id(text) {
        Some(id) => RetiredName::Market(MarketId::new(id)),
        None => RetiredName::Slug(text.split(':').next().unwrap_or_default().to_owned()),
    };
    let shelf = app.reading().shelf_of(vec![name]).await?;
    let status = shelf.catalogue().market(market(&shelf, text)?).status;
    Err(app.writing().refuse(&Reject::StatusNotAllowed { status }))
}

pub(super) fn event_id(exchange: &Exchange, text: &str) -> Result<EventId, Failure> {
    event(exchange, text).map(|index| exchange.catalogue().event(index).id)
}

/// A market by id, by the slug of an event that has only one market, or by slug and number: `slug:2`.
pub(super) fn market(exchange: &Exchange, text: &str) -> Result<MarketIndex, Failure> {
    let catalogue = exchange.catalogue();
    if let Some(id) = id(text) {
        return catalogue.find_market(MarketId::new(id)).ok_or_else(|| missing("Market"));
    }
    let (slug, number) = match text.split_once(':') {
        Some((slug, number)) => (slug, number.parse::<usize>().ok()),
        None => (text, Some(1)),
    };
    let event = catalogue.find_event_by_slug(slug).ok_or_else(|| missing("Market"))?;
    let markets = &catalogue.event(event).markets;
    if !text.contains(':') && markets.len() > 1 {
        let message = format!("The event has {} markets: name one by its id or as {slug}:1", markets.len());
        return Err(ErrorBody::not_found(message).into());
    }
    let place = number.and_then(|number| number.checked_sub(1));
    place.and_then(|place| markets.get(place).copied()).ok_or_else(|| missing("Market"))
}

pub(super) fn market_id(exchange: &Exchange, text: &str) -> Result<MarketId, Failure> {
    market(exchange, text).map(|index| exchange.catalogue().market(index).id)
}

/// A user by id or tag; the house's tag is `house`.
pub(super) fn user(exchange: &Exchange, text: &str) -> Result<UserIndex, Failure> {
    let directory = exchange.directory();
    let by_id = id(text).and_then(|id| directory.find(UserId::new(id)));
    by_id.or_else(|| directory.find_by_tag(text)).ok_or_else(|| missing("User"))
}

pub(super) fn user_id(exchange: &Exchange, text: &str) -> Result<UserId, Failure> {
    user(exchange, text).map(|index| exchange.directory().user(index).id)
}

/// An operator by id, or by name. The name must be unique among operators that are not revoked, or else among all.
pub(super) fn operator_id(exchange: &Exchange, text: &str) -> Result<OperatorId, Failure> {
    if let Some(id) = id(text) {
        return Ok(OperatorId::new(id));
    }
    let operators = exchange.directory().operators().filter(|operator| *operator.name == *text);
    let (gone, there): (Vec<_>, Vec<_>) = operators.partition(|operator| operator.revoked);
    match (there.as_slice(), gone.as_slice()) {
        ([operator], _) | ([], [operator]) => Ok(operator.id),
        ([], []) => Err(missing("Operator")),
        _ => Err(ErrorBody::not_found("Several operators have this name: use an id").into()),
    }
}

pub(super) fn series_id(exchange: &Exchange, text: &str) -> Result<SeriesId, Failure> {
    let catalogue = exchange.catalogue();
    let by_id = id(text).and_then(|id| catalogue.find_series(SeriesId::new(id)));
    let found = by_id.or_else(|| catalogue.find_series_by_slug(text));
    found.map(|series| series.terms.id).ok_or_else(|| missing("Series"))
}

pub(super) fn game_id(exchange: &Exchange, text: &str) -> Result<GameId, Failure> {
    let sports = exchange.catalogue().sports();
    let by_id = id(text).and_then(|id| sports.games.get(&GameId::new(id)));
    let found = by_id.or_else(|| sports.find_game(text));
    found.map(|game| game.id).ok_or_else(|| missing("Game"))
}

pub(super) fn proposal_id(text: &str) -> Result<ProposalId, Failure> {
    id(text).map(ProposalId::new).ok_or_else(|| missing("Proposal"))
}
