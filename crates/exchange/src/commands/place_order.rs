//! `PlaceOrder`: one new order, on the book or the pool of its outcome.

use crate::catalogue::Engine;
use crate::exchange::Exchange;
use crate::index::UserIndex;
use crate::order::{NewOrder, ReportedOrder};
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn place_order(&mut self, user: UserIndex, new: &NewOrder) -> Result<Reply, Reject> {
        self.place_one(user, new).map(Reply::Order)
    }

    pub(crate) fn place_one(&mut self, user: UserIndex, new: &NewOrder) -> Result<ReportedOrder, Reject> {
        let ticket = self.check_order(user, new)?;
        match ticket.engine {
            Engine::Clob => self.place_on_book(user, new, &ticket),
            Engine::Amm => self.place_on_pool(user, new, &ticket),
        }
    }
}
