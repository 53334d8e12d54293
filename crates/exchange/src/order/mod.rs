//! Orders: the words of the API (`terms`), what is asked (`new`), what is open (`open`), what is
//! reported (`record`), and the orders in memory (`arena`).

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
