//! Series and prices of assets.

use exchange::catalogue::{Engine, Interval, NewSeries};
use exchange::command::{Command, FinaliseSeries, PauseSeries};
use exchange::text::Text;
use exchange::time::Span;

use super::{ABEL, ADA, Form, SYSTEM, Work, soon};
use crate::ids;
use crate::world::{Sizes, new_series, price_of};

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    let new = new_series(sizes.series + 1, Interval::FifteenMinute, Engine::Amm, "BTC");
    let taken = NewSeries { slug: Text::from(format!("series-{}", sizes.series)), ..new.clone() };
    let pause = |number, paused| Command::PauseSeries(PauseSeries { series: ids::series(number), paused });
    let finalise = |number| Command::FinaliseSeries(FinaliseSeries { series: ids::series(number) });
    let at = soon(sizes);
    vec![
        Form::plain("one more", ADA, Command::CreateSeries(new)),
        Form::refused("slug taken", ADA, Command::CreateSeries(taken)),
        Form::plain("one of all", ADA, pause(1, true)),
        Form::plain("running already", ADA, pause(1, false)),
        Form::refused("unknown", ADA, pause(u32::MAX, true)),
        Form::plain("all samples are kept", SYSTEM, price_of("ETH", 3_000, "feed-7", at)),
        Form::plain("all samples are kept, a new source", SYSTEM, price_of("ETH", 3_000, "other", at)),
        Form::plain("all samples are too old", SYSTEM, price_of("ETH", 3_000, "feed-7", at))
            .at(sizes.now() + Span::minutes(10)),
        Form::refused("not positive", SYSTEM, price_of("ETH", 0, "feed-7", at)),
        Form::with("all results of a series", ABEL, finalise(0), Work::Items("results", sizes.results)),
        Form::refused("no result waits", ABEL, finalise(1)),
    ]
}
