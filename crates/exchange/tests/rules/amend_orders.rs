//! `AmendOrders`: the shape of the batch. What an amendment does to one order is in `amend_rules`.

use exchange::command::{AmendOrders, Command};
use exchange::id::OrderId;
use exchange::numbers::Shares;
use exchange::order::{Amendment, Item, Malformed};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use expect_test::expect;

use crate::rules::script::{Script, check};
use crate::rules::world::id;

#[test]
fn amend_orders_answers_each_item_in_order_and_continues_after_failures() {
    check(
        "market rain clob
         market snow clob
         alice has 10 USD
         bob has 10 USD
         alice buys YES 10 shares at 0.40 of rain as a1
         alice buys YES 10 shares at 0.30 of snow as a2
         bob buys YES 10 shares at 0.40 as b1
         alice amends a1 to 8 shares; b1 to 8 shares; nosuch at 0.30; a2; a2 to 6 shares; a1 at 0.41
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            a2 open 0/10
            b1 open 0/10
            0: a1 open 0/8
            1: b1 refused: ORDER_NOT_FOUND
            2: nosuch refused: ORDER_NOT_FOUND
            3: a2 refused: NOTHING_TO_AMEND
            4: a2 refused: AMENDED_TWICE
            5: a1 refused: AMENDED_TWICE
            alice has 3.80 USD free, 6.20 held
        "#]],
    );
}

#[test]
fn amend_orders_refuses_the_second_mention_of_an_id_even_if_the_first_failed() {
    check(
        "market rain clob
         alice has 10 USD
         alice buys YES 10 shares at 0.40 as a1
         alice amends a1 to 1 shares; a1 to 9 shares; a1 to 8 shares
         show book",
        expect![[r#"
            a1 open 0/10
            0: a1 refused: BELOW_MINIMUM USD 1.00
            1: a1 refused: AMENDED_TWICE
            2: a1 refused: AMENDED_TWICE
            book rain
              bid 0.40 alice.a1 buys YES 10
        "#]],
    );
}

#[test]
fn amend_orders_lets_each_item_see_what_the_ones_before_it_left() {
    check(
        "market rain clob
         alice has 10 USD
         alice buys YES 10 shares at 0.60 as a1
         alice buys NO 10 shares at 0.39 as a2
         alice amends a2 to 20 shares; a1 to 5 shares
         alice amends a1 to 4 shares; a2 to 11 shares
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            a2 open 0/10
            0: a2 refused: INSUFFICIENT_BALANCE need 7.80 have 4.00
            1: a1 open 0/5
            0: a1 open 0/4
            1: a2 open 0/11
            alice has 3.31 USD free, 6.69 held
        "#]],
    );
}

#[test]
fn amend_orders_works_across_events_and_currencies() {
    check(
        "market rain clob
         market sun shade clob combined
         alice has 10 USD
         alice has 1000 NGN
         alice buys YES 10 shares at 0.40 of rain as a1
         alice buys YES 10 shares at 0.40 of shade in NGN as a2
         alice amends a1 to 5 shares at 0.50; a2 to 20 shares
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            a2 open 0/10
            0: a1 open 0/5
            1: a2 open 0/20
            alice has 7.50 USD free, 2.50 held; 200.00 NGN free, 800.00 held
        "#]],
    );
}

#[test]
fn amend_orders_takes_1_to_20_items() {
    let item = |place: usize| {
        Item::Valid(Amendment {
            order: OrderId::new(place as u128),
            new_price: None,
            new_size: Some(Shares::whole(5)),
        })
    };
    for (count, is_taken) in [(0, false), (1, true), (20, true), (21, false)] {
        let mut script = Script::after("market rain clob\n alice has 10 USD");
        let items = (0..count).map(item).collect();
        match script.world.by("alice", Command::AmendOrders(AmendOrders { items })) {
            Ok(Reply::Results(results)) => assert!(is_taken && results.len() == count, "{count}"),
            other => assert!(!is_taken && other == Err(Reject::BatchSize { max: 20 }), "{count}"),
        }
    }
}

#[test]
fn amend_orders_keeps_the_place_of_an_item_that_could_not_be_read() {
    let mut script =
        Script::after("market rain clob\n alice has 10 USD\n alice buys YES 10 shares at 0.40 as a1");
    let message = Text::from("newSize is no number");
    let order = OrderId::new(id("a1"));
    let amendment = Amendment { order, new_price: None, new_size: Some(Shares::whole(5)) };
    let unread = Malformed { order: Some(Text::from("a-1")), ..Malformed::new(message.clone()) };
    let items = vec![Item::Malformed(unread), Item::Valid(amendment)];
    let Ok(Reply::Results(results)) = script.world.by("alice", Command::AmendOrders(AmendOrders { items }))
    else {
        panic!("a batch is answered by its results");
    };
    assert_eq!((results[0].order, &results[0].outcome), (None, &Err(Reject::Malformed { message })));
    assert_eq!(results[0].order_as_sent, Some(Text::from("a-1")));
    assert_eq!(results[1].order, Some(order));
    assert_eq!(results[1].outcome.as_ref().map(|order| order.terms.size), Ok(Shares::whole(5)));
}
