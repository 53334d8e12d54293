//! Results of a series that wait for another person are finalised together.

use exchange::command::{Command, FinaliseSeries};
use exchange::id::SeriesId;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Span;

use crate::rules::pushed_prices::{boundary, push, stage};
use crate::rules::world::START;

#[test]
fn results_of_a_series_are_finalised_in_bulk() {
    let mut world = stage(&["push:desk"]);
    for number in 1..=5_i64 {
        let at = START + Span::minutes(15 * number);
        boundary(&mut world, at, push("olga", 100 * number));
    }
    world.wait(Span::minutes(2));
    world.system(Command::Tick).expect("a tick");
    let series = world.exchange.catalogue().series().next().expect("the series").terms.id;
    assert_eq!(world.exchange.governance().proposals().len(), 4);
    let bulk = Command::FinaliseSeries(FinaliseSeries { series });
    assert_eq!(world.run_by("olga", bulk.clone()), Err(Reject::NotAllowed));
    assert_eq!(world.run_by("abel", bulk.clone()), Ok(Reply::Finalised(4)));
    assert_eq!(world.run_by("abel", bulk), Err(Reject::ProposalNotFound));
    let unknown = Command::FinaliseSeries(FinaliseSeries { series: SeriesId::new(404) });
    assert_eq!(world.run_by("abel", unknown), Err(Reject::SeriesNotFound));
}
