//! Events, markets, series, sports and prices of assets. Listings come apart, in `listings.rs`.

use minicbor::encode::Write;
use minicbor::{Decoder, Encoder};

use super::{Read, Written, check, read_list, read_record, write_list};
use crate::catalogue::{Catalogue, Event, Listing, Market, Series, Venue};
use crate::exchange::Exchange;
use crate::index::{EventIndex, MarketIndex};
use crate::numbers::Currency;

pub(super) fn write_catalogue<W: Write>(e: &mut Encoder<W>, catalogue: &Catalogue) -> Written<W> {
    write_list(e, catalogue.events.iter(), write_event)?;
    write_list(e, catalogue.markets.iter(), write_market)?;
    write_list(e, catalogue.series.values(), |e, series| e.encode(series)?.ok())?;
    e.encode(&catalogue.sports)?.encode(&catalogue.assets)?.ok()
}

pub(super) fn read_catalogue(d: &mut Decoder<'_>, exchange: &mut Exchange) -> Read<()> {
    let catalogue = &mut exchange.catalogue;
    read_list(d, |d| {
        let event = read_event(d)?;
        check(catalogue.find_event(event.id).is_none(), "an event is there once")?;
        check(catalogue.find_event_by_slug(&event.slug).is_none(), "a slug is there once")?;
        catalogue.add_event(event);
        Ok(())
    })?;
    read_list(d, |d| {
        let market = read_market(d)?;
        check(catalogue.find_market(market.id).is_none(), "a market is there once")?;
        check(market.event.slot() < catalogue.events.len(), "a market has its event")?;
        // The venues are read with the listings.
        let idle = || Listing::new(Venue::Pool(None));
        catalogue.add_market(market, [idle(), idle()]);
        Ok(())
    })?;
    read_list(d, |d| {
        let series: Series = d.decode()?;
        catalogue.series.insert(series.terms.id, series);
        Ok(())
    })?;
    catalogue.sports = d.decode()?;
    catalogue.assets = d.decode()?;
    check_links(exchange)
}

fn check_links(exchange: &Exchange) -> Read<()> {
    let catalogue = &exchange.catalogue;
    for (index, event) in catalogue.events() {
        let is_own = |market: &MarketIndex| {
            catalogue.markets.get(market.slot()).is_some_and(|market| market.event == index)
        };
        check(event.markets.iter().all(is_own), "an event names its own markets")?;
    }
    for currency in Currency::ALL {
        let collateral = exchange.ledger.accounts(currency).collateral.len();
        check(collateral == catalogue.markets.len(), "a market has its collateral")?;
    }
    Ok(())
}

fn write_event<W: Write>(e: &mut Encoder<W>, event: &Event) -> Written<W> {
    e.array(17)?.encode(event.id)?.encode(&event.slug)?.encode(event.kind)?.encode(event.engine)?;
    e.encode(&event.currencies)?.encode(&event.details)?.encode(event.link)?.encode(event.status)?;
    write_list(e, event.markets.iter(), |e, market| e.u32(market.0)?.ok())?;
    e.encode(event.created_at)?
        .encode(event.resolved_at)?
        .encode(event.threshold)?
        .encode(event.close_value)?
        .encode(&event.open_samples)?
        .encode(&event.close_samples)?
        .bool(event.is_result_proposed)?
        .encode(&event.resolutions)?
        .ok()
}

fn read_event(d: &mut Decoder<'_>) -> Read<Event> {
    read_record(d, 17)?;
    Ok(Event {
        id: d.decode()?,
        slug: d.decode()?,
        kind: d.decode()?,
        engine: d.decode()?,
        currencies: d.decode()?,
        details: d.decode()?,
        link: d.decode()?,
        status: d.decode()?,
        markets: d.array_iter()?.map(|market| market.map(MarketIndex)).collect::<Read<_>>()?,
        created_at: d.decode()?,
        resolved_at: d.decode()?,
        threshold: d.decode()?,
        close_value: d.decode()?,
        open_samples: d.decode()?,
        close_samples: d.decode()?,
        is_result_proposed: d.decode()?,
        resolutions: d.decode()?,
    })
}

fn write_market<W: Write>(e: &mut Encoder<W>, market: &Market) -> Written<W> {
    e.array(5)?.encode(market.id)?.u32(market.event.0)?.encode(market.status)?;
    e.encode(&market.details)?.encode(market.settlement)?.ok()
}

fn read_market(d: &mut Decoder<'_>) -> Read<Market> {
    read_record(d, 5)?;
    Ok(Market {
        id: d.decode()?,
        event: EventIndex(d.u32()?),
        status: d.decode()?,
        details: d.decode()?,
        settlement: d.decode()?,
    })
}
