//! How the venue is, on one screen.

use std::sync::Arc;

use axum::extract::State;
use exchange::index::UserIndex;
use exchange::numbers::Currency;

use super::answers::{Deposited, VenueStatus, Wallet};
use crate::app::App;
use crate::http::{Answered, ok};
use crate::view::words::ToApi;

pub(super) async fn status(State(app): State<Arc<App>>) -> Answered {
    let exchange = app.shared.read();
    let house = Currency::ALL.iter().map(|currency| Wallet::of(&exchange, UserIndex::HOUSE, *currency));
    let deposited = Currency::ALL.iter().map(|currency| Deposited {
        currency: currency.to_api(),
        amount: exchange.ledger().deposited(*currency).to_api(),
    });
    ok(&VenueStatus {
        version: env!("CARGO_PKG_VERSION"),
        can_write: !app.sequencer.pulse().has_failed(),
        sequence: exchange.seq(),
        waiting: app.sequencer.waiting(),
        history_lag: app.history.lag().requests(),
        // The house is an account, not a user.
        users: exchange.directory().users().len() - 1,
        events: exchange.catalogue().events().len(),
        open_orders: exchange.orders().len(),
        house: house.collect(),
        deposited: deposited.collect(),
    })
}
