//! Reads of the state as the server performs them under one read lock, by calls of the rules.
//!
//! Each is one look: the writer waits as long. Conversions to JSON types are not included; `asking.rs` has the looks of
//! whole requests. Proofs of solvency are not here: they are made of the follower's state.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use exchange::Exchange;
use exchange::command::Target;
use exchange::governance::{Ruling, Verdict};
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::{Cents, Currency, Money, Price, Shares};
use exchange::order::{OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use exchange::quote::{QuoteRequest, QuotedTerms};
use load::processor::thread_time;

use crate::ids::{self, Kind};
use crate::world::{Sizes, Stage};

const TIMES: usize = 40;
/// Rows of a list that the server reads in one look.
const ROWS: usize = 32;

/// A read with its times.
#[derive(Debug)]
pub struct Looked {
    pub name: String,
    pub median: Duration,
    pub longest: Duration,
}

impl Looked {
    pub fn of(name: String, mut times: Vec<Duration>) -> Looked {
        times.sort_unstable();
        Looked { name, median: times[times.len() / 2], longest: times[times.len() - 1] }
    }
}

type Look = Box<dyn Fn(&Exchange)>;

pub fn measure(world: &Stage, sizes: &Sizes, only: &str) -> Vec<Looked> {
    let looks = [quotes(), portfolios(), accounts(), markets(sizes), previews(sizes), lists(sizes)];
    let chosen = looks.into_iter().flatten().filter(|(name, _)| name.contains(only));
    let timed = |read: &Look| {
        let begun = thread_time();
        read(&world.exchange);
        thread_time() - begun
    };
    chosen
        .map(|(name, read)| Looked::of(format!("rules: {name}"), (0..TIMES).map(|_| timed(&read)).collect()))
        .collect()
}

fn look<T>(name: &'static str, read: impl Fn(&Exchange) -> T + 'static) -> (&'static str, Look) {
    (name, Box::new(move |exchange| drop(black_box(read(exchange)))))
}

fn index(exchange: &Exchange, user: u32) -> UserIndex {
    exchange.directory().find(ids::user(user)).expect("a user of the world")
}

fn listing(exchange: &Exchange, kind: Kind, place: u32) -> ListingIndex {
    let market = exchange.catalogue().find_market(ids::market(kind, 0, place)).expect("a market");
    ListingIndex::new(market, Currency::Usd)
}

const TERMS: QuotedTerms = QuotedTerms {
    kind: OrderKind::Limit,
    price: Some(Price::MAX),
    time_in_force: Some(TimeInForce::Fok),
    post_only: false,
    self_trade: SelfTrade::CancelOldest,
    max_slippage: None,
};

fn quote(user: Option<u32>, kind: Kind, sizing: Sizing, terms: Option<QuotedTerms>) -> Look {
    Box::new(move |exchange| {
        let request = QuoteRequest {
            user: user.map(|user| index(exchange, user)),
            outcome: ids::outcome(kind, 0, Outcome::Yes),
            side: Side::Buy,
            currency: Currency::Usd,
            sizing,
            path: None,
            terms,
        };
        black_box(exchange.quote(&request)).expect("a quote");
    })
}

fn quotes() -> Vec<(&'static str, Look)> {
    let money = Sizing::Amount(Money::whole(900_000_000));
    let shares = Sizing::Quantity(Shares::whole(25_000_000));
    let post_only = QuotedTerms { post_only: true, time_in_force: Some(TimeInForce::Gtc), ..TERMS };
    let newest = QuotedTerms { self_trade: SelfTrade::CancelNewest, ..TERMS };
    vec![
        ("quote of the whole book, by money", quote(None, Kind::Deep, money, None)),
        ("quote of the whole book, by quantity", quote(None, Kind::Deep, shares, None)),
        ("quote of the whole book, 5,000 own orders", quote(Some(ids::TRADER), Kind::Deep, money, None)),
        ("quote of an order, more than the book", quote(None, Kind::Deep, shares, Some(TERMS))),
        (
            "quote of an order, own order at the end",
            quote(Some(ids::LAST_IN_LINE), Kind::Deep, shares, Some(TERMS)),
        ),
        (
            "quote of an order, own order at the end, CANCEL_NEWEST",
            quote(Some(ids::LAST_IN_LINE), Kind::Deep, shares, Some(newest)),
        ),
        (
            "quote of an order, 500 own orders at the end",
            quote(Some(ids::TRADER), Kind::Deep, shares, Some(TERMS)),
        ),
        (
            "quote of a postOnly order, 5,000 own orders",
            quote(Some(ids::TRADER), Kind::Deep, shares, Some(post_only)),
        ),
        ("quote on a pool", quote(Some(ids::WHALE), Kind::Pool, Sizing::Amount(Money::whole(50)), None)),
    ]
}

/// The positions of the trader, each valued by a sale of all of it.
fn portfolios() -> Vec<(&'static str, Look)> {
    let value = |exchange: &Exchange, user, listing| {
        Outcome::BOTH.map(|outcome| exchange.value_of(user, listing, outcome))
    };
    vec![
        look("portfolio: the listings of all positions", |exchange| {
            exchange.listings_of(index(exchange, ids::TRADER)).collect::<Vec<_>>()
        }),
        look("portfolio: 32 positions, 5,000 own orders", move |exchange| {
            let user = index(exchange, ids::TRADER);
            let listings: Vec<_> = exchange.listings_of(user).take(ROWS).collect();
            listings.into_iter().map(|listing| value(exchange, user, listing)).collect::<Vec<_>>()
        }),
        look("portfolio: a position in the large book", move |exchange| {
            let user = index(exchange, ids::TRADER);
            value(exchange, user, listing(exchange, Kind::Deep, 0))
        }),
    ]
}

fn accounts() -> Vec<(&'static str, Look)> {
    vec![
        look("open orders: a page of 100", |exchange| {
            let user = exchange.directory().user(index(exchange, ids::TRADER));
            let entries = user.open_order_list().iter().rev().take(100);
            let order = |entry: &exchange::order::OpenEntry| {
                let market = entry.listing.market();
                Arc::clone(exchange.catalogue().instrument(market))
            };
            entries.map(order).collect::<Vec<_>>()
        }),
        look("open orders: those of one market, of 5,000", |exchange| {
            let deep = listing(exchange, Kind::Deep, 0);
            let user = exchange.directory().user(index(exchange, ids::TRADER));
            user.open_order_list().iter().filter(|entry| entry.listing == deep).count()
        }),
        look("wallets", |exchange| {
            let user = index(exchange, ids::TRADER);
            Currency::ALL.map(|currency| exchange.ledger().wallet(user, currency).total())
        }),
        look("user by tag", |exchange| exchange.directory().find_by_tag("user77")),
        look("console session of an operator", |exchange| {
            exchange.directory().find_operator_session(ids::hash("console 19", 3)).is_some()
        }),
        look("password resets", |exchange| exchange.directory().resets_after(None).take(100).count()),
    ]
}

fn markets(sizes: &Sizes) -> Vec<(&'static str, Look)> {
    let shelf = sizes.shelf.min(50);
    let day = sizes.now();
    let levels = |exchange: &Exchange, listing| {
        let book = exchange.catalogue().listing(listing).book().expect("a book");
        [Side::Buy, Side::Sell].map(|side| book.levels(side.on_book(Outcome::Yes)).collect::<Vec<_>>())
    };
    vec![
        look("book: all levels of the large book", move |exchange| {
            levels(exchange, listing(exchange, Kind::Deep, 0))
        }),
        look("books: 50 of them", move |exchange| {
            let market = |number| exchange.catalogue().find_market(ids::market(Kind::Shelf, number, 0));
            let listings = (0..shelf).filter_map(market);
            let book = |market| levels(exchange, ListingIndex::new(market, Currency::Usd));
            listings.map(book).collect::<Vec<_>>()
        }),
        look("ticker", move |exchange| {
            let catalogue = exchange.catalogue();
            catalogue.listing(listing(exchange, Kind::Deep, 0)).stats.day(day, Outcome::Yes)
        }),
        look("event of 100 markets", |exchange| {
            let catalogue = exchange.catalogue();
            let event = catalogue.event(catalogue.find_event(ids::event(Kind::Cup, 0)).expect("an event"));
            let shown = |market: &exchange::index::MarketIndex| {
                let both = Currency::ALL.map(|currency| {
                    let listing = catalogue.listing(ListingIndex::new(*market, currency));
                    Outcome::BOTH.map(|outcome| (listing.price(outcome), listing.buy_price(outcome)))
                });
                (catalogue.market(*market).details.clone(), both)
            };
            event.markets.iter().map(shown).collect::<Vec<_>>()
        }),
        look("the pending verdict of an event", |exchange| {
            exchange.governance().proposal_for(ids::event(Kind::Cup, 0)).is_some()
        }),
    ]
}

fn previews(sizes: &Sizes) -> Vec<(&'static str, Look)> {
    let markets = sizes.markets;
    let cancelled = |kind| {
        move |exchange: &Exchange| {
            let verdict = Verdict::Cancelled { yes: Cents::HALF };
            exchange.preview(ids::event(kind, 0), &verdict).expect("a preview")
        }
    };
    vec![
        look("preview: 100,000 holders", cancelled(Kind::Held)),
        look("preview: 200,000 resting orders", cancelled(Kind::Deep)),
        look("preview: 100 markets with holders and orders", cancelled(Kind::Cup)),
        look("preview of a cancelled market, 200,000 resting orders", |exchange| {
            let target = Target::Market(ids::market(Kind::Deep, 0, 0));
            exchange.preview_cancel(target, Cents::HALF).expect("a preview")
        }),
        look("preview: outcomes of 100 markets without holders", move |exchange| {
            let ruling = |place| Ruling {
                market: ids::market(Kind::Election, 0, place),
                outcome: if place == 0 { Outcome::Yes } else { Outcome::No },
            };
            let verdict = Verdict::Outcomes((0..markets).map(ruling).collect());
            exchange.preview(ids::event(Kind::Election, 0), &verdict).expect("a preview")
        }),
    ]
}

fn lists(sizes: &Sizes) -> Vec<(&'static str, Look)> {
    let last = sizes.games - 1;
    vec![
        look("sports: a share of all games", |exchange| Arc::clone(exchange.catalogue().sports())),
        look("game by slug", move |exchange| {
            exchange.catalogue().sports().find_game(&format!("game-{last}")).cloned()
        }),
        look("series", |exchange| {
            exchange.catalogue().series().map(|each| each.terms.clone()).collect::<Vec<_>>()
        }),
        look("proposals, by age", |exchange| {
            let mut pending: Vec<_> = exchange.governance().proposals().collect();
            pending.sort_by_key(|proposal| (proposal.at, proposal.id));
            pending.into_iter().cloned().collect::<Vec<_>>()
        }),
        look("answer to a finalisation: all pending proposals", server::view::admin::proposals),
        look("operators", |exchange| exchange.directory().operators().cloned().collect::<Vec<_>>()),
    ]
}
