//! The search by words: the searched fields, typo tolerance, ranking.

use api::query::EventsQuery;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{Command, OpenEvent};
use exchange::numbers::Currency;
use exchange::text::Text;
use server::view;

use crate::stage::{Stage, event_id, market_id};

/// Three events of one category, oldest first.
fn searched() -> Stage {
    let mut stage = Stage::usual();
    open(&mut stage, "dollar-naira", "Dollar/Naira above 1,600?", "", &[], "YES");
    let about = "What the Dollar costs at the exchange.";
    open(&mut stage, "naira-rally", "A Naira rally this week", about, &[], "YES");
    open(&mut stage, "bitcoin-high", "Bitcoin at a new high", "", &["#BTC"], "Surely");
    stage
}

fn open(stage: &mut Stage, slug: &str, title: &str, description: &str, hashtags: &[&str], yes_label: &str) {
    let details = MarketDetails {
        title: Text::from("Will it?"),
        yes_label: Text::from(yes_label),
        ..MarketDetails::default()
    };
    stage.system(Command::CreateEvent(NewEvent {
        id: event_id(slug),
        slug: Text::from(slug),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails {
            title: Text::from(title),
            description: Text::from(description),
            category: Text::from("finance"),
            hashtags: hashtags.iter().map(|tag| Text::from(*tag)).collect(),
            ..EventDetails::default()
        },
        markets: vec![NewMarket { id: market_id(slug), details }],
        link: EventLink::None,
    }));
    stage.system(Command::OpenEvent(OpenEvent { event: event_id(slug) }));
}

fn found(stage: &Stage, query: &str) -> String {
    let query = EventsQuery::parse(&format!("{query}&category=finance")).expect("a readable query");
    let events = view::event::list(&stage.exchange, &query, None, stage.now);
    let slugs: Vec<String> = events.events.into_iter().map(|event| event.slug).collect();
    slugs.join(" ")
}

#[test]
fn a_search_finds_words_in_any_order_and_the_best_match_first() {
    let stage = searched();
    let table = [
        ("q=dollar%20naira", "dollar-naira naira-rally"),
        ("q=NAIRA+dollar", "dollar-naira naira-rally"),
        // A prefix is enough for the last word, and only for the last.
        ("q=rally+nai", "naira-rally"),
        ("q=nai+rally", ""),
        // A hashtag, an outcome, a description.
        ("q=btc", "bitcoin-high"),
        ("q=surely", "bitcoin-high"),
        ("q=exchange", "naira-rally"),
        // One typo of each kind, in a word that no event has.
        ("q=naria", "naira-rally dollar-naira"),
        ("q=nira", "naira-rally dollar-naira"),
        ("q=nairra", "naira-rally dollar-naira"),
        ("q=dolbar", "naira-rally dollar-naira"),
        ("q=dolbbr", ""),
        ("q=bitcoin&status=closed", ""),
        ("q=naira&keyword=rally", "naira-rally"),
        ("q=naira&size=1&page=2", "dollar-naira"),
        ("q=%20", "bitcoin-high naira-rally dollar-naira"),
    ];
    for (query, expected) in table {
        assert_eq!(found(&stage, query), expected, "{query}");
    }
}
