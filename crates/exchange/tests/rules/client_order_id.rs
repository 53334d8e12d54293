//! clientOrderId: its letters, its length, and that it is unique among a user's open orders only.

use exchange::numbers::Shares;
use exchange::order::{NewOrder, Outcome, Side};
use exchange::reject::Reject;
use exchange::text::Text;
use expect_test::expect;

use crate::rules::script::{Script, check};
use crate::rules::world::limit;

#[test]
fn client_order_id_has_1_to_64_letters_digits_underscores_or_hyphens() {
    let longest = "x".repeat(64);
    let too_long = "x".repeat(65);
    let rows = [
        ("a", true),
        ("Quote_7-b", true),
        (longest.as_str(), true),
        ("", false),
        (too_long.as_str(), false),
        ("a b", false),
        ("a.b", false),
        ("ä", false),
        ("a\n", false),
    ];
    for engine in ["clob", "amm"] {
        for (text, is_allowed) in rows {
            let mut script = Script::after(&format!("market rain {engine}\n alice has 10 USD"));
            let new = NewOrder {
                client_order_id: Some(Text::from(text)),
                ..limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(2), 60)
            };
            let refusal = script.world.place("alice", new).err();
            assert_eq!(refusal, (!is_allowed).then_some(Reject::ClientOrderIdInvalid), "{engine} {text:?}");
        }
    }
}

#[test]
fn client_order_id_is_unique_among_the_open_orders_of_one_user() {
    check(
        "market rain clob
         market snow clob
         alice has 100 USD
         bob has 100 USD
         alice buys YES 10 shares at 0.40 client mine as a1
         alice buys YES 10 shares at 0.40 client mine as a2
         alice buys YES 10 shares at 0.40 of rain client mine as a3
         bob buys YES 10 shares at 0.40 client mine as b1
         alice places buys YES 10 shares at 0.40 client other as a4; buys YES 10 shares at 0.40 client other as a5",
        expect![[r#"
            a1 open 0/10
            refused: DUPLICATE_CLIENT_ORDER_ID
            refused: DUPLICATE_CLIENT_ORDER_ID
            b1 open 0/10
            0: a4 open 0/10
            1: a5 refused: DUPLICATE_CLIENT_ORDER_ID
        "#]],
    );
}

#[test]
fn client_order_id_is_free_again_once_its_order_is_closed() {
    check(
        "market rain clob
         alice has 100 USD
         bob has 100 sets
         alice buys YES 10 shares at 0.40 client mine as cancelled
         alice cancels cancelled
         alice buys YES 10 shares at 0.40 client mine as filled
         bob sells YES 10 shares at 0.40 as b1
         alice buys YES 10 shares at 0.40 gtd 60s client mine as expired
         wait 60s
         alice buys YES 10 shares at 0.40 fak client mine as at-once
         alice buys YES 10 shares at 0.40 client mine as last
         close rain",
        expect![[r#"
            cancelled open 0/10
            cancelled cancelled 0/10
            filled open 0/10
            b1 filled 10/10 @0.4
              DIRECT 10 YES @0.40 bob.b1 → alice.filled
              filled filled 10/10 @0.4
            expired open 0/10
            waited
              expired expired 0/10
            at-once cancelled 0/10
            last open 0/10
            rain closed
              last cancelled 0/10 by the market's close
        "#]],
    );
}

#[test]
fn client_order_id_stays_with_an_amended_order() {
    let mut script = Script::after(
        "market rain clob
         alice has 100 USD
         alice buys YES 10 shares at 0.40 client mine as a1
         alice amends a1 at 0.41",
    );
    let alice = script.world.user_index("alice");
    assert!(script.world.exchange.orders().find_by_client_id(alice, &Text::from("mine")).is_some());
    script.output.clear();
    script.run("alice buys YES 10 shares at 0.40 client mine as a2");
    assert_eq!(script.output, "refused: DUPLICATE_CLIENT_ORDER_ID\n");
}
