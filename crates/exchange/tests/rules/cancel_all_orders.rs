//! `CancelAllOrders`: all of the caller's, or those of an event, a market, a currency, or all three together.

use exchange::command::{CancelAllOrders, Command};
use exchange::id::{EventId, MarketId};
use exchange::reject::Reject;
use expect_test::expect;

use crate::rules::script::{Script, check};

/// Alice's orders, oldest first, in three markets of two events and in both currencies; and one of Bob's.
const STAGE: &str = "
    market rain clob
    market sun shade clob grouped
    alice has 100 USD
    alice has 10000 NGN
    bob has 100 USD
    alice buys YES 10 shares at 0.40 of shade as shade1
    alice buys YES 10 shares at 0.40 of rain as rain1
    alice buys YES 10 shares at 0.40 of sun in NGN as sun-ngn
    alice buys NO 10 shares at 0.40 of sun as sun1
    alice buys NO 10 shares at 0.40 of rain in NGN as rain-ngn
    bob buys YES 10 shares at 0.40 of rain as b1
";

/// The last line of the script's output.
fn said(line: &str) -> String {
    Script::after(&format!("{STAGE}{line}")).output.lines().last().expect("an answer").to_owned()
}

#[test]
fn cancel_all_orders_row_by_row() {
    let rows = [
        ("", "5 cancelled: shade1, rain1, sun-ngn, sun1, rain-ngn"),
        ("of rain", "2 cancelled: rain1, rain-ngn"),
        ("event sun", "3 cancelled: shade1, sun-ngn, sun1"),
        ("in NGN", "2 cancelled: sun-ngn, rain-ngn"),
        ("of sun in USD", "1 cancelled: sun1"),
        ("event sun in NGN", "1 cancelled: sun-ngn"),
        ("of sun event sun", "2 cancelled: sun-ngn, sun1"),
        ("of rain event sun", "nothing was open"),
    ];
    for (bounds, expected) in rows {
        let said = said(&format!("alice cancels all {bounds}")).replace(" cancelled 0/10", "");
        assert_eq!(said, expected, "{bounds:?}");
    }
}

#[test]
fn cancel_all_orders_refunds_everything_and_touches_no_other_user() {
    check(
        &format!(
            "{STAGE}alice cancels all\n show wallet alice\n show wallet bob\n show book rain\n alice cancels all"
        ),
        expect![[r#"
            shade1 open 0/10
            rain1 open 0/10
            sun-ngn open 0/10
            sun1 open 0/10
            rain-ngn open 0/10
            b1 open 0/10
            5 cancelled: shade1 cancelled 0/10, rain1 cancelled 0/10, sun-ngn cancelled 0/10, sun1 cancelled 0/10, rain-ngn cancelled 0/10
            alice has 100.00 USD free, 0.00 held; 10000.00 NGN free, 0.00 held
            bob has 96.00 USD free, 4.00 held
            book rain
              bid 0.40 bob.b1 buys YES 10
            nothing was open
        "#]],
    );
}

#[test]
fn cancel_all_orders_of_what_does_not_exist_is_not_found() {
    let mut script = Script::after(STAGE);
    let mut ask = |event, market| {
        script.world.by("alice", Command::CancelAllOrders(CancelAllOrders { event, market, currency: None }))
    };
    assert_eq!(ask(Some(EventId::new(7)), None), Err(Reject::EventNotFound));
    assert_eq!(ask(None, Some(MarketId::new(7))), Err(Reject::MarketNotFound));
}

#[test]
fn cancel_all_orders_works_in_a_paused_market() {
    check(
        "market rain clob
         alice has 10 USD
         alice buys YES 10 shares at 0.40 as a1
         pause rain
         alice cancels all of rain
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            rain paused
            1 cancelled: a1 cancelled 0/10
            alice has 10.00 USD free, 0.00 held
        "#]],
    );
}
