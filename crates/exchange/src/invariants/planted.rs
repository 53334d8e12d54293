//! Planted bugs: each corrupts a healthy state in one way, and `check_all` must name exactly the rule it breaks.

use super::stage::{ALICE, BOB, BOOK, LOST, NOW, POOL, WON, healthy, position};
use super::{check_all, rule};
use crate::book::{Book, BookSide};
use crate::catalogue::{HolderCounts, Settlement, Status, Venue};
use crate::exchange::Exchange;
use crate::id::{ConnectionId, GameId, Hash32, OrderId, RowId};
use crate::index::{MarketIndex, UserIndex};
use crate::ledger::Account;
use crate::numbers::{Cents, Currency, Money, Ppm, Price, Shares};
use crate::order::{Order, TimeInForce};
use crate::time::Span;
use crate::timers::TimerKind;

type Plant = fn(&mut Exchange);

#[test]
fn a_healthy_state_breaks_no_rule() {
    assert_eq!(check_all(&healthy()), Ok(()));
}

#[test]
fn every_planted_bug_is_named_by_its_rule() {
    for (bug, rule, plant) in PLANTS {
        let mut exchange = healthy();
        plant(&mut exchange);
        let broken = check_all(&exchange).expect_err(bug);
        assert_eq!(broken.rule, *rule, "{bug}: {}", broken.detail);
    }
}

/// Every rule that a single state can show has a plant.
#[test]
fn every_rule_has_a_plant() {
    let source = include_str!("rule.rs");
    for line in source.lines().filter(|line| line.starts_with("pub const")) {
        let text = line.split('"').nth(1).expect("a rule's text");
        assert!(PLANTS.iter().any(|(_, rule, _)| *rule == text), "no plant breaks: {text}");
    }
}

fn money() -> Money {
    Money::new(1)
}

fn order(exchange: &mut Exchange, id: u128) -> &mut Order {
    let slot = exchange.orders.find(OrderId::new(id)).expect("an order of the stage");
    &mut exchange.orders[slot]
}

fn book(exchange: &mut Exchange) -> &mut Book {
    match &mut exchange.catalogue.listing_mut(BOOK).venue {
        Venue::Book(book) => book,
        Venue::Pool(_) | Venue::Idle => panic!("the stage's first market has a book"),
    }
}

/// Changes one account alone.
fn spoil(exchange: &mut Exchange, account: Account, amount: Money) {
    exchange.ledger.spoil(Currency::Usd, account, amount);
}

/// Moves an order's entry on the book without updating anything else.
fn requeue(exchange: &mut Exchange, id: u128, cents: u8, user: UserIndex) {
    let slot = exchange.orders.find(OrderId::new(id)).expect("an order of the stage");
    let (node, remaining) = (exchange.orders[slot].node, exchange.orders[slot].terms.remaining());
    let book = book(exchange);
    book.remove(node);
    let node = book.rest(BookSide::Bid, Price::clamp(i64::from(cents)), user, slot, remaining);
    exchange.orders[slot].node = node;
}

#[rustfmt::skip]
const PLANTS: &[(&str, &str, Plant)] = &[
    ("money out of nowhere", rule::ACCOUNTS_SUM_TO_ZERO, |e| spoil(e, Account::Free(ALICE), money())),
    ("unpaid fees", rule::ACCOUNTS_SUM_TO_ZERO, |e| {
        e.ledger.spoil(Currency::Ngn, Account::Fees, money());
    }),
    ("a total of collateral that was not kept", rule::ACCOUNTS_SUM_TO_ZERO, |e| {
        e.ledger.spoil_collateral_total(Currency::Usd, money());
    }),
    ("a switch without a timer", rule::LISTS_AGREE, |e| {
        e.directory.user_mut(ALICE).cancel_at = Some(e.now + Span::seconds(1));
    }),
    ("more armed connections than allowed", rule::PEOPLE_ARE_FINDABLE, |e| {
        *e.directory.user_mut(ALICE).connections = (0..=10).map(ConnectionId::new).collect();
    }),
    ("an overdrawn wallet", rule::NOTHING_NEGATIVE, |e| {
        let all = e.ledger.wallet(BOB, Currency::Usd).free + money();
        spoil(e, Account::Free(BOB), -all);
        spoil(e, Account::Free(ALICE), all);
    }),
    ("a negative hold hidden by free money", rule::NOTHING_NEGATIVE, |e| {
        let all = e.ledger.wallet(BOB, Currency::Usd).held + money();
        spoil(e, Account::Held(BOB), -all);
        spoil(e, Account::Free(BOB), all);
    }),
    ("negative shares", rule::NOTHING_NEGATIVE, |e| {
        let slot = position(e, BOB);
        e.positions[slot].no.free -= Shares::new(1);
    }),
    ("a hold that no order needs", rule::HOLDS_MATCH_ORDERS, |e| e.ledger.hold(ALICE, Currency::Usd, money())),
    ("held shares that no order sells", rule::HOLDS_MATCH_ORDERS, |e| {
        let slot = position(e, ALICE);
        e.positions[slot].no.hold(Shares::new(1));
    }),
    ("shares out of nowhere", rule::SETS_ARE_BACKED, |e| {
        let slot = position(e, ALICE);
        e.positions[slot].yes.free += Shares::new(1);
    }),
    ("collateral that was paid out", rule::SETS_ARE_BACKED, |e| {
        e.ledger.post(Currency::Usd, &[(Account::Collateral(BOOK), -money()), (Account::Free(ALICE), money())]);
    }),
    ("a pool that lost a share", rule::SETS_ARE_BACKED, |e| {
        if let Venue::Pool(Some(pool)) = &mut e.catalogue.listing_mut(POOL).venue {
            pool.yes -= Shares::new(1);
        }
    }),
    ("collateral left after settlement", rule::SETTLED_IS_EMPTY, |e| {
        let listing = crate::index::ListingIndex::new(WON, Currency::Ngn);
        e.ledger.post(Currency::Ngn, &[(Account::Free(ALICE), -money()), (Account::Collateral(listing), money())]);
    }),
    ("a position left after settlement", rule::SETTLED_IS_EMPTY, |e| {
        e.position_slot(ALICE, crate::index::ListingIndex::new(LOST, Currency::Usd));
    }),
    ("a book left after settlement", rule::SETTLED_GIVES_BACK, |e| {
        e.catalogue.listing_mut(crate::index::ListingIndex::new(LOST, Currency::Usd)).venue = Venue::Book(Box::default());
    }),
    ("minutes left after settlement", rule::SETTLED_GIVES_BACK, |e| {
        let listing = crate::index::ListingIndex::new(WON, Currency::Ngn);
        e.catalogue.listing_mut(listing).stats.record(NOW, Price::clamp(50), Shares::new(1));
    }),
    ("an ended event that never retires", rule::RETIRES_IN_TIME, |e| e.catalogue.ended.clear()),
    ("a retirement without its timer", rule::RETIRES_IN_TIME, |e| {
        let due = e.retirement_at.expect("the stage has an ended event");
        e.timers.clear(due, TimerKind::Retirement, 0);
    }),
    ("a bid of another user through the ask", rule::BOOK_UNCROSSED, |e| {
        requeue(e, 1, 63, ALICE);
        order(e, 1).terms.price = Price::new(63);
        e.ledger.hold(ALICE, Currency::Usd, Money::new(2_300_000));
    }),
    ("an order that is not where its limit says", rule::BOOK_KNOWS_ITS_ORDERS, |e| requeue(e, 1, 39, ALICE)),
    ("an order under another's name", rule::BOOK_KNOWS_ITS_ORDERS, |e| requeue(e, 1, 40, BOB)),
    ("an order with more left than the book knows", rule::BOOK_KNOWS_ITS_ORDERS, |e| {
        let node = order(e, 2).node;
        book(e).reduce(node, Shares::whole(19));
    }),
    ("a level that forgot a fill", rule::LEVELS_ADD_UP, |e| book(e).spoil_total(BookSide::Bid, Price::clamp(40))),
    ("a notional that forgot a fill", rule::RESTING_ADDS_UP, |e| {
        e.catalogue.listing_mut(BOOK).resting += money();
    }),
    ("a closed market that forgot its price", rule::CLOSED_KEEPS_ITS_PRICE, |e| {
        e.catalogue.listing_mut(crate::index::ListingIndex::new(WON, Currency::Usd)).closing_price = None;
    }),
    ("an open market that shows an old price", rule::CLOSED_KEEPS_ITS_PRICE, |e| {
        e.catalogue.listing_mut(BOOK).closing_price = Some(Ppm::HALF);
    }),
    ("a queue out of time", rule::QUEUE_IS_BY_TIME, |e| {
        e.now = NOW + Span::seconds(5);
        let first = order(e, 1);
        first.terms.created_at = NOW + Span::seconds(5);
        first.terms.progress.updated_at = None;
    }),
    ("a postOnly order that took", rule::POST_ONLY_NEVER_TAKES, |e| order(e, 5).terms.post_only = true),
    ("an order that is full but rests", rule::ORDER_IS_SANE, |e| {
        let full = order(e, 1);
        full.terms.progress.filled = full.terms.size;
        let (user, serial) = (full.user, full.terms.serial);
        e.directory.user_mut(user).open_orders.note_fill(serial);
    }),
    ("an order without a limit", rule::ORDER_IS_SANE, |e| order(e, 1).terms.price = None),
    ("a FAK order that rests", rule::ORDER_IS_SANE, |e| order(e, 1).terms.time_in_force = TimeInForce::Fak),
    ("an order that outlived its expiry", rule::ORDER_NOT_EXPIRED, |e| e.now = NOW + Span::days(1)),
    ("an order in a closed market", rule::ORDER_IN_LIVE_MARKET, |e| {
        e.catalogue.market_mut(MarketIndex(0)).status = Status::Closed;
        e.catalogue.events[0].status = Status::Closed;
    }),
    ("a book set aside while its market trades", rule::LEAVES_A_CLOSED_MARKET, |e| {
        e.catalogue.set_aside(BOOK);
    }),
    ("a pool outside its band", rule::POOL_IN_BAND, |e| {
        if let Venue::Pool(Some(pool)) = &mut e.catalogue.listing_mut(POOL).venue {
            pool.no = Shares::new(pool.yes.units() * 100);
        }
    }),
    ("an open AMM market without its pool", rule::POOL_WHERE_IT_BELONGS, |e| {
        e.catalogue.listing_mut(POOL).venue = Venue::Pool(None);
    }),
    ("a fee one unit too low", rule::FEE_IS_EXACT, |e| order(e, 5).terms.progress.fee -= money()),
    ("a fee on what it made, not took", rule::FEE_IS_EXACT, |e| {
        let terms = &mut order(e, 5).terms;
        terms.progress.taker_value = terms.progress.value + money();
    }),
    ("two winners", rule::ONE_WINNER, |e| {
        e.catalogue.market_mut(LOST).settlement = Some(Settlement { yes: Cents::WHOLE, at: NOW });
    }),
    ("a winner and an unresolved sibling", rule::ONE_WINNER, |e| {
        e.catalogue.market_mut(LOST).settlement = None;
        e.catalogue.market_mut(LOST).status = Status::Closed;
        e.catalogue.events[2].status = Status::Closed;
        for currency in Currency::ALL {
            let listing = crate::index::ListingIndex::new(LOST, currency);
            e.catalogue.listing_mut(listing).venue = Venue::Book(Box::default());
        }
    }),
    ("an event that missed its market's end", rule::EVENT_FOLLOWS_MARKETS, |e| e.catalogue.events[2].status = Status::Closed),
    ("a resolved market without a result", rule::SETTLEMENT_FITS_STATUS, |e| {
        e.catalogue.market_mut(LOST).settlement = None;
    }),
    ("a label that replies do not show", rule::INSTRUMENT_IS_CURRENT, |e| {
        e.catalogue.market_mut(LOST).details.yes_label = "Aye".into();
    }),
    ("an event open at its closing date", rule::CLOSES_IN_TIME, |e| {
        e.catalogue.events[1].details.closing_date = Some(NOW);
    }),
    ("an unknown game that is to retire", rule::RETIRES_IN_TIME, |e| e.catalogue.ended_games.insert(GameId::new(1), NOW)),
    ("a forgotten closing timer", rule::LISTS_AGREE, |e| {
        e.catalogue.events[1].details.closing_date = Some(NOW + Span::days(1));
    }),
    ("an unlisted order", rule::LISTS_AGREE, |e| e.directory.users[1].open_orders.spoil()),
    ("a forgotten expiry timer", rule::LISTS_AGREE, |e| {
        e.timers.clear(NOW + Span::days(1), TimerKind::Expiry, 4);
    }),
    ("a fill that the list of orders lacks", rule::LISTS_AGREE, |e| {
        let (user, serial) = (order(e, 1).user, order(e, 1).terms.serial);
        e.directory.user_mut(user).open_orders.note_fill(serial);
    }),
    ("an unlisted holder", rule::LISTS_AGREE, |e| {
        let slot = position(e, ALICE);
        e.catalogue.listing_mut(POOL).holders.push(slot);
    }),
    ("a holder who is not counted", rule::LISTS_AGREE, |e| {
        e.catalogue.listing_mut(BOOK).holder_counts = HolderCounts::default();
    }),
    ("a book entry without an order", rule::LISTS_AGREE, |e| {
        let node = order(e, 1).node;
        book(e).remove(node);
    }),
    ("a cost for no shares", rule::COST_NEEDS_SHARES, |e| {
        let slot = position(e, BOB);
        e.positions[slot].no.cost += money();
    }),
    ("a key that finds another", rule::PEOPLE_ARE_FINDABLE, |e| {
        let key = e.directory.users[2].keys[0].clone();
        crate::identity::push(&mut e.directory.users[1].keys, key);
    }),
    ("an address that finds no user", rule::PEOPLE_ARE_FINDABLE, |e| {
        e.directory.users[1].address = Some(Hash32::of("address"));
        e.directory.users[1].row = Some(RowId::new(1));
    }),
    ("an erased user with money and orders", rule::ERASED_IS_EMPTY, |e| e.directory.users[1].erased = true),
    ("an event with a proposal that is gone", rule::LISTS_AGREE, |e| e.governance.proposals.spoil()),
    ("an expiry that is not the next", rule::LISTS_AGREE, |e| e.directory.spoil_next_end()),
    ("a name that is fixed for no game", rule::LISTS_AGREE, |e| e.catalogue.fixed_names.spoil()),
    ("a key of an operator that is not counted", rule::LISTS_AGREE, |e| e.memory.spoil_counts()),
    ("a forgotten idempotency key", rule::PEOPLE_ARE_FINDABLE, |e| e.directory.users[1].open_orders.idempotency_keys = 1),
];
