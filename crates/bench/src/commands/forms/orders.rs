//! Amendments and cancels, sets, switches and connections.

use exchange::command::{
    AmendOrders, BurnSets, CancelAfter, CancelAllOrders, CancelOnDisconnect, CancelOrder, CancelOrders,
    CancelOrdersOf, Command, EndConnection, MintSets,
};
use exchange::id::{ConnectionId, OperationId, OrderId};
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{Amendment, Item, NewOrder, Outcome};

use super::{ADA, Form, SYSTEM, Work};
use crate::ids::{self, Kind, Rest};
use crate::world::{Script, Sizes, limit, mint};

/// Items of a batch.
const ITEMS: u32 = 20;
/// The largest order.
const LARGEST: i64 = 900_000_000;

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    [amends(sizes), cancels(sizes), all_of_one(), sets(), switches()].into_iter().flatten().collect()
}

/// The orders that `bids` places.
fn bid(number: u32) -> OrderId {
    ids::order(Rest::Fresh, 100 + number)
}

/// Low bids of a user in the large book.
fn bids(user: u32, post_only: bool) -> impl Fn(&mut Script<'_>) + 'static {
    move |script| {
        for number in 0..ITEMS {
            let new = limit(bid(number), ids::outcome(Kind::Deep, 0, Outcome::Yes), 100, 1);
            script.user(user, Command::PlaceOrder(NewOrder { post_only, ..new }));
        }
    }
}

/// As many further orders of a user as are allowed; those in the large book stand where a bid at 0.98 would cross them.
fn crowd(script: &mut Script<'_>, sizes: &Sizes) {
    let deep = ids::outcome(Kind::Deep, 0, Outcome::No);
    for number in 0..sizes.shelf - ITEMS {
        let (outcome, shares, cents) = match number < sizes.own_deep - ITEMS {
            true => (deep, 60, 2),
            false => (ids::outcome(Kind::Shelf, number, Outcome::No), 10, 30),
        };
        let new = limit(ids::order(Rest::Fresh, 1_000 + number), outcome, shares, cents);
        script.user(ids::IDLER, Command::PlaceOrder(new));
    }
}

fn amend(cents: u8, shares: Option<i64>) -> Command {
    let item = |number| {
        let new_size = shares.map(Shares::whole);
        Item::Valid(Amendment { order: bid(number), new_price: Price::new(cents), new_size })
    };
    Command::AmendOrders(AmendOrders { items: (0..ITEMS).map(item).collect() })
}

fn amends(sizes: &Sizes) -> Vec<Form> {
    let (poor, whale, idler) = (ids::by_key(ids::POOR), ids::by_key(ids::WHALE), ids::by_key(ids::IDLER));
    let sizes = *sizes;
    let crowded = move |script: &mut Script<'_>| {
        crowd(script, &sizes);
        bids(ids::IDLER, false)(script);
    };
    vec![
        Form::items_refused("20 unfunded", poor, amend(98, Some(LARGEST))).after(bids(ids::POOR, false)),
        Form::items_refused("20 unfunded, 5,000 own orders", idler, amend(98, Some(LARGEST))).after(crowded),
        Form::items_refused("20 postOnly that cross", whale, amend(98, None)).after(bids(ids::WHALE, true)),
        Form::items_refused("20 unknown", whale, amend(98, None)),
        Form::plain("20 without a cross", whale, amend(2, None)).after(bids(ids::WHALE, false)),
        Form::plain("20 smaller", whale, amend(1, Some(100))).after(move |script| {
            bids(ids::WHALE, false)(script);
            script.user(ids::WHALE, amend(1, Some(200)));
        }),
        Form::with("20 with one fill each", whale, amend(98, None), Work::Units)
            .after(bids(ids::WHALE, false)),
        Form::with("20 with 50 fills each", whale, amend(98, Some(5_500)), Work::Units)
            .after(bids(ids::WHALE, false)),
        Form::with("20 that cancel 500 own orders", idler, amend(98, None), Work::Units).after(crowded),
    ]
}

fn cancels(sizes: &Sizes) -> Vec<Form> {
    let maker = ids::by_key(ids::SPECIAL);
    let middle = sizes.orders_of_maker / 2;
    let of_maker = |number: u32| ids::order(Rest::Deep, number * sizes.makers);
    let one = |order| Command::CancelOrder(CancelOrder { order });
    let some = |orders: Vec<OrderId>| Command::CancelOrders(CancelOrders { orders });
    let unknown = |number: u32| ids::order(Rest::Fresh, 500_000 + number);
    vec![
        Form::with("in the middle of the book", maker, one(of_maker(middle)), Work::Units),
        Form::refused("of another", ids::by_key(ids::POOR), one(of_maker(middle))),
        Form::with("100 of the book", maker, some((0..100).map(of_maker).collect()), Work::Units),
        Form::items_refused("100 unknown", maker, some((0..100).map(unknown).collect())),
    ]
}

fn all_of_one() -> Vec<Form> {
    let trader = ids::by_key(ids::TRADER);
    let user = ids::user(ids::TRADER);
    let own = |event| Command::CancelAllOrders(CancelAllOrders { event, market: None, currency: None });
    let of = |event| Command::CancelOrdersOf(CancelOrdersOf { user, event, market: None, currency: None });
    let empty = Some(ids::event(Kind::Cup, 0));
    let deep = Some(ids::event(Kind::Deep, 0));
    vec![
        Form::with("all 5,000", trader, own(None), Work::CancellingAll),
        Form::with("those of one book", trader, own(deep), Work::CancellingAll),
        Form::plain("none in this event", trader, own(empty)),
        Form::refused("an unknown event", trader, own(Some(ids::event(Kind::Fresh, 0)))),
        Form::with("all 5,000", ADA, of(None), Work::CancellingAll),
        Form::plain("none in this event", ADA, of(empty)),
    ]
}

fn sets() -> Vec<Form> {
    let (market, currency, id) = (ids::market(Kind::Held, 0, 0), Currency::Usd, OperationId::new(u128::MAX));
    let mint_sets = |whole| Command::MintSets(MintSets { id, market, currency, amount: Money::whole(whole) });
    let burn_sets = |whole| Command::BurnSets(BurnSets { id, market, currency, amount: Money::whole(whole) });
    let (whale, poor) = (ids::by_key(ids::WHALE), ids::by_key(ids::POOR));
    vec![
        Form::plain("the first of a user", whale, mint_sets(100)),
        Form::refused("unfunded", poor, mint_sets(101)),
        Form::plain("all of a user", whale, burn_sets(100)).after(|script| {
            mint(script, ids::WHALE, ids::market(Kind::Held, 0, 0), 100);
        }),
        Form::refused("unfunded", poor, burn_sets(1)),
    ]
}

fn switches() -> Vec<Form> {
    let trader = ids::by_key(ids::TRADER);
    let user = ids::user(ids::TRADER);
    let after = |seconds| Command::CancelAfter(CancelAfter { seconds });
    let connect = |number| {
        let connection = ConnectionId::new(number);
        Command::CancelOnDisconnect(CancelOnDisconnect { connection, enabled: true })
    };
    let end = |number| Command::EndConnection(EndConnection { user, connection: ConnectionId::new(number) });
    vec![
        Form::plain("set", trader, after(60)),
        Form::refused("too long", trader, after(100_000)),
        Form::plain("the second", trader, connect(2)),
        Form::refused("the eleventh", trader, connect(11)).after(move |script| {
            (2..=10).for_each(|number| script.user(ids::TRADER, connect(number)));
        }),
        Form::with("all 5,000 orders are cancelled", SYSTEM, end(1), Work::CancellingAll),
        Form::plain("not armed", SYSTEM, end(2)),
    ]
}
