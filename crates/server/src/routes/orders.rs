//! Orders, one at a time: place, read, cancel; and all at once: list, cancel.

use std::sync::Arc;

use api::query::OrdersQuery;
use api::request::{CancelAfter, CancelAll, PlaceOrder};
use api::response::{
    CancelAfterResponse, CancelAllResponse, CancelOrderResponse, Order, Orders, PlaceOrderResponse,
};
use exchange::command::{self, CancelOrder, Command};
use exchange::id::OrderId;

use super::paths::{order_id, order_path};
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::identifiers::new_id;
use crate::reading::Reading;
use crate::view;
use crate::view::words::ToApi;

pub(super) fn new_order_id() -> OrderId {
    OrderId::new(new_id().as_u128())
}

pub(super) struct OrderEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl OrderEndpoints {
    pub(super) fn place_order(
        &self,
        call: &Call<'_>,
        place: PlaceOrder,
    ) -> Result<Next<PlaceOrderResponse<'static>>, Failure> {
        let path = order_path(call.path(0), call.path(1))?;
        Ok(Next::Write(1, view::command::place_order(new_order_id(), path, &place)))
    }

    pub(super) fn cancel_order(
        &self,
        call: &Call<'_>,
    ) -> Result<Next<CancelOrderResponse<'static>>, Failure> {
        Ok(Next::Write(1, Command::CancelOrder(CancelOrder { order: order_id(call.path(0))? })))
    }

    pub(super) fn cancel_all_orders(
        &self,
        _: &Call<'_>,
        cancel: CancelAll,
    ) -> Result<Next<CancelAllResponse<'static>>, Failure> {
        Ok(Next::Write(1, view::command::cancel_all_orders(&cancel)))
    }

    pub(super) fn cancel_after(
        &self,
        _: &Call<'_>,
        CancelAfter { seconds }: CancelAfter,
    ) -> Result<Next<CancelAfterResponse>, Failure> {
        Ok(Next::Write(1, Command::CancelAfter(command::CancelAfter { seconds })))
    }

    pub(super) fn get_order(&self, call: &Call<'_>) -> Result<Next<Order<'static>>, Failure> {
        let (order, user) = (order_id(call.path(0))?, call.user());
        call.meter.note_command(Some(order.to_api()));
        let reading = self.reading.clone();
        Ok(Next::later(async move { reading.find_order(user, order).await }))
    }

    pub(super) fn list_orders(
        &self,
        call: &Call<'_>,
        query: OrdersQuery,
    ) -> Result<Next<Orders<'static>>, Failure> {
        let (reading, user) = (self.reading.clone(), call.user());
        Ok(Next::later(async move { reading.find_orders(user, &query).await }))
    }
}
