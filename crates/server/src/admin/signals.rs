//! The signals of this node for the console and `bellwether status`: readiness with reasons, and an hour of samples.

use std::sync::Arc;

use api::admin::response::{CurrencySample, NodeSignals, SignalSample};
use axum::extract::State;
use exchange::numbers::{Currency, Money};
use exchange::time::Time;

use crate::app::App;
use crate::http::{Answered, ok};
use crate::routes::system::not_ready_reasons;
use crate::signals::samples::{SAMPLE_SECONDS, Sample};
use crate::view::words::ToApi;

pub(super) async fn signals(State(app): State<Arc<App>>) -> Answered {
    let sequence = app.reading().read_state().seq();
    let reasons = not_ready_reasons(app.condition(), app.reading(), app.writing(), sequence);
    ok(&NodeSignals {
        ready: reasons.is_empty(),
        reasons,
        sequence,
        sample_seconds: SAMPLE_SECONDS,
        samples: app.signals().samples.all().iter().map(shown).collect(),
    })
}

fn shown(sample: &Sample) -> SignalSample {
    let money = |units: u64| Money::new(i64::try_from(units).unwrap_or(i64::MAX)).to_api();
    let currencies =
        Currency::ALL.into_iter().zip(sample.venue).map(|(currency, (totals, traders))| CurrencySample {
            currency: currency.to_api(),
            volume: money(totals.volume),
            fees: money(totals.fees),
            trades: totals.trades,
            traders,
        });
    SignalSample {
        at: Time::from_seconds(sample.at).to_api(),
        seconds: sample.seconds,
        requests: sample.requests,
        errors: sample.errors,
        commands: sample.commands,
        p50_micros: sample.p50_micros,
        p99_micros: sample.p99_micros,
        currencies: currencies.collect(),
    }
}
