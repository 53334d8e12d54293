//! A request that no build can apply is skipped: it takes its sequence, changes nothing, and is named by a record.

use exchange::change::Change;
use exchange::command::{Command, RecordSkip};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::samples::stage;

fn record(skipped: u64) -> Command {
    Command::RecordSkip(RecordSkip { skipped, reason: Text::from("unknown command") })
}

#[test]
fn record_skip_names_an_earlier_sequence() {
    let mut world = stage();
    let next = world.exchange.seq() + 1;
    for skipped in [next, 0, u64::MAX] {
        let refused = world.system(record(skipped));
        assert!(
            matches!(refused, Err(Reject::InvalidField { field: "skipped", .. })),
            "{skipped}: {refused:?}"
        );
    }
    assert_eq!(world.system(record(next)), Ok(Reply::Done), "it is earlier by now");
    assert_eq!(world.changes(), [Change::RequestSkipped { seq: next }]);
}

#[test]
fn a_request_that_is_passed_over_takes_its_sequence_and_changes_nothing_else() {
    let mut world = stage();
    let (before, at) = (world.exchange.clone(), world.now + Span::seconds(5));
    world.exchange.pass_over(at);
    assert_eq!((world.exchange.seq(), world.exchange.now()), (before.seq() + 1, at));
    assert!(world.changes().is_empty());
    assert_ne!(world.exchange.digest(), before.digest(), "the sequence is part of the state");
    let usd = exchange::numbers::Currency::Usd;
    let (wallets, before) = (world.exchange.ledger().accounts(usd), before.ledger().accounts(usd));
    assert!(wallets.wallets().eq(before.wallets()));
    exchange::invariants::check_all(&world.exchange).expect("a sound state");
}
