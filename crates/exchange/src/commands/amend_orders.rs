//! `AmendOrders`: changes the price and size of up to 20 open orders, one after the other.

use minicbor::{Decode, Encode};

use crate::exchange::Exchange;
use crate::id::OrderId;
use crate::index::UserIndex;
use crate::limits::BATCH_ITEMS_MAX;
use crate::order::{Amendment, Item};
use crate::reject::Reject;
use crate::reply::{ItemResult, Reply};

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct AmendOrders {
    #[n(0)]
    pub items: Vec<Item<Amendment>>,
}

impl Exchange {
    pub(crate) fn amend_orders(&mut self, user: UserIndex, command: &AmendOrders) -> Result<Reply, Reject> {
        let AmendOrders { items } = command;
        if items.is_empty() || items.len() > BATCH_ITEMS_MAX {
            return Err(Reject::BatchSize { max: BATCH_ITEMS_MAX });
        }
        let named: Vec<OrderId> = items
            .iter()
            .filter_map(|item| match item {
                Item::Valid(amendment) => Some(amendment.order),
                Item::Malformed(_) => None,
            })
            .collect();
        let mut seen = 0;
        let results = items.iter().map(|item| match item {
            Item::Valid(amendment) => {
                let is_repeated = named[..seen].contains(&amendment.order);
                seen += 1;
                let outcome = match is_repeated {
                    true => Err(Reject::AmendedTwice),
                    false => self.amend_order(user, amendment, &named),
                };
                let order = Some(amendment.order);
                ItemResult { order, order_as_sent: None, client_order_id: None, outcome }
            }
            Item::Malformed(malformed) => ItemResult {
                order: None,
                order_as_sent: malformed.order.clone(),
                client_order_id: None,
                outcome: Err(Reject::Malformed { message: malformed.message.clone() }),
            },
        });
        Ok(Reply::Results(results.collect()))
    }
}
