//! The pictures that a command or a state names, by their addresses in `image_url` and similar texts.

use std::collections::BTreeSet;

use exchange::Exchange;
use exchange::catalogue::{EventDetails, League, MarketDetails, NewSeries, Team};
use exchange::command::{Command, DoOrPropose, EditEvent, ImportSports, Propose};
use exchange::governance::Subject;

use super::address::{PREFIX, PictureHash, parse_address};

/// The pictures that a command names. Malformed addresses name none.
pub fn named_by(command: &Command) -> BTreeSet<PictureHash> {
    addresses_in(command).into_iter().filter_map(parse_address).collect()
}

/// The addresses of this venue's pictures in a command, malformed ones included.
pub fn addresses_in(command: &Command) -> Vec<&str> {
    let mut texts = Vec::new();
    match command {
        Command::CreateEvent(new) => {
            of_event(&new.details, &mut texts);
            new.markets.iter().for_each(|market| of_market(&market.details, &mut texts));
        }
        Command::EditEvent(EditEvent { details, markets, .. }) => {
            of_event(details, &mut texts);
            markets.iter().for_each(|market| of_market(&market.details, &mut texts));
        }
        Command::CreateSeries(new) => of_series(new, &mut texts),
        Command::ImportSports(ImportSports { leagues, teams, .. }) => {
            texts.extend(leagues.iter().map(|League { image_url, .. }| &**image_url));
            texts.extend(teams.iter().map(|Team { image_url, .. }| &**image_url));
        }
        Command::CreateSoccerEvents(new) => of_market(&new.market, &mut texts),
        Command::Propose(Propose { subject: Subject::Command(command), .. })
        | Command::DoOrPropose(DoOrPropose { command, .. }) => return addresses_in(command),
        _ => {}
    }
    texts.retain(|text| text.starts_with(PREFIX));
    texts
}

/// The pictures that a state names. Retired events are not part of it.
pub fn named_in(exchange: &Exchange) -> BTreeSet<PictureHash> {
    let (catalogue, mut texts) = (exchange.catalogue(), Vec::new());
    catalogue.events().for_each(|(_, event)| of_event(&event.details, &mut texts));
    catalogue.markets().for_each(|(_, market)| of_market(&market.details, &mut texts));
    catalogue.series().for_each(|series| of_series(&series.terms, &mut texts));
    let sports = catalogue.sports();
    texts.extend(sports.leagues.values().map(|league| &*league.image_url));
    texts.extend(sports.teams.values().map(|team| &*team.image_url));
    texts.into_iter().filter_map(parse_address).collect()
}

fn of_event<'a>(details: &'a EventDetails, texts: &mut Vec<&'a str>) {
    texts.extend([&*details.image_url, &*details.image_128_url]);
}

fn of_market<'a>(details: &'a MarketDetails, texts: &mut Vec<&'a str>) {
    texts.extend([&*details.image_url, &*details.image_128_url]);
}

fn of_series<'a>(terms: &'a NewSeries, texts: &mut Vec<&'a str>) {
    texts.push(&terms.icon_url);
    of_market(&terms.market, texts);
}
