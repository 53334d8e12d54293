//! The status of the venue on one screen, and cancel-only mode.

use std::sync::Arc;

use api::admin::Sum;
use api::admin::request::SetCancelOnly;
use api::admin::response::VenueStatus;
use axum::extract::State;
use exchange::command::{self, Command};
use exchange::governance::CancelOnlyCause;
use exchange::index::UserIndex;
use exchange::numbers::Currency;
use http::StatusCode;

use super::answers;
use super::operator_request::OperatorRequest;
use crate::app::App;
use crate::http::{Answered, ok};
use crate::view::words::ToApi;

pub(super) async fn status(State(app): State<Arc<App>>) -> Answered {
    let exchange = app.reading().read_state();
    let house = Currency::ALL.iter().map(|currency| answers::wallet(&exchange, UserIndex::HOUSE, *currency));
    let deposited = Currency::ALL.iter().map(|currency| Sum {
        currency: currency.to_api(),
        amount: exchange.ledger().deposited(*currency).to_api(),
    });
    let fees = Currency::ALL.iter().map(|currency| Sum {
        currency: currency.to_api(),
        amount: exchange.ledger().accounts(*currency).fees().to_api(),
    });
    let now = exchange.now();
    let rescuers = exchange.directory().operators().filter(|operator| operator.is_break_glass(now));
    let governance = exchange.governance();
    ok(&VenueStatus {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        can_write: app.writing().sequencer().writer_status().is_accepting(),
        sequence: exchange.seq(),
        waiting: app.writing().sequencer().queued(),
        history_lag: app.reading().history().lag(exchange.seq()),
        // The house is an account, not a user.
        users: exchange.directory().users().len() - 1,
        events: exchange.catalogue().events().len() as u64 + exchange.catalogue().retired_count(),
        open_orders: exchange.orders().len(),
        pending_proposals: governance.proposals().len(),
        cancel_only: governance.cancel_only_causes().map(ToApi::to_api).collect(),
        policy: answers::policy_state(&governance.policy),
        house: house.collect(),
        deposited: deposited.collect(),
        fees: fees.collect(),
        break_glass: rescuers.map(|operator| operator.name.to_string()).collect(),
    })
}

pub(super) async fn set_cancel_only(request: OperatorRequest) -> Answered {
    let SetCancelOnly { on } = request.read()?;
    let command = Command::SetCancelOnly(command::SetCancelOnly { cause: CancelOnlyCause::Operator, on });
    request.answer(StatusCode::OK, Ok(command)).await
}
