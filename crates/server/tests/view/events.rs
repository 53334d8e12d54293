//! Events: every field, the filters of the list, and prices when trading is over.

use api::query::EventsQuery;
use exchange::catalogue::Engine;
use exchange::command::{
    CancelMarkets, CloseTrading, Command, OpenEvent, PauseTrading, ResolveMarket, SetWatchlist, Target,
};
use exchange::numbers::{Cents, Currency};
use exchange::order::Outcome;
use expect_test::expect;
use server::view;

use crate::stage::{Stage, event_id, market_id};

/// Both events with some trading in both currencies.
fn traded() -> Stage {
    let mut stage = Stage::usual();
    stage.limit("alice", "a1", "BUY YES", "100", "0.40");
    stage.limit("alice", "a2", "BUY NO", "50", "0.45");
    let buy = r#"{"side":"BUY","outcomeId":"{rain YES}","amount":11,"type":"MARKET"}"#;
    stage.place("bob", "b2", "rain", buy).expect("a fill");
    let buy = r#"{"side":"BUY","outcomeId":"{snow YES}","amount":5000,"type":"MARKET","currency":"NGN"}"#;
    stage.place("bob", "b3", "snow", buy).expect("a fill");
    stage
}

fn watch(stage: &mut Stage, market: &str) {
    let command =
        Command::SetWatchlist(SetWatchlist { event: event_id(market), watched: true, is_retired: false });
    stage.by("alice", command).expect("a watched event");
}

#[test]
fn an_event_on_a_book_shows_every_field() {
    let mut stage = traded();
    watch(&mut stage, "rain");
    let (index, viewer) = (stage.event_index("rain"), stage.user_index("alice"));
    let shown = view::event::event(&stage.exchange, index, Currency::Usd, Some(viewer));
    expect![[r#"
        {
          "id": "{rain/event}",
          "slug": "rain-on-friday",
          "title": "rain on Friday",
          "category": "weather",
          "type": "single",
          "engine": "CLOB",
          "status": "open",
          "resolutionDate": "",
          "closingDate": "2026-01-02T00:00:00Z",
          "liquidity": 53.67649,
          "totalVolume": 10.78429,
          "totalOrders": 3,
          "supportedCurrencies": [
            "USD",
            "NGN"
          ],
          "userWatchlisted": true,
          "markets": [
            {
              "id": "{rain}",
              "title": "Will there be rain?",
              "status": "open",
              "outcome1Id": "{rain YES}",
              "outcome2Id": "{rain NO}",
              "outcome1Label": "YES",
              "outcome2Label": "NO",
              "outcome1Price": 0.475,
              "outcome2Price": 0.525,
              "yesBuyPrice": 0.55,
              "noBuyPrice": 0.6,
              "minimumOrderAmount": 1,
              "feePercentage": 2,
              "totalOrders": 3,
              "rules": "As the weather office says.",
              "propTeam": null,
              "imageUrl": "",
              "image128Url": "",
              "resolutionPrice": 0,
              "resolvedOutcome": "",
              "resolvedOutcomeId": null,
              "liquidityReward": null,
              "makerRebate": null
            }
          ],
          "description": "",
          "subcategory": "wet",
          "createdAt": "2026-01-01T00:00:00Z",
          "openingDate": "",
          "resolvedAt": "",
          "resolutionSource": "",
          "additionalContext": "",
          "countdownType": "closing",
          "displayCountdown": true,
          "imageUrl": "",
          "image128Url": "",
          "hashtags": [
            "rain"
          ],
          "countryCodes": []
        }"#]]
    .assert_eq(&stage.show(&shown));
    assert!(!view::event::event(&stage.exchange, index, Currency::Usd, None).user_watchlisted);
}

#[test]
fn an_event_on_a_pool_shows_the_currency_that_is_asked_for() {
    let stage = traded();
    let shown = |currency| {
        let event = view::event::event(&stage.exchange, stage.event_index("snow"), currency, None);
        let market = &event.markets[0];
        let prices =
            [market.outcome1_price, market.outcome2_price, market.yes_buy_price, market.no_buy_price];
        let prices = prices.map(|price| price.to_string()).join(" ");
        let totals = format!("{} {} {}", event.liquidity, event.total_volume, event.total_orders);
        format!("{prices} / {totals} / {} {}", market.minimum_order_amount, market.fee_percentage)
    };
    expect!["0.5 0.5 0.5002 0.5002 / 1000 0 0 / 1 2"].assert_eq(&shown(Currency::Usd));
    expect!["0.52391 0.47609 0.5241 0.4763 / 95327.11 4901.96 1 / 100 2"].assert_eq(&shown(Currency::Ngn));
}

#[test]
fn a_market_that_is_over_shows_what_its_shares_paid() {
    let mut stage = traded();
    let prices = |stage: &Stage, market: &str| {
        let event = view::event::event(&stage.exchange, stage.event_index(market), Currency::Usd, None);
        let market = &event.markets[0];
        let outcome = market.resolved_outcome.0.map(|outcome| outcome.to_string()).unwrap_or_default();
        let prices =
            [market.outcome1_price, market.outcome2_price, market.yes_buy_price, market.no_buy_price];
        let prices = prices.map(|price| price.to_string()).join(" ");
        format!("{} {prices} {} {outcome}", market.status, market.resolution_price)
    };
    for market in ["rain", "snow"] {
        stage.system(Command::CloseTrading(CloseTrading { target: Target::Event(event_id(market)) }));
    }
    assert_eq!(prices(&stage, "rain"), "closed 0.475 0.525 0 0 0 ");
    assert_eq!(prices(&stage, "snow"), "closed 0.5 0.5 0 0 0 ");
    stage.system(Command::ResolveMarket(ResolveMarket { market: market_id("rain"), outcome: Outcome::No }));
    let yes = Cents::new(30).expect("a value");
    stage.system(Command::CancelMarkets(CancelMarkets { target: Target::Market(market_id("snow")), yes }));
    assert_eq!(prices(&stage, "rain"), "resolved 0 1 0 0 0 NO");
    assert_eq!(prices(&stage, "snow"), "cancelled 0.3 0.7 0 0 0.3 ");
}

#[test]
fn an_event_without_the_currency_is_shown_in_the_one_it_has() {
    let mut stage = Stage::usual();
    stage.draft("hail", Engine::Clob, &[Currency::Ngn]);
    stage.system(Command::OpenEvent(OpenEvent { event: event_id("hail") }));
    let event = view::event::event(&stage.exchange, stage.event_index("hail"), Currency::Usd, None);
    assert_eq!(event.markets[0].minimum_order_amount.to_string(), "100");
}

#[test]
fn drafts_are_neither_found_nor_listed() {
    let mut stage = Stage::usual();
    stage.draft("hail", Engine::Clob, &Currency::ALL);
    assert_eq!(view::event::find(&stage.exchange, event_id("hail")), None);
    assert_eq!(view::event::find_by_slug(&stage.exchange, "hail-on-friday"), None);
    assert_eq!(listed(&stage, "status=draft"), "");
    stage.system(Command::OpenEvent(OpenEvent { event: event_id("hail") }));
    assert_eq!(view::event::find(&stage.exchange, event_id("hail")), Some(stage.event_index("hail")));
    assert_eq!(view::event::find_by_slug(&stage.exchange, "hail-on-friday"), Some(stage.event_index("hail")));
}

/// The slugs of a list as Alice sees it, with its totals.
fn listed(stage: &Stage, query: &str) -> String {
    let query = EventsQuery::parse(query).expect("a readable query");
    let events = view::event::list(&stage.exchange, &query, Some(stage.user_index("alice")), stage.now);
    assert!(events.events.len() as u64 <= events.pagination.total_count);
    let slugs: Vec<_> = events.events.iter().map(|event| event.slug.trim_end_matches("-on-friday")).collect();
    slugs.join(" ")
}

#[test]
fn the_list_is_filtered_by_everything_that_is_asked() {
    let mut stage = traded();
    stage.draft("hail", Engine::Clob, &[Currency::Ngn]);
    stage.system(Command::OpenEvent(OpenEvent { event: event_id("hail") }));
    stage.system(Command::PauseTrading(PauseTrading { target: Target::Event(event_id("snow")) }));
    watch(&mut stage, "snow");
    let table = [
        // Snow is paused.
        ("", "hail rain snow"),
        ("currency=USD", "rain snow"),
        ("currency=NGN", "hail rain snow"),
        ("keyword=RAIN&currency=USD", "rain"),
        ("keyword=on%20fri&currency=USD", "rain snow"),
        ("keyword=%25&currency=USD", ""),
        ("keyword=.*&currency=USD", ""),
        ("category=WEATHER&currency=USD", "rain snow"),
        ("category=sports&currency=USD", ""),
        ("subcategory=Wet&currency=USD", "rain"),
        ("status=open&currency=USD", "rain"),
        ("status=paused&currency=USD", "snow"),
        ("type=single&currency=USD", "rain snow"),
        ("type=combined&currency=USD", ""),
        ("engine=AMM&currency=USD", "snow"),
        ("engine=CLOB&currency=NGN", "hail rain"),
        ("watchlist=true&currency=USD", "snow"),
        ("seriesSlug=none&currency=USD", ""),
        ("sportGameSlug=none&currency=USD", ""),
        // Rain has the volume in USD, snow in NGN; without volume the newer comes first.
        ("trending=true&currency=USD", "rain snow"),
        ("trending=true&currency=NGN", "snow hail rain"),
        ("size=1&currency=USD", "rain"),
        ("size=1&page=2&currency=USD", "snow"),
        ("size=1&page=3&currency=USD", ""),
        ("page=4294967295&size=100&currency=USD", ""),
    ];
    for (query, expected) in table {
        assert_eq!(listed(&stage, query), expected, "{query}");
    }
    let query = EventsQuery::parse("watchlist=true").expect("a query");
    assert_eq!(
        view::event::list(&stage.exchange, &query, None, stage.now).pagination.total_count,
        0,
        "without a user there is no watchlist"
    );
}
