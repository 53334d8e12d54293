//! The list of events against a brute-force scan: random catalogues, every combination of filters, pages and order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use api::query::EventsQuery;
use exchange::numbers::Currency;
use exchange::time::{Span, Time};
use server::view;
use stage::random::Random;

use crate::random_catalogue::{Done, Noted, random_catalogue};
use crate::stage::Stage;

const SEEDS: u64 = 200;
const QUERIES_PER_SEED: u64 = 40;

/// A query by parameter; a missing parameter is not a condition.
type Words = BTreeMap<&'static str, String>;

fn random_words(random: &mut Random) -> Words {
    let mut words = Words::new();
    let mut ask = |random: &mut Random, name, one_in, choices: &[&str]| {
        if random.below(one_in) == 0 {
            words.insert(name, random.one_of(choices).to_owned());
        }
    };
    ask(random, "keyword", 4, &["rain", "RAIN", "%", ".*", "üBER", "s", "100% s", "ai", "rai", "nothing"]);
    ask(random, "category", 5, &["weather", "sports", "CRYPTO", "none"]);
    ask(random, "subcategory", 6, &["wet", "WET", "soccer", "none"]);
    ask(random, "status", 4, &["open", "closed", "resolved", "cancelled", "paused", "draft", "OPEN"]);
    ask(random, "type", 5, &["single", "combined", "grouped"]);
    ask(random, "engine", 4, &["AMM", "CLOB", "clob"]);
    ask(random, "currency", 3, &["USD", "NGN"]);
    ask(random, "seriesSlug", 6, &["crypto-btc-1h", "none"]);
    ask(random, "sportGameSlug", 6, &["derby", "none"]);
    ask(random, "watchlist", 4, &["true", "false"]);
    ask(random, "trending", 2, &["true", "false"]);
    ask(random, "order", 2, &["closing", "volume"]);
    words
}

fn encoded(words: &Words, page: u64, size: u64) -> String {
    let escape = |text: &str| text.replace('%', "%25").replace(' ', "%20").replace('&', "%26");
    let asked = words.iter().map(|(name, value)| format!("{name}={}&", escape(value)));
    format!("{}page={page}&size={size}", asked.collect::<String>())
}

/// The rule of each filter, in the plainest way.
fn admits(words: &Words, event: &Noted, by_alice: bool) -> bool {
    let asked = |name: &str| words.get(name).map(String::as_str);
    let is_same = |name: &str, value: &str| {
        asked(name).is_none_or(|wanted| wanted.to_lowercase() == value.to_lowercase())
    };
    event.status != "draft"
        && asked("keyword").is_none_or(|word| event.title.to_lowercase().contains(&word.to_lowercase()))
        && is_same("category", &event.category)
        && is_same("subcategory", &event.subcategory)
        && is_same("status", event.status)
        && is_same("type", event.kind)
        && is_same("engine", event.engine)
        && asked("currency")
            .is_none_or(|code| event.currencies.iter().any(|currency| currency.code() == code))
        && asked("seriesSlug").is_none_or(|slug| event.series == Some(slug))
        && asked("sportGameSlug").is_none_or(|slug| event.game == Some(slug))
        && (asked("watchlist") != Some("true") || (by_alice && event.watched))
}

/// Volume in hundredths of a share's payout, then orders, of what counts.
fn done(words: &Words, event: &Noted, counts: impl Fn(&Done) -> bool) -> (i64, u64) {
    let is_asked = |currency: Currency| words.get("currency").is_none_or(|code| code == currency.code());
    let counted = event.done.iter().filter(|done| is_asked(done.currency) && counts(done));
    counted.fold((0, 0), |(volume, orders), done| {
        let weight = if done.currency == Currency::Usd { 100 } else { 1 };
        (volume + done.volume.units() * weight, orders + done.orders)
    })
}

/// Of the running hour and the 23 before it.
fn liveliness(words: &Words, event: &Noted, now: Time) -> (i64, u64) {
    let hour = |at: Time| at.micros() / 3_600_000_000;
    done(words, event, |done| hour(done.at) > hour(now) - 24)
}

/// The whole list by a scan.
fn scan(words: &Words, noted: &[Noted], by_alice: bool, now: Time) -> Vec<String> {
    let mut found: Vec<&Noted> = noted.iter().rev().filter(|event| admits(words, event, by_alice)).collect();
    // Stable sorts: equal events stay newest first.
    let order = ["open", "paused", "closed", "resolved", "cancelled"];
    found.sort_by_key(|event| order.iter().position(|status| *status == event.status));
    let is_trending = words.get("trending").is_some_and(|trending| trending == "true");
    match words.get("order").map(String::as_str) {
        None if is_trending => found.sort_by_key(|event| Reverse(liveliness(words, event, now))),
        Some("closing") => found.sort_by_key(|event| (event.closes.is_none(), event.closes)),
        Some("volume") => found.sort_by_key(|event| Reverse(done(words, event, |_| true).0)),
        _ => {}
    }
    found.into_iter().map(|event| event.slug.clone()).collect()
}

fn check(stage: &Stage, noted: &[Noted], random: &mut Random, seed: u64) -> usize {
    let words = random_words(random);
    let (by_alice, now) = (random.below(2) == 0, stage.now + Span::hours(random.below(30) as i64));
    let viewer = by_alice.then(|| stage.user_index("alice"));
    let wanted = scan(&words, noted, by_alice, now);
    let size = random.one_of(&[1, 2, 3, 5, 100]);
    let last_page = (wanted.len() as u64).div_ceil(size).max(1);
    let mut paged: Vec<String> = Vec::new();
    // One page behind the last one, too: it is empty.
    for page in 1..=last_page + 1 {
        let raw = encoded(&words, page, size);
        let query = EventsQuery::parse(&raw).expect("a readable query");
        let shown = view::event::list(&stage.exchange, &query, viewer, now);
        let pagination = &shown.pagination;
        assert_eq!(
            (
                pagination.total_count,
                pagination.last_page,
                u64::from(pagination.page),
                u64::from(pagination.size)
            ),
            (wanted.len() as u64, last_page, page, size),
            "seed {seed}: {raw}"
        );
        for event in &shown.events {
            let noted = noted.iter().find(|noted| noted.slug == event.slug).expect("a known event");
            assert_eq!(event.user_watchlisted, by_alice && noted.watched, "seed {seed}: {raw}");
            assert_eq!(event.status.to_string(), noted.status, "seed {seed}: {raw}");
        }
        paged.extend(shown.events.into_iter().map(|event| event.slug));
    }
    assert_eq!(paged, wanted, "seed {seed}: {words:?}");
    wanted.len()
}

#[test]
fn every_combination_of_filters_and_pages_equals_a_scan() {
    let mut rows = 0;
    for seed in 0..SEEDS {
        let mut random = Random::new(seed);
        let (stage, noted) = random_catalogue(&mut random);
        for _ in 0..QUERIES_PER_SEED {
            rows += check(&stage, &noted, &mut random, seed);
        }
    }
    assert!(rows > 2_000, "only {rows} rows were compared");
}
