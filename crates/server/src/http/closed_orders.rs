//! Telling orders that never were from the caller's own that are closed.
//!
//! The exchange knows open orders only and calls every other one not found. History knows the closed ones, so what it
//! says is put into the answer afterwards: to a first answer and to its replay alike, so that both stay the same bytes.

use api::error::ItemErrorCode;
use api::response::ItemError;
use exchange::command::Command;
use exchange::id::OrderId;
use exchange::index::UserIndex;
use exchange::order::{Item, OrderRecord};
use exchange::reject::Reject;

use super::Failure;
use crate::app::App;
use crate::history::HistoryError;
use crate::view::refusal::{of_closed, of_closed_item, of_item};

/// The orders that a command names.
#[derive(Debug)]
pub enum Named {
    None,
    One(OrderId),
    Items(Vec<OrderId>),
}

impl Named {
    pub fn by(command: &Command) -> Named {
        match command {
            Command::CancelOrder { order } => Named::One(*order),
            Command::CancelOrders { orders } => Named::Items(orders.clone()),
            Command::AmendOrders { items } => {
                let valid = items.iter().filter_map(|item| match item {
                    Item::Valid(amendment) => Some(amendment.order),
                    Item::Malformed(_) => None,
                });
                Named::Items(valid.collect())
            }
            _ => Named::None,
        }
    }
}

impl App {
    /// The answer with what history knows. `seq` is where history must have got to.
    pub(super) async fn tell_closed_apart(
        &self,
        user: UserIndex,
        seq: u64,
        named: &Named,
        status: u16,
        body: Vec<u8>,
    ) -> Result<(u16, Vec<u8>), Failure> {
        let orders: &[OrderId] = match named {
            Named::One(order) if status == 404 => std::slice::from_ref(order),
            Named::Items(orders) if status == 200 && says_not_found(&body) => orders,
            _ => return Ok((status, body)),
        };
        let closed = self.closed(user, seq, orders).await.map_err(crate::reads::history_failure)?;
        let exchange = self.shared.read();
        match (named, closed.first()) {
            (_, None) => Ok((status, body)),
            (Named::One(_), Some(record)) => {
                let refusal = of_closed(&exchange, record);
                Ok((refusal.status_code, serde_json::to_vec(&refusal).unwrap_or(body)))
            }
            (_, Some(_)) => {
                let corrected =
                    closed.iter().fold(String::from_utf8_lossy(&body).into_owned(), |text, record| {
                        let id = record.terms.id;
                        text.replace(
                            &failed(id, &not_found()),
                            &failed(id, &of_closed_item(&exchange, record)),
                        )
                    });
                Ok((status, corrected.into_bytes()))
            }
        }
    }

    async fn closed(
        &self,
        user: UserIndex,
        seq: u64,
        orders: &[OrderId],
    ) -> Result<Vec<OrderRecord>, HistoryError> {
        let user = self.shared.read().directory().user(user).id;
        self.history.reach(seq).await?;
        self.history.closed_orders(user, orders.to_vec()).await
    }
}

fn not_found() -> ItemError {
    of_item(&Reject::OrderNotFound)
}

fn says_not_found(body: &[u8]) -> bool {
    let code = api::Word::as_str(ItemErrorCode::OrderNotFound).as_bytes();
    body.windows(code.len()).any(|window| window == code)
}

/// How a failed item is written, from its id on. What a sender chose is escaped, so it cannot look like this.
fn failed(order: OrderId, error: &ItemError) -> String {
    let error = serde_json::to_string(error).unwrap_or_default();
    format!(r#""orderId":"{order}","success":false,"error":{error}"#)
}
