//! Events, markets, series, sports, asset prices and names of retired events. Listings are in `listings.rs`.
//!
//! Events and markets are encoded in creation order, and each event gives the number of its markets. No index is
//! encoded, so a state has one encoding however often its tables were renumbered.

use std::collections::BTreeSet;

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::money::Balances;
use super::{Read, Written, check, found, read_list, write_list};
use crate::catalogue::{Catalogue, Event, Game, Listing, Market, Series, Venue};
use crate::exchange::Exchange;
use crate::id::GameId;
use crate::index::EventIndex;
use crate::numbers::{Currency, PerCurrency};
use crate::time::Time;

pub(super) fn write_catalogue<W: Write>(e: &mut Encoder<W>, catalogue: &Catalogue) -> Written<W> {
    write_list(e, catalogue.events.values(), |e, event| write_event(e, event, event.markets.len()))?;
    write_list(e, catalogue.markets().map(|(_, market)| market), write_market)?;
    write_retired(e, catalogue)?;
    write_list(e, catalogue.series.values(), |e, series| e.encode(series)?.ok())?;
    write_sports(e, catalogue)?;
    e.encode(&catalogue.assets)?.ok()
}

pub(super) fn read_catalogue(
    d: &mut Decoder<'_>,
    exchange: &mut Exchange,
    balances: &PerCurrency<Balances>,
) -> Read<()> {
    let catalogue = &mut exchange.catalogue;
    let mut homes = Vec::new();
    read_list(d, |d| {
        let (event, markets) = read_event(d)?;
        check(catalogue.find_event(event.id).is_none(), "an event is unique")?;
        check(catalogue.find_event_by_slug(&event.slug).is_none(), "a slug is unique")?;
        let before = catalogue.events.values().next_back().map(|event| event.serial);
        check(before.is_none_or(|before| before < event.serial), "events are in creation order")?;
        homes.push((catalogue.add_event(event), markets));
        Ok(())
    })?;
    let mut homes = homes.into_iter().filter(|(_, markets)| *markets > 0);
    let mut home: Option<(EventIndex, u64)> = None;
    read_list(d, |d| {
        let (event, left) = found(home.take().or_else(|| homes.next()), "a market has its event")?;
        let market = read_market(d, event)?;
        check(catalogue.find_market(market.id).is_none(), "a market is unique")?;
        // The venues are read with the listings.
        let idle = || Listing::new(Venue::Idle);
        let index = catalogue.add_market(market, [idle(), idle()]);
        catalogue.event_mut(event).markets.push(index);
        home = (left > 1).then_some((event, left - 1));
        Ok(())
    })?;
    check(home.is_none() && homes.next().is_none(), "an event has its markets")?;
    read_retired(d, catalogue)?;
    read_list(d, |d| {
        let series: Series = d.decode()?;
        catalogue.series.insert(series.terms.id, series);
        Ok(())
    })?;
    read_sports(d, catalogue)?;
    catalogue.assets = d.decode()?;
    for currency in Currency::ALL {
        let collateral = balances.get(currency).collateral.len();
        check(collateral == exchange.catalogue.markets().len(), "a market has its collateral")?;
    }
    Ok(())
}

fn write_retired<W: Write>(e: &mut Encoder<W>, catalogue: &Catalogue) -> Written<W> {
    let retired = &catalogue.retired;
    e.u64(catalogue.next_event_serial)?.u64(retired.count)?.u64(retired.last_seq)?;
    for names in [&retired.ids, &retired.slugs] {
        write_list(e, names.iter(), |e, name| e.u64(*name)?.ok())?;
    }
    Ok(())
}

fn read_retired(d: &mut Decoder<'_>, catalogue: &mut Catalogue) -> Read<()> {
    catalogue.next_event_serial = d.u64()?;
    let last = catalogue.events.values().next_back();
    let follows = last.is_none_or(|event| event.serial < catalogue.next_event_serial);
    check(follows, "the next event follows all others")?;
    let retired = &mut catalogue.retired;
    (retired.count, retired.last_seq) = (d.u64()?, d.u64()?);
    retired.ids = d.array_iter()?.collect::<Read<BTreeSet<u64>>>()?;
    retired.slugs = d.array_iter()?.collect::<Read<BTreeSet<u64>>>()?;
    Ok(())
}

/// The fields of sports, and of those with games that have ended or retired, which only rules 4 note.
const SPORTS_FIELDS: u64 = 3;
const NEWER_SPORTS_FIELDS: u64 = 5;

fn write_sports<W: Write>(e: &mut Encoder<W>, catalogue: &Catalogue) -> Written<W> {
    let (ended, retired) = (&catalogue.ended_games, &catalogue.retired.game_slugs);
    if ended.len() == 0 && retired.is_empty() {
        return e.array(SPORTS_FIELDS)?.encode(&*catalogue.sports)?.ok();
    }
    e.array(NEWER_SPORTS_FIELDS)?.encode(&*catalogue.sports)?;
    write_list(e, ended.iter(), |e, entry| e.encode(entry)?.ok())?;
    write_list(e, retired.iter(), |e, (slug, game)| e.array(2)?.u64(*slug)?.encode(game)?.ok())
}

fn read_sports(d: &mut Decoder<'_>, catalogue: &mut Catalogue) -> Read<()> {
    let fields = d.array()?;
    check(
        matches!(fields, Some(SPORTS_FIELDS | NEWER_SPORTS_FIELDS)),
        "sports have the fields of their version",
    )?;
    catalogue.restore_sports(d.decode()?);
    if fields == Some(SPORTS_FIELDS) {
        return Ok(());
    }
    read_list(d, |d| {
        let (game, at): (GameId, Time) = d.decode()?;
        let is_over = catalogue.sports.games.get(&game).is_some_and(Game::is_over);
        check(is_over && catalogue.events_of_game(game).next().is_none(), "a game that ended is over")?;
        catalogue.ended_games.insert(game, at);
        Ok(())
    })?;
    read_list(d, |d| {
        let (slug, game): (u64, GameId) = d.decode()?;
        let is_gone = !catalogue.sports.games.contains_key(&game);
        check(is_gone && catalogue.retired.restore_game(slug, game), "a retired game is in one place")
    })
}

/// The fields of an event, and of one with something that only rules 4 set.
const EVENT_FIELDS: u64 = 18;
const NEWER_EVENT_FIELDS: u64 = 20;

/// Encodes an event and its number of markets.
pub(super) fn write_event<W: Write>(e: &mut Encoder<W>, event: &Event, markets: usize) -> Written<W> {
    let is_newer = event.edited_at.is_some() || event.never_opened;
    let fields = if is_newer { NEWER_EVENT_FIELDS } else { EVENT_FIELDS };
    e.array(fields)?.encode(event.id)?.encode(&event.slug)?.encode(event.kind)?.encode(event.engine)?;
    e.encode(&event.currencies)?.encode(&event.details)?.encode(event.link)?.encode(event.status)?;
    e.u64(markets as u64)?.u64(event.serial)?;
    e.encode(event.created_at)?
        .encode(event.resolved_at)?
        .encode(event.threshold)?
        .encode(event.close_value)?
        .encode(&event.open_samples)?
        .encode(&event.close_samples)?
        .bool(event.is_result_proposed)?
        .encode(&event.resolutions)?;
    if is_newer { e.encode(event.edited_at)?.bool(event.never_opened)?.ok() } else { e.ok() }
}

/// Decodes an event without its markets, and their number.
pub(super) fn read_event(d: &mut Decoder<'_>) -> Read<(Event, u64)> {
    let fields = d.array()?;
    check(
        matches!(fields, Some(EVENT_FIELDS | NEWER_EVENT_FIELDS)),
        "an event has the fields of its version",
    )?;
    let is_newer = fields == Some(NEWER_EVENT_FIELDS);
    let (id, slug, kind, engine) = (d.decode()?, d.decode()?, d.decode()?, d.decode()?);
    let (currencies, details, link, status) = (d.decode()?, d.decode()?, d.decode()?, d.decode()?);
    let (markets, serial) = (d.u64()?, d.u64()?);
    let event = Event {
        id,
        serial,
        slug,
        kind,
        engine,
        currencies,
        details,
        link,
        status,
        markets: Vec::new(),
        created_at: d.decode()?,
        resolved_at: d.decode()?,
        threshold: d.decode()?,
        close_value: d.decode()?,
        open_samples: d.decode()?,
        close_samples: d.decode()?,
        is_result_proposed: d.decode()?,
        resolutions: d.decode()?,
        edited_at: if is_newer { d.decode()? } else { None },
        never_opened: is_newer && d.bool()?,
    };
    Ok((event, markets))
}

/// A market has a fifth field while terms are announced, which only rules 4 do.
pub(super) fn write_market<W: Write>(e: &mut Encoder<W>, market: &Market) -> Written<W> {
    e.array(4 + u64::from(market.announced.is_some()))?.encode(market.id)?.encode(market.status)?;
    e.encode(&market.details)?.encode(market.settlement)?;
    match &market.announced {
        Some(announced) => e.encode(announced)?.ok(),
        None => e.ok(),
    }
}

pub(super) fn read_market(d: &mut Decoder<'_>, event: EventIndex) -> Read<Market> {
    let fields = d.array()?;
    check(matches!(fields, Some(4 | 5)), "a market has four fields or five")?;
    let (id, status, details, settlement) = (d.decode()?, d.decode()?, d.decode()?, d.decode()?);
    let announced = if fields == Some(5) { Some(d.decode()?) } else { None };
    Ok(Market { id, event, status, details, settlement, announced })
}
