//! Responses to operators (`api::admin::response`), made of the exchange's state. `respond::shown` says which of them a command
//! answers with.

mod audit;
mod events;
mod governance;
mod people;
mod series;
mod sports;
mod statistics;

pub use audit::audit_log;
pub use events::{event_detail, event_row, event_state, event_states_of};
pub use governance::{cancel_only, payout_preview, policy_state, proposals};
pub use people::{UserRow, is_held, operator_state, password_reset, user_detail, user_state, wallet};
pub use series::{assets, series_state};
pub use sports::sports_data;
pub use statistics::statistics;

use api::admin::Amounts;
use exchange::numbers::{Money, PerCurrency};

use crate::view::words::ToApi;

fn amounts(amounts: &PerCurrency<Money>) -> Amounts {
    Amounts { usd: Some(amounts.usd.to_api()), ngn: Some(amounts.ngn.to_api()) }
}
