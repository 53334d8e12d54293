//! The recipe of the channel `changes`, message by message, and with random histories.

use std::collections::BTreeMap;

use api::terms::{Currency, OutcomeSide};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::room::{ChangeMessage, LocalCopy, Room, Update, UpdateKind};
use crate::book::LocalBook;
use crate::ledger::LocalAccount;
use crate::models::BookLevel;

const ROOM: &str = "changes:m:USD";

fn room() -> Room<LocalBook> {
    Room::new(ROOM.to_owned(), LocalBook::new(Uuid::nil(), Currency::Usd))
}

fn market(mut more: Value) -> Value {
    let always =
        json!({"marketId": Uuid::nil(), "eventId": Uuid::nil(), "currency": "USD", "engine": "CLOB"});
    let fields = more.as_object_mut().expect("an object");
    fields.extend(always.as_object().expect("an object").clone());
    more
}

fn snapshot(sequence: u64, data: Value) -> Value {
    json!({"type": "snapshot", "room": ROOM, "data": market(data), "sequence": sequence, "timestamp": 1})
}

fn delta(sequence: u64, previous: u64, data: Value) -> Value {
    let data = market(data);
    json!({"type": "delta", "room": ROOM, "data": data, "sequence": sequence, "previousSequence": previous, "timestamp": 1})
}

fn heartbeat(sequence: u64, head: u64) -> Value {
    json!({"type": "heartbeat", "room": ROOM, "sequence": sequence, "head": head, "timestamp": 1})
}

fn levels(pairs: &[(f64, u32)]) -> Value {
    pairs.iter().map(|(price, quantity)| json!({"price": price, "quantity": quantity})).collect()
}

/// Gives a room a message as the text that a stream carries.
fn accept(room: &mut Room<LocalBook>, message: &Value) -> Option<Update> {
    try_accept(room, message).expect("a message that can be read")
}

fn try_accept(room: &mut Room<LocalBook>, message: &Value) -> Result<Option<Update>, String> {
    let text = message.to_string();
    let message: ChangeMessage<'_> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    room.accept(&message).map_err(|unreadable| unreadable.0)
}

fn kind(update: Option<Update>) -> Option<UpdateKind> {
    update.map(|update| update.kind)
}

fn shown(side: &[BookLevel]) -> String {
    side.iter().map(|level| format!("{} @ {}", level.quantity, level.price)).collect::<Vec<_>>().join(", ")
}

fn bids(room: &Room<LocalBook>) -> String {
    shown(&room.copy.bids(OutcomeSide::Yes))
}

#[test]
fn a_book_is_not_trusted_before_its_first_snapshot() {
    let mut room = room();
    assert!(!room.copy.is_trusted());
    assert_eq!(accept(&mut room, &delta(5, 4, json!({"bids": levels(&[(0.4, 1)])}))), None);
    assert_eq!((room.resume_from(), bids(&room).as_str()), (None, ""));
}

#[test]
fn levels_are_absolute_and_zero_removes_one() {
    let mut room = room();
    let begin = json!({"bids": levels(&[(0.4, 10), (0.39, 5)]), "asks": levels(&[(0.45, 7)])});
    accept(&mut room, &snapshot(5, begin));
    let change = json!({"bids": levels(&[(0.4, 0), (0.38, 2)]), "asks": levels(&[(0.45, 9)])});
    accept(&mut room, &delta(8, 5, change));
    let book = &room.copy;
    assert_eq!(bids(&room), "5 @ 0.39, 2 @ 0.38");
    assert_eq!(shown(&book.asks(OutcomeSide::Yes)), "9 @ 0.45");
    assert_eq!(book.mid(OutcomeSide::Yes), Some(Decimal::new(42, 2)));
    assert_eq!(shown(&book.bids(OutcomeSide::No)), "9 @ 0.55");
    assert_eq!(shown(&book.asks(OutcomeSide::No)), "5 @ 0.61, 2 @ 0.62");
    for outcome in [OutcomeSide::Yes, OutcomeSide::No] {
        assert_eq!(book.best_bid(outcome), book.bids(outcome).first().copied());
        assert_eq!(book.best_ask(outcome), book.asks(outcome).first().copied());
    }
    assert_eq!((book.is_trusted(), book.sequence()), (true, 8));
}

#[test]
fn a_delta_that_the_book_has_is_ignored() {
    let mut room = room();
    accept(&mut room, &snapshot(5, json!({"bids": levels(&[(0.4, 10)])})));
    assert_eq!(accept(&mut room, &delta(5, 4, json!({"bids": levels(&[(0.4, 0)])}))), None);
    assert_eq!(bids(&room), "10 @ 0.4");
}

#[test]
fn a_missing_delta_is_noticed_and_ends_the_trust() {
    let mut room = room();
    accept(&mut room, &snapshot(5, json!({"bids": levels(&[(0.4, 10)])})));
    let gap = delta(9, 7, json!({"bids": levels(&[(0.4, 3)])}));
    assert_eq!(kind(accept(&mut room, &gap)), Some(UpdateKind::Untrusted));
    assert_eq!((room.copy.is_trusted(), room.needs_restart(), room.resume_from()), (false, true, None));
    assert_eq!(bids(&room), "10 @ 0.4");
    assert_eq!(accept(&mut room, &delta(10, 9, json!({"bids": levels(&[(0.4, 2)])}))), None);
    accept(&mut room, &snapshot(12, json!({"bids": levels(&[(0.5, 1)])})));
    assert_eq!((room.copy.is_trusted(), room.needs_restart(), room.resume_from()), (true, false, Some(12)));
}

#[test]
fn a_heartbeat_confirms_and_notices_a_missing_delta() {
    let mut room = room();
    accept(&mut room, &snapshot(5, json!({})));
    let update = accept(&mut room, &heartbeat(5, 40)).expect("an update");
    assert_eq!((update.kind, update.head, room.resume_from()), (UpdateKind::Heartbeat, 40, Some(40)));
    assert_eq!(kind(accept(&mut room, &delta(44, 5, json!({})))), Some(UpdateKind::Delta));
    assert_eq!(kind(accept(&mut room, &heartbeat(50, 60))), Some(UpdateKind::Untrusted));
}

#[test]
fn a_change_that_a_heartbeat_denied_starts_the_book_over() {
    let mut room = room();
    accept(&mut room, &snapshot(5, json!({})));
    accept(&mut room, &heartbeat(5, 40));
    accept(&mut room, &delta(30, 5, json!({})));
    assert!(room.needs_restart());
}

#[test]
fn a_delta_after_a_resumption_from_a_head_may_name_an_older_one() {
    let mut room = room();
    accept(&mut room, &snapshot(5, json!({"bids": levels(&[(0.4, 10)])})));
    accept(&mut room, &heartbeat(5, 40));
    room.distrust("cut");
    assert_eq!(room.resume_from(), Some(40));
    accept(&mut room, &delta(41, 5, json!({"bids": levels(&[(0.4, 4)])})));
    assert!(room.copy.is_trusted());
    assert_eq!(bids(&room), "4 @ 0.4");
}

#[test]
fn a_disconnect_is_reported_once() {
    let mut room = room();
    accept(&mut room, &snapshot(5, json!({})));
    let first = room.distrust("cut").expect("an update");
    assert_eq!((first.kind, first.reason.as_str(), first.sequence), (UpdateKind::Untrusted, "cut", 5));
    assert_eq!(room.distrust("cut again"), None);
    assert_eq!(room.copy.trust().reason, "cut again");
}

#[test]
fn a_loss_before_the_first_snapshot_and_after_a_close_is_reported() {
    let mut room = room();
    let first = room.distrust("unreachable").expect("an update");
    assert_eq!(
        (first.kind, first.reason.as_str(), first.sequence),
        (UpdateKind::Untrusted, "unreachable", 0)
    );
    assert_eq!(room.distrust("unreachable"), None);
    accept(&mut room, &snapshot(5, json!({})));
    room.close("closed");
    assert_eq!((room.copy.is_trusted(), room.resume_from()), (false, Some(5)));
    assert_eq!(kind(room.distrust("unreachable")), Some(UpdateKind::Untrusted));
}

#[test]
fn a_snapshot_discards_everything_before() {
    let mut room = room();
    let last = json!({"price": 0.4, "side": "BUY"});
    accept(
        &mut room,
        &snapshot(5, json!({"bids": levels(&[(0.4, 10)]), "lastTrade": last, "status": "open"})),
    );
    assert_eq!(room.copy.last_price(), Some(Decimal::new(4, 1)));
    accept(&mut room, &snapshot(9, json!({"asks": levels(&[(0.5, 1)])})));
    assert_eq!((bids(&room).as_str(), room.copy.last_price(), room.copy.status()), ("", None, None));
}

#[test]
fn announced_terms_stay_until_others_replace_them() {
    let announced = json!({"feePercentage": 9, "minimumOrderAmount": 1, "from": "2030-01-01T01:00:00Z"});
    let terms = json!({"feePercentage": 2, "minimumOrderAmount": 1, "announcedTerms": announced});
    let mut room = room();
    accept(&mut room, &snapshot(5, json!({"terms": terms})));
    accept(&mut room, &delta(6, 5, json!({"bids": levels(&[(0.4, 10)])})));
    let shown = room.copy.terms().expect("terms");
    let to_come = shown.announced_terms.expect("they are announced");
    assert_eq!((shown.fee_percentage, to_come.fee_percentage), (Decimal::from(2), Decimal::from(9)));
    let applied = json!({"feePercentage": 9, "minimumOrderAmount": 1});
    accept(&mut room, &delta(7, 6, json!({"terms": applied})));
    let shown = room.copy.terms().expect("terms");
    assert_eq!((shown.fee_percentage, shown.announced_terms), (Decimal::from(9), None));
}

#[test]
fn a_message_that_cannot_be_read_starts_the_book_over() {
    for bad in [
        delta(6, 5, json!({"bids": [{"price": 0.4}]})),
        json!({"type": "delta", "room": ROOM, "data": {}, "sequence": 6, "timestamp": 1}),
        json!({"type": "heartbeat", "room": ROOM, "sequence": 5, "timestamp": 1}),
    ] {
        let mut room = room();
        accept(&mut room, &snapshot(5, json!({"bids": levels(&[(0.4, 10)])})));
        assert!(try_accept(&mut room, &bad).is_err(), "{bad}");
        assert_eq!((room.resume_from(), bids(&room).as_str()), (None, "10 @ 0.4"));
    }
}

#[test]
fn an_account_has_wallets_and_positions_of_the_last_change() {
    let mut account = LocalAccount::new();
    let position = |balance: u32| {
        json!({
            "marketId": Uuid::nil(), "outcomeId": Uuid::nil(), "outcome": "YES", "currency": "USD",
            "balance": balance, "availableBalance": balance, "cost": 4,
        })
    };
    let mut apply = |data: &Value| {
        account.apply(serde_json::from_str(&data.to_string()).expect("changes"));
        let wallet = account.wallet(Currency::Usd).expect("a wallet");
        let shares = account.position(Uuid::nil(), Currency::Usd).map(|position| position.balance);
        (wallet.available, shares)
    };
    let wallet = json!({"currency": "USD", "availableBalance": 99.5, "pendingBalance": 0});
    let first = json!({"userId": Uuid::nil(), "wallets": [wallet], "positions": [position(9)]});
    assert_eq!(apply(&first), (Decimal::new(995, 1), Some(Decimal::from(9))));
    let second = json!({"userId": Uuid::nil(), "positions": [position(0)]});
    assert_eq!(apply(&second), (Decimal::new(995, 1), None));
}

const STEPS: usize = 300;
const KEPT_DELTAS: usize = 12;

/// Random numbers that a seed repeats (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// A book that changes, the deltas that are still stored, and the book at every sequence.
struct Venue {
    book: BTreeMap<u64, u64>,
    past: BTreeMap<u64, String>,
    sequence: u64,
    last: u64,
    /// Sequence, previous sequence and message.
    deltas: Vec<(u64, u64, Value)>,
}

fn level(cents: u64, quantity: u64) -> Value {
    json!({"price": cents as f64 / 100.0, "quantity": quantity})
}

impl Venue {
    fn new() -> Venue {
        let past = BTreeMap::from([(10, String::new())]);
        Venue { book: BTreeMap::new(), past, sequence: 10, last: 10, deltas: Vec::new() }
    }

    fn change(&mut self, chance: &mut Chance) -> Value {
        self.sequence += 1 + chance.below(3);
        let mut changed = Vec::new();
        for _ in 0..=chance.below(3) {
            let (cents, quantity) = (1 + chance.below(8), chance.below(4));
            if quantity == 0 {
                self.book.remove(&cents);
            } else {
                self.book.insert(cents, quantity);
            }
            changed.push(level(cents, quantity));
        }
        let made = delta(self.sequence, self.last, json!({"bids": changed}));
        self.deltas.push((self.sequence, self.last, made.clone()));
        let surplus = self.deltas.len().saturating_sub(KEPT_DELTAS);
        self.deltas.drain(..surplus);
        self.last = self.sequence;
        self.past.insert(self.sequence, self.text());
        made
    }

    fn heartbeat(&self) -> Value {
        heartbeat(self.last, self.sequence)
    }

    /// The answer to a subscription: all missed deltas, or a snapshot.
    fn subscribe(&self, resume_from: Option<u64>) -> Vec<Value> {
        if let Some(from) = resume_from {
            let missed: Vec<_> = self.deltas.iter().filter(|delta| delta.0 > from).collect();
            if from >= self.last || missed.first().is_some_and(|first| first.1 <= from) {
                return missed.into_iter().map(|delta| delta.2.clone()).collect();
            }
        }
        let whole: Vec<_> = self.book.iter().map(|(cents, quantity)| level(*cents, *quantity)).collect();
        vec![snapshot(self.sequence, json!({"bids": whole}))]
    }

    fn text(&self) -> String {
        let levels = self.book.iter().rev().map(|(cents, quantity)| BookLevel {
            price: Decimal::new(*cents as i64, 2).normalize(),
            quantity: Decimal::from(*quantity),
        });
        shown(&levels.collect::<Vec<_>>())
    }

    fn at(&self, sequence: u64) -> &str {
        self.past.range(..=sequence).next_back().expect("a book").1
    }
}

fn deliver(room: &mut Room<LocalBook>, venue: &Venue, messages: &[Value]) {
    for message in messages {
        let was_broken = room.needs_restart();
        accept(room, message);
        if room.copy.is_trusted() {
            assert_eq!(bids(room), venue.at(room.copy.sequence()));
        }
        assert!(was_broken || !room.needs_restart() || !room.copy.is_trusted());
    }
}

fn resume(room: &mut Room<LocalBook>, venue: &Venue) {
    let missed = venue.subscribe(room.resume_from());
    deliver(room, venue, &missed);
}

/// One thing that happens to a stream.
fn happen(room: &mut Room<LocalBook>, venue: &mut Venue, chance: &mut Chance) {
    match chance.below(10) {
        0 => {
            room.distrust("cut");
            for _ in 0..[0, 1, 3, 2 * KEPT_DELTAS][chance.below(4) as usize] {
                venue.change(chance);
            }
            resume(room, venue);
        }
        1 => {
            venue.sequence += 1;
            deliver(room, venue, &[venue.heartbeat()]);
        }
        // Lost.
        2 => drop(venue.change(chance)),
        3 => {
            let change = venue.change(chance);
            deliver(room, venue, &[change.clone(), change]);
        }
        _ => {
            let change = venue.change(chance);
            deliver(room, venue, &[change]);
        }
    }
    if room.needs_restart() && chance.below(2) == 0 {
        resume(room, venue);
    }
}

#[test]
fn a_trusted_book_is_right_whatever_is_lost_or_repeated() {
    for seed in 0..40 {
        let (mut chance, mut venue, mut room) = (Chance(seed), Venue::new(), room());
        resume(&mut room, &venue);
        for _ in 0..STEPS {
            happen(&mut room, &mut venue, &mut chance);
        }
        room.distrust("cut");
        let missed = venue.subscribe(room.resume_from());
        let last = if missed.is_empty() { vec![venue.heartbeat()] } else { missed };
        deliver(&mut room, &venue, &last);
        assert!(room.copy.is_trusted(), "seed {seed}");
        assert_eq!(bids(&room), venue.text(), "seed {seed}");
    }
}
