//! The scenario language itself: its parse errors name the word.

use crate::rules::script::Script;

fn message(scenario: &str) -> String {
    let scenario = scenario.to_owned();
    let panic =
        std::panic::catch_unwind(move || Script::after(&scenario)).expect_err("a line that cannot be read");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn a_line_that_cannot_be_read_panics_with_itself() {
    let rows = [
        ("market rain clob\n alice dances", "unknown verb \"dances\", in the line: alice dances"),
        ("market rain clob\n alice buys", "the line ends too early, in the line: alice buys"),
        (
            "alice buys YES 1 shares at 0.5",
            "no market is open yet, in the line: alice buys YES 1 shares at 0.5",
        ),
        (
            "market rain clob\n alice has 1.1234567 USD",
            "\"1.1234567\" has more than 6 decimals, in the line: alice has 1.1234567 USD",
        ),
        ("market rain clob\n alice has 1 EUR", "\"EUR\" is no currency, in the line: alice has 1 EUR"),
        ("market rain clob\n show wallet alice now", "a known user"),
    ];
    for (scenario, expected) in rows {
        assert!(message(scenario).contains(expected), "{}", message(scenario));
    }
}
