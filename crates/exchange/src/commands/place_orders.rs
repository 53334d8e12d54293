//! `PlaceOrders`: places up to 20 orders on books, each independently.

use minicbor::{Decode, Encode};

use crate::catalogue::Engine;
use crate::exchange::Exchange;
use crate::index::UserIndex;
use crate::limits::BATCH_ITEMS_MAX;
use crate::order::{Item, NewOrder, ReportedOrder};
use crate::reject::Reject;
use crate::reply::{ItemResult, Reply};

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PlaceOrders {
    #[n(0)]
    pub items: Vec<Item<NewOrder>>,
}

impl Exchange {
    pub(crate) fn place_orders(&mut self, user: UserIndex, command: &PlaceOrders) -> Result<Reply, Reject> {
        let PlaceOrders { items } = command;
        if items.is_empty() || items.len() > BATCH_ITEMS_MAX {
            return Err(Reject::BatchSize { max: BATCH_ITEMS_MAX });
        }
        let results = items.iter().map(|item| match item {
            Item::Valid(new) => ItemResult {
                order: Some(new.id),
                order_as_sent: None,
                client_order_id: new.client_order_id.clone(),
                outcome: self.place_item(user, new),
            },
            Item::Malformed(malformed) => ItemResult {
                order: None,
                order_as_sent: None,
                client_order_id: malformed.client_order_id.clone(),
                outcome: Err(Reject::Malformed { message: malformed.message.clone() }),
            },
        });
        Ok(Reply::Results(results.collect()))
    }

    fn place_item(&mut self, user: UserIndex, new: &NewOrder) -> Result<ReportedOrder, Reject> {
        let ticket = self.check_order(user, new)?;
        match ticket.engine {
            Engine::Clob => self.place_on_book(user, new, &ticket),
            Engine::Amm => Err(Reject::UnsupportedEngine),
        }
    }
}
