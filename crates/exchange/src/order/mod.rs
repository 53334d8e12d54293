//! Orders: the vocabulary of the API (`terms`), requests (`new`), open orders (`open`), reported orders (`record`), and
//! the orders in memory (`arena`).

mod arena;
mod new;
mod new_codec;
mod open;
mod record;
mod terms;

pub use arena::{OrderSlot, Orders};
pub use new::{Amendment, Item, Malformed, NewOrder, OrderPath, Sizing};
pub use open::{Order, Terms};
pub use record::{OrderRecord, OrderStatus};
pub use terms::{OrderKind, Outcome, SelfTrade, Side, TimeInForce};
