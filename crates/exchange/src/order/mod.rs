//! Orders: the vocabulary of the API (`terms`), requests (`new`), the state of an order (`state`), open orders (`open`),
//! all open orders in memory (`orders`) and those of a user (`open_list`), orders in changes (`record`) and in replies (`reported`).

mod new;
mod new_codec;
mod open;
mod open_list;
mod orders;
mod record;
mod reported;
mod state;
mod terms;

pub use crate::index::OrderSlot;
pub use new::{Amendment, Item, Malformed, NewOrder, OrderPath, Sizing};
pub use open::{OpenTerms, Order, Progress};
pub use open_list::{OpenEntry, OpenOrders};
pub use orders::Orders;
pub use record::{OrderRecord, OrderStatus};
pub use reported::ReportedOrder;
pub use state::OrderState;
pub use terms::{OrderKind, Outcome, SelfTrade, Side, TimeInForce};
