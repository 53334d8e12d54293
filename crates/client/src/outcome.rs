//! One side of a market, and the way to trade it.

use std::future::{Future, IntoFuture};
use std::pin::Pin;

use api::Timestamp;
use api::terms::{OutcomeSide, Side, StpMode, TimeInForce};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::market::Market;
use crate::models::{Book, Quote, Ticker};
use crate::new_order::{NewOrder, Size};
use crate::order::{OneOrder, Order};
use crate::query::Query;
use crate::request::{Access, Request};

/// An outcome of a market.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    market: &'a Market,
    side: OutcomeSide,
}

impl<'a> Outcome<'a> {
    pub(crate) fn new(market: &'a Market, side: OutcomeSide) -> Outcome<'a> {
        Outcome { market, side }
    }

    /// YES for the first outcome, NO for the second.
    pub fn side(&self) -> OutcomeSide {
        self.side
    }

    /// The outcome's id.
    pub fn id(&self) -> Uuid {
        self.pick(self.market.outcome1_id, self.market.outcome2_id)
    }

    /// The outcome's label, such as YES or Up.
    pub fn label(&self) -> &'a str {
        self.pick(&self.market.data().outcome1_label, &self.market.data().outcome2_label)
    }

    /// The price when the market was read.
    pub fn price(&self) -> Decimal {
        self.pick(self.market.outcome1_price, self.market.outcome2_price)
    }

    /// The price of a share when the market was read; 0 if none was offered.
    pub fn buy_price(&self) -> Decimal {
        self.pick(self.market.yes_buy_price, self.market.no_buy_price)
    }

    fn pick<T>(&self, first: T, second: T) -> T {
        match self.side {
            OutcomeSide::Yes => first,
            OutcomeSide::No => second,
        }
    }

    /// An order of this outcome, not placed yet: for a batch, or for `quote_order`.
    pub fn new_order(&self, side: Side, size: Size) -> NewOrder {
        NewOrder::new(self.id(), side, size).currency(self.market.currency())
    }

    /// Buys for an amount of money: `market.yes().buy(10).await?`. With `.price(…)` it is a limit order.
    pub fn buy(&self, amount: impl Into<Decimal>) -> Placement<'a> {
        self.placement(Side::Buy, Size::amount(amount))
    }

    /// Buys a number of shares.
    pub fn buy_shares(&self, quantity: impl Into<Decimal>) -> Placement<'a> {
        self.placement(Side::Buy, Size::quantity(quantity))
    }

    /// Sells a number of shares.
    pub fn sell_shares(&self, quantity: impl Into<Decimal>) -> Placement<'a> {
        self.placement(Side::Sell, Size::quantity(quantity))
    }

    /// Sells shares for an amount of money.
    pub fn sell_for(&self, amount: impl Into<Decimal>) -> Placement<'a> {
        self.placement(Side::Sell, Size::amount(amount))
    }

    fn placement(&self, side: Side, size: Size) -> Placement<'a> {
        Placement { outcome: *self, order: self.new_order(side, size), key: None }
    }

    /// Places an order made by `new_order`.
    pub async fn place(&self, order: &NewOrder) -> Result<Order> {
        self.send(order, None).await
    }

    /// Like `place`, with an idempotency key of your own: this key and these terms are executed once, for a day.
    pub async fn place_keyed(&self, order: &NewOrder, key: &str) -> Result<Order> {
        self.send(order, Some(key)).await
    }

    async fn send(&self, order: &NewOrder, key: Option<&str>) -> Result<Order> {
        let client = self.market.client();
        let request = Request::keyed_write(&format!("{}/orders", self.path()), &order.body(), key)?;
        let answer = client.send(&request).await?;
        Ok(Order::new(client.clone(), answer.read::<OneOrder>()?.order, answer.as_of))
    }

    /// The effect that a market order would have now.
    pub async fn quote(&self, side: Side, size: Size) -> Result<Quote> {
        let order = self.new_order(side, size);
        let request = Request::question(format!("{}/quote", self.path()), &order.bare_body())?;
        self.market.client().send(&request).await?.read()
    }

    /// The effect that exactly this order would have now; `quote.order` has its status, its rest and its refusal.
    pub async fn quote_order(&self, order: &NewOrder) -> Result<Quote> {
        let request = Request::question(format!("{}/quote", self.path()), &order.body())?;
        self.market.client().send(&request).await?.read()
    }

    /// The book of this outcome, at most 99 levels on each side.
    pub async fn book(&self, depth: u32) -> Result<Book> {
        let client = self.market.client().in_currency(self.market.currency());
        let books = client.books(&[self.id()], depth).await?;
        books.into_iter().next().ok_or_else(|| Error::Missing(format!("{} has no book", self.market.title)))
    }

    /// The state of this outcome now and over the last 24 hours. Pools have no ticker.
    pub async fn ticker(&self) -> Result<Ticker> {
        let query = Query::default().with("outcome", self.side).with("currency", self.market.currency());
        let path = format!("/v1/pm/markets/{}/ticker", self.market.id);
        self.market.client().send(&Request::get(path, &query, Access::Public)).await?.read()
    }

    fn path(&self) -> String {
        format!("/v1/pm/events/{}/markets/{}", self.market.event_id(), self.market.id)
    }
}

/// An order that is placed when it is awaited.
#[derive(Clone, Debug)]
#[must_use = "an order is placed when it is awaited"]
pub struct Placement<'a> {
    outcome: Outcome<'a>,
    order: NewOrder,
    key: Option<String>,
}

impl<'a> Placement<'a> {
    /// Makes it a limit order.
    pub fn price(self, price: impl Into<Decimal>) -> Placement<'a> {
        Placement { order: self.order.price(price), ..self }
    }

    /// How long it may rest.
    pub fn time_in_force(self, time_in_force: TimeInForce) -> Placement<'a> {
        Placement { order: self.order.time_in_force(time_in_force), ..self }
    }

    /// Refuses the order where it would trade at once.
    pub fn post_only(self) -> Placement<'a> {
        Placement { order: self.order.post_only(), ..self }
    }

    /// Makes it a GTD order, which ends at this time.
    pub fn expires_at(self, at: Timestamp) -> Placement<'a> {
        Placement { order: self.order.expires_at(at), ..self }
    }

    /// How far from the best price a market order may trade.
    pub fn max_slippage(self, slippage: impl Into<Decimal>) -> Placement<'a> {
        Placement { order: self.order.max_slippage(slippage), ..self }
    }

    /// What happens where two of your orders would trade with each other.
    pub fn stp_mode(self, mode: StpMode) -> Placement<'a> {
        Placement { order: self.order.stp_mode(mode), ..self }
    }

    /// A name of your own for the order.
    pub fn client_order_id(self, id: impl Into<String>) -> Placement<'a> {
        Placement { order: self.order.client_order_id(id), ..self }
    }

    /// An idempotency key of your own: this key and these terms are executed once, for a day. Without it each order gets
    /// a key for ten minutes.
    pub fn idempotency_key(self, key: impl Into<String>) -> Placement<'a> {
        Placement { key: Some(key.into()), ..self }
    }

    /// The order, not placed.
    pub fn into_order(self) -> NewOrder {
        self.order
    }
}

impl<'a> IntoFuture for Placement<'a> {
    type Output = Result<Order>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<Order>> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.outcome.send(&self.order, self.key.as_deref()).await })
    }
}
