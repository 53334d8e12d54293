//! New orders on the large book and on a pool.

use exchange::command::{Command, PlaceOrders};
use exchange::limits::OPEN_ORDERS_MAX;
use exchange::numbers::{Money, Shares};
use exchange::order::{Item, NewOrder, OrderKind, Outcome, SelfTrade, Sizing, TimeInForce};
use exchange::text::Text;

use super::{Form, Work};
use crate::ids::{self, Kind, Rest};
use crate::world::{ENTRIES_OF_PART, Script, Sizes, Stage, key, limit};

/// More shares than the large book has.
const ALL: i64 = 25_000_000;
/// Users who fill a table.
const FILLERS: u32 = 200;
/// The largest order.
const LARGEST: i64 = 900_000_000;
/// A larger one: a rich user can pay for the whole book, and not for the rest of the order.
const REMAINDER: i64 = 950_000_000;

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    [refused(sizes), without_effect(), filled(sizes), batches(), on_pools()].into_iter().flatten().collect()
}

/// Buys YES of the large book at up to 0.99.
fn buy(number: u32, shares: i64) -> NewOrder {
    limit(ids::order(Rest::Fresh, 100 + number), ids::outcome(Kind::Deep, 0, Outcome::Yes), shares, 99)
}

fn by_money(number: u32, whole: i64) -> NewOrder {
    let sizing = Sizing::Amount(Money::whole(whole));
    NewOrder { kind: OrderKind::Market, price: None, sizing, ..buy(number, 0) }
}

/// Meets the own orders at the end of the book.
fn meeting_own(new: NewOrder) -> NewOrder {
    NewOrder { self_trade: SelfTrade::CancelOldest, ..new }
}

fn fok(new: NewOrder) -> NewOrder {
    NewOrder { time_in_force: Some(TimeInForce::Fok), ..new }
}

fn place(new: NewOrder) -> Command {
    Command::PlaceOrder(new)
}

/// An own order of the poor user at the end of the book.
fn own_order(script: &mut Script<'_>) {
    let no = ids::outcome(Kind::Deep, 0, Outcome::No);
    script.user(ids::POOR, place(limit(ids::order(Rest::Fresh, 99), no, 100, 1)));
}

fn refused(sizes: &Sizes) -> Vec<Form> {
    let (poor, trader) = (ids::by_key(ids::POOR), ids::by_key(ids::TRADER));
    let (maker, last) = (ids::by_key(ids::SPECIAL), ids::by_key(ids::LAST_IN_LINE));
    let used = sizes.makers;
    // A smaller world has fewer orders than the rules allow.
    let is_full = sizes.shelf >= OPEN_ORDERS_MAX;
    let crowded = Form::refused("more open orders than allowed", trader, place(buy(0, LARGEST)));
    let mut forms = vec![
        Form::refused("unfunded, more than the book", poor, place(buy(0, LARGEST))),
        Form::refused("unfunded, by money", poor, place(by_money(0, LARGEST))),
        Form::refused("unfunded, own order at the end", poor, place(meeting_own(buy(0, LARGEST))))
            .after(own_order),
        Form::refused("unfunded, own order at the end, by money", poor, {
            place(meeting_own(by_money(0, LARGEST)))
        })
        .after(own_order),
        Form::refused("unfunded by its remainder, own order at the end", last, {
            place(meeting_own(buy(0, REMAINDER)))
        }),
        Form::refused("an order of this name is open", poor, {
            place(NewOrder { client_order_id: Some(Text::from("mine")), ..buy(1, 100) })
        })
        .after(|script| {
            let named = NewOrder { client_order_id: Some(Text::from("mine")), ..limit_at(1) };
            script.user(ids::POOR, place(named));
        }),
        Form::plain("an idempotency key again", maker, place(buy(0, 10))).with_key(key(used, 1)),
        Form::refused("an idempotency key of another body", maker, place(buy(0, 10))).with_key(key(used, 2)),
    ];
    forms.extend(is_full.then_some(crowded));
    forms
}

fn without_effect() -> Vec<Form> {
    let (whale, last) = (ids::by_key(ids::WHALE), ids::by_key(ids::LAST_IN_LINE));
    let post_only = |new| NewOrder { post_only: true, ..new };
    vec![
        Form::plain("FOK, more than the book", whale, place(fok(buy(0, ALL)))),
        Form::plain("FOK, own order at the end", last, place(fok(meeting_own(buy(0, ALL))))),
        Form::plain("FOK, own order at the end, CANCEL_NEWEST", last, {
            place(NewOrder { self_trade: SelfTrade::CancelNewest, ..fok(buy(0, ALL)) })
        }),
        Form::plain("FOK, own order at the end, by money", last, {
            place(fok(meeting_own(by_money(0, 800_000_000))))
        }),
        Form::plain("postOnly that crosses", whale, place(post_only(buy(0, LARGEST)))),
        Form::plain("postOnly that crosses own orders", last, {
            place(meeting_own(post_only(buy(0, 1_000))))
        }),
        Form::plain("rests behind the book", ids::by_key(ids::POOR), {
            let no = ids::outcome(Kind::Deep, 0, Outcome::No);
            place(limit(ids::order(Rest::Fresh, 100), no, 100, 1))
        }),
        Form::plain("with an idempotency key", whale, place(limit_at(1))).with_key(key(u32::MAX, 1)),
        Form::plain("with an idempotency key, the tables grow", whale, place(limit_at(1)))
            .with_key(key(u32::MAX, 1))
            .cold(),
        Form::plain("the table of orders grows", whale, place(limit_at(1))).after_stage(fill_table).cold(),
    ]
}

/// Places orders until the table that finds them is about to split a part.
fn fill_table(stage: &mut Stage) {
    let open = u32::try_from(stage.exchange.orders().len()).expect("a small table");
    let missing = open.next_multiple_of(ENTRIES_OF_PART) - open;
    let now = stage.now;
    let mut script = Script::new(stage, now);
    for number in 0..missing {
        // Few of each maker in each market.
        let (maker, market) = (number % FILLERS, number / FILLERS % FILLERS);
        let yes = ids::outcome(Kind::Shelf, market, Outcome::Yes);
        let order = ids::order(Rest::Fresh, 10_000 + number);
        script.user(ids::SPECIAL + 10 + maker, place(limit(order, yes, 100, 1)));
    }
}

/// Rests alone on its side.
fn limit_at(cents: i64) -> NewOrder {
    limit(ids::order(Rest::Fresh, 100), ids::outcome(Kind::Deep, 0, Outcome::Yes), 1_000, cents)
}

fn filled(sizes: &Sizes) -> Vec<Form> {
    let (whale, trader) = (ids::by_key(ids::WHALE), ids::by_key(ids::TRADER));
    let own_deep = i64::from(sizes.own_deep);
    let all = 110 * (i64::from(sizes.orders()) + own_deep + 1);
    let fak = |new| NewOrder { time_in_force: Some(TimeInForce::Fak), ..new };
    vec![
        Form::with("one fill", whale, place(buy(0, 10)), Work::Units),
        Form::with("a thousand fills", whale, place(buy(0, 110_000.min(all))), Work::Units),
        Form::with("a thousand fills, by money", whale, place(by_money(0, 50_000)), Work::Units),
        Form::with("the whole book", whale, place(fok(buy(0, all))), Work::Units),
        Form::with(
            "the whole book, own orders cancelled",
            trader,
            place(meeting_own(fak(buy(0, LARGEST)))),
            Work::Units,
        ),
        Form::with(
            "one fill, own orders at the end",
            trader,
            place(meeting_own(fak(buy(0, 10)))),
            Work::Units,
        ),
    ]
}

fn batches() -> Vec<Form> {
    let batch = |new: &dyn Fn(u32) -> NewOrder| {
        Command::PlaceOrders(PlaceOrders { items: (0..20).map(|number| Item::Valid(new(number))).collect() })
    };
    let (poor, whale, last) =
        (ids::by_key(ids::POOR), ids::by_key(ids::WHALE), ids::by_key(ids::LAST_IN_LINE));
    let pool = |number| NewOrder { outcome: ids::outcome(Kind::Pool, 0, Outcome::Yes), ..buy(number, 10) };
    let many = Command::PlaceOrders(PlaceOrders { items: vec![Item::Valid(buy(0, 10)); 21] });
    vec![
        Form::items_refused("20 unfunded", poor, batch(&|number| buy(number, LARGEST))),
        Form::items_refused("20 unfunded, own order at the end", poor, {
            batch(&|number| meeting_own(buy(number, LARGEST)))
        })
        .after(own_order),
        Form::items_refused("20 unfunded, own order at the end, CANCEL_NEWEST", poor, {
            batch(&|number| NewOrder { self_trade: SelfTrade::CancelNewest, ..buy(number, LARGEST) })
        })
        .after(own_order),
        Form::items_refused("20 unfunded by their remainders, own order at the end", last, {
            batch(&|number| meeting_own(buy(number, REMAINDER)))
        }),
        Form::items_refused("20 on a pool", poor, batch(&pool)),
        Form::plain("20 FOK, own order at the end", last, {
            batch(&|number| fok(meeting_own(buy(number, ALL))))
        }),
        Form::with("20 with 50 fills each", whale, batch(&|number| buy(number, 5_500)), Work::Units),
        Form::refused("21", whale, many),
    ]
}

fn on_pools() -> Vec<Form> {
    let outcome = ids::outcome(Kind::Pool, 0, Outcome::Yes);
    let on_pool = |user, whole| {
        let sizing = Sizing::Amount(Money::whole(whole));
        (ids::by_key(user), place(NewOrder { outcome, sizing, ..by_money(0, 0) }))
    };
    let shares = |user| {
        let sizing = Sizing::Quantity(Shares::whole(100));
        (ids::by_key(user), place(NewOrder { outcome, sizing, ..by_money(0, 0) }))
    };
    let [(whale, by_money), (_, by_shares), (poor, unfunded)] =
        [on_pool(ids::WHALE, 50), shares(ids::WHALE), on_pool(ids::POOR, 101)];
    vec![
        Form::with("on a pool, by money", whale, by_money, Work::Units),
        Form::with("on a pool, by quantity", whale, by_shares, Work::Units),
        Form::refused("on a pool, unfunded", poor, unfunded),
    ]
}
