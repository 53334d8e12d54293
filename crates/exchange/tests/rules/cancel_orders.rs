//! `CancelOrders`: up to 100 ids in one command, each on its own, answered in their order.

use exchange::command::{CancelOrders, Command};
use exchange::id::OrderId;
use exchange::reject::Reject;
use exchange::reply::Reply;
use expect_test::expect;

use crate::rules::script::{Script, check};

#[test]
fn cancel_orders_answers_each_id_in_order_and_continues_after_failures() {
    check(
        "market rain clob
         market snow clob
         alice has 10 USD
         bob has 10 USD
         alice buys YES 10 shares at 0.40 of rain as a1
         alice buys YES 10 shares at 0.40 of snow as a2
         bob buys YES 10 shares at 0.40 as b1
         alice cancels a2, b1, nosuch, a1
         show wallet alice
         show wallet bob",
        expect![[r#"
            a1 open 0/10
            a2 open 0/10
            b1 open 0/10
            0: a2 cancelled 0/10
            1: b1 refused: ORDER_NOT_FOUND
            2: nosuch refused: ORDER_NOT_FOUND
            3: a1 cancelled 0/10
            alice has 10.00 USD free, 0.00 held
            bob has 6.00 USD free, 4.00 held
        "#]],
    );
}

#[test]
fn cancel_orders_does_not_find_an_id_the_second_time() {
    check(
        "market rain clob
         alice has 10 USD
         alice buys YES 10 shares at 0.40 as a1
         alice cancels a1, a1, a1",
        expect![[r#"
            a1 open 0/10
            0: a1 cancelled 0/10
            1: a1 refused: ORDER_NOT_FOUND
            2: a1 refused: ORDER_NOT_FOUND
        "#]],
    );
}

#[test]
fn cancel_orders_takes_1_to_100_ids() {
    for (count, is_taken) in [(0, false), (1, true), (100, true), (101, false)] {
        let mut script =
            Script::after("market rain clob\n alice has 10 USD\n alice buys YES 10 shares at 0.40 as a1");
        let mut orders: Vec<OrderId> = (1..count as u128).map(OrderId::new).collect();
        if count > 0 {
            orders.push(script.order_id("a1"));
        }
        let result = script.world.by("alice", Command::CancelOrders(CancelOrders { orders }));
        let open = script.world.exchange.orders().len();
        match result {
            Ok(Reply::Results(results)) => {
                assert!(is_taken && results.len() == count && open == 0, "{count}");
                let failed = results.iter().filter(|result| result.outcome == Err(Reject::OrderNotFound));
                assert_eq!(failed.count(), count - 1);
                assert!(results.last().is_some_and(|last| last.outcome.is_ok()));
            }
            other => {
                assert!(!is_taken && open == 1 && other == Err(Reject::BatchSize { max: 100 }), "{count}")
            }
        }
    }
}
