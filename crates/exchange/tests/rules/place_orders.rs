//! `PlaceOrders`: several orders in one command, each on its own, answered in their order.

use exchange::command::{Command, PlaceOrders};
use exchange::id::OrderId;
use exchange::numbers::Shares;
use exchange::order::{Item, Malformed, Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use expect_test::expect;

use crate::rules::script::{Script, check};
use crate::rules::world::{id, limit};

#[test]
fn place_orders_answers_each_item_in_order_and_continues_after_failures() {
    check(
        "market rain clob
         market snow clob
         alice has 10 USD
         alice places buys YES 10 shares at 0.40 of rain as a1; sells YES 5 shares at 0.40 as a2; buys NO 10 shares at 0.30 as a3; buys YES 1 shares at 0.40 as a4; buys YES 10 shares at 0.31 as a5; buys YES 10 shares at 0.30 as a6
         show wallet alice",
        expect![[r#"
            0: a1 open 0/10
            1: a2 refused: INSUFFICIENT_SHARES need 5 have 0
            2: a3 open 0/10
            3: a4 refused: BELOW_MINIMUM USD 1.00
            4: a5 refused: INSUFFICIENT_BALANCE need 3.10 have 3.00
            5: a6 open 0/10
            alice has 0.00 USD free, 10.00 held
        "#]],
    );
}

#[test]
fn place_orders_counts_rejected_and_cancelled_orders_as_placed() {
    check(
        "market rain clob
         alice has 20 USD
         alice has 20 sets
         bob has 20 sets
         bob sells YES 5 shares at 0.50 as b1
         alice sells YES 5 shares at 0.52 as own
         alice places buys YES 6 shares at 0.50 fok as fok; buys YES 5 shares at 0.50 post-only as post; buys YES 6 shares at 0.51 fak as fak; buys YES 5 shares at 0.52 stp cancel-newest as stp",
        expect![[r#"
            b1 open 0/5
            own open 0/5
            0: fok rejected 0/6
            1: post rejected 0/5
            2: fak cancelled 5/6 @0.5
            3: stp rejected 0/5
              DIRECT 5 YES @0.50 bob.b1 → alice.fak
              b1 filled 5/5 @0.5
        "#]],
    );
}

#[test]
fn place_orders_lets_items_meet_what_the_ones_before_them_left() {
    check(
        "market rain clob
         alice has 10 sets
         alice has 5 USD
         alice places sells YES 5 shares at 0.50 as a1; buys YES 5 shares at 0.50 stp cancel-oldest as a2; buys YES 6 shares at 0.50 as a3; buys YES 5 shares at 0.50 as a4
         show book",
        expect![[r#"
            0: a1 open 0/5
            1: a2 open 0/5
            2: a3 refused: INSUFFICIENT_BALANCE need 3.00 have 2.50
            3: a4 open 0/5
              a1 cancelled 0/5 by self-trade prevention
            book rain
              bid 0.50 alice.a2 buys YES 5
              bid 0.50 alice.a4 buys YES 5
        "#]],
    );
}

#[test]
fn place_orders_refuses_an_item_for_a_pool_and_places_the_others() {
    check(
        "market rain clob
         market snow amm
         alice has 10 USD
         alice places buys YES 10 shares at 0.40 of snow as a1; buys YES 10 shares at 0.40 of rain as a2
         show wallet alice",
        expect![[r#"
            0: a1 refused: UNSUPPORTED_ENGINE
            1: a2 open 0/10
            alice has 6.00 USD free, 4.00 held
        "#]],
    );
}

#[test]
fn place_orders_takes_1_to_20_items() {
    for (count, is_taken) in [(0, false), (1, true), (20, true), (21, false)] {
        let mut script = Script::after("market rain clob\n alice has 100 USD");
        let new =
            |place: usize| limit(&format!("a{place}"), "rain", Outcome::Yes, Side::Buy, Shares::whole(5), 40);
        let items = (0..count).map(|place| Item::Valid(new(place))).collect();
        let result = script.world.by("alice", Command::PlaceOrders(PlaceOrders { items }));
        let open = script.world.exchange.orders().len();
        match result {
            Ok(Reply::Results(results)) => {
                assert!(is_taken && results.len() == count && open == count, "{count}")
            }
            other => {
                assert!(!is_taken && open == 0 && other == Err(Reject::BatchSize { max: 20 }), "{count}")
            }
        }
    }
}

#[test]
fn place_orders_names_orders_and_client_ids_and_keeps_the_place_of_what_could_not_be_read() {
    let mut script = Script::after("market rain clob\n alice has 100 USD");
    let message = Text::from("amount is no number");
    let mut new = limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(5), 40);
    new.client_order_id = Some(Text::from("mine"));
    let twice = new.clone();
    let unread = Malformed { client_order_id: Some(Text::from("unread")), ..Malformed::new(message.clone()) };
    let items = vec![Item::Malformed(unread), Item::Valid(new), Item::Valid(twice)];
    let Ok(Reply::Results(results)) = script.world.by("alice", Command::PlaceOrders(PlaceOrders { items }))
    else {
        panic!("a batch is answered by its results");
    };
    assert_eq!(
        (results[0].order, results[0].outcome.as_ref().err()),
        (None, Some(&Reject::Malformed { message }))
    );
    assert_eq!(results[0].client_order_id, Some(Text::from("unread")));
    let (order, client) = (Some(OrderId::new(id("a1"))), Some(Text::from("mine")));
    assert_eq!((results[1].order, &results[1].client_order_id), (order, &client));
    assert_eq!((results[2].order, &results[2].client_order_id), (order, &client));
    assert_eq!(results[2].outcome.as_ref().err(), Some(&Reject::DuplicateId));
}
