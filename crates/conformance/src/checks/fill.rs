//! A trade between two accounts, on REST and on the streams; then the shares go back.

use serde_json::json;

use crate::check::{Check, Needs, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, number};
use crate::shapes;
use crate::socket::PATIENCE;
use crate::target::Key;
use crate::world::Market;

const PLACE: &str = "POST /v1/pm/events/{eventId}/markets/{marketId}/orders";
const PLAN: &str =
    "the second account mints a few sets and sells YES to the first in a gap of a book, and buys them back";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "fill.trade",
        section: "Resources: Order, Trade",
        title: "Two orders that meet are filled, and their trade is listed.",
        endpoints: &[PLACE, "GET /v1/pm/orders/{orderId}", "GET /v1/pm/trades", "GET /v1/pm/portfolio"],
        needs: Needs::TwoKeys(PLAN),
        run: trade,
    },
    Check {
        id: "fill.streams",
        section: "Streams, as public clients know them",
        title: "A fill is sent to the owner of the order and to readers of the event.",
        endpoints: &[PLACE],
        needs: Needs::TwoKeys(PLAN),
        run: streams,
    },
];

/// A trade that is to be undone.
struct Swap<'a> {
    market: &'a Market,
    price: Decimal,
    sets: Decimal,
}

impl<'a> Swap<'a> {
    /// Finds a place, and gives the second account shares to sell.
    fn prepare(probe: &mut Probe<'a>) -> Result<Swap<'a>, Stop> {
        let (market, price) = probe.gap()?;
        let sets = market.minimum.divided_by(price).unwrap_or_default().rounded_up(Decimal::ONE);
        // The sets, and a bid each way.
        probe.bind(sets + market.minimum + market.minimum)?;
        let path = format!("/v1/pm/markets/{}/mint", market.id);
        let body = json!({"quantity": number(sets), "currency": "USD"});
        let minted = probe.write_as(probe.second_key()?, "POST", &path, &body)?;
        probe.need(&minted, 200)?;
        Ok(Swap { market, price, sets })
    }

    /// `buyer` bids, `seller` takes the bid. Returns both orders as they were answered.
    fn trade(&self, probe: &mut Probe<'a>, buyer: &Key, seller: &Key) -> Result<(Json, Json), Stop> {
        let order = |side: &str, time_in_force: &str| {
            json!({
                "side": side, "outcomeId": self.market.outcomes[0], "type": "LIMIT", "price": number(self.price),
                "amount": number(self.market.minimum), "timeInForce": time_in_force,
            })
        };
        let mut orders = Vec::new();
        for (key, side, time_in_force) in [(buyer, "BUY", "GTC"), (seller, "SELL", "FAK")] {
            let answer = probe.write_as(key, "POST", &self.market.orders(), &order(side, time_in_force))?;
            probe.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
            let placed = answer.value().at("order").cloned().unwrap_or(Json::Null);
            let is_second = probe.second_key()?.public == key.public;
            probe.opened(placed.text("id").unwrap_or_default(), is_second);
            orders.push(placed);
        }
        let (taken, taker) = (orders.remove(0), orders.remove(0));
        probe.text_is("the order that takes", &taker, "status", "filled");
        if taker.text("status") == Some("filled") {
            for order in [&taken, &taker] {
                probe.closed(order.text("id").unwrap_or_default());
            }
        }
        Ok((taken, taker))
    }

    /// The shares go back, and the sets are burned.
    fn undo(self, probe: &mut Probe<'a>) -> Result<(), Stop> {
        let (first, second) = (probe.key()?, probe.second_key()?);
        self.trade(probe, second, first)?;
        let path = format!("/v1/pm/markets/{}/burn", self.market.id);
        let body = json!({"quantity": number(self.sets), "currency": "USD"});
        let burned = probe.write_as(second, "POST", &path, &body)?;
        probe.status(&burned, 200);
        probe.release(self.sets + self.market.minimum + self.market.minimum);
        Ok(())
    }
}

fn trade(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (first, second) = (probe.key()?, probe.second_key()?);
    let swap = Swap::prepare(probe)?;
    let (bid, offer) = swap.trade(probe, first, second)?;
    let id = bid.text("id").unwrap_or_default();
    let size = bid.decimal("size").unwrap_or_default();
    let filled = probe.read(&format!("/v1/pm/orders/{id}"))?;
    probe.need(&filled, 200)?;
    probe.text_is(&filled.request, filled.value(), "status", "filled");
    probe.number_is(&filled.request, filled.value(), "filledSize", size);
    probe.number_is(&filled.request, filled.value(), "remainingSize", Decimal::ZERO);
    probe.number_is("the order that takes", &offer, "avgFillPrice", swap.price);
    let trades = probe.get(&format!("/v1/pm/trades?orderId={id}"))?;
    probe.succeeded(&trades, &shapes::TRADES)?;
    let row = trades.value().at("data/0").cloned().unwrap_or(Json::Null);
    probe.text_is(&trades.request, &row, "marketId", &swap.market.id);
    probe.number_is(&trades.request, &row, "price", swap.price);
    probe.number_is(&trades.request, &row, "size", size);
    let portfolio = probe.read("/v1/pm/portfolio?size=100")?;
    probe.succeeded(&portfolio, &shapes::PORTFOLIO)?;
    let outcome = swap.market.outcomes[0].as_str();
    let holds = portfolio.value().list("outcomeBalances").iter().any(|row| {
        row.text("outcomeId") == Some(outcome) && row.decimal("balance").unwrap_or_default() >= size
    });
    probe.expect(holds, &portfolio.request, format!("at least {size} shares of {outcome}"), "fewer");
    swap.undo(probe)
}

fn streams(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (first, second) = (probe.key()?, probe.second_key()?);
    let swap = Swap::prepare(probe)?;
    let mut owner = probe.open("/ws/v1/user")?;
    let subscribe = json!({
        "type": "subscribe", "channel": "orders", "marketIds": [swap.market.id], "auth": {"apiKey": first.public},
    });
    owner.ask(&subscribe.to_string(), "subscribed")?;
    let mut reader = probe.open("/ws/v1/markets")?;
    let subscribe = json!({"type": "subscribe", "channel": "activity", "eventId": swap.market.event});
    reader.ask(&subscribe.to_string(), "subscribed")?;
    let (bid, _) = swap.trade(probe, first, second)?;
    let id = bid.text("id").unwrap_or_default().to_owned();
    let of_bid = |message: &Json| {
        message.text("type") == Some("order_updated")
            && message.text("data/orderId") == Some(id.as_str())
            && message.text("data/order/status") == Some("FILLED")
    };
    match owner.hear_until(PATIENCE, of_bid)? {
        Some(message) => probe.message("/ws/v1/user: order_updated", &message, &shapes::ORDER_UPDATED),
        None => {
            probe.differ("/ws/v1/user", "order_updated with the status FILLED", "nothing within 10 seconds")
        }
    }
    let is_fill = |message: &Json| matches!(message.text("type"), Some("buy_order" | "sell_order"));
    match reader.hear_until(PATIENCE, is_fill)? {
        Some(message) => probe.message("/ws/v1/markets: a fill", &message, &shapes::FILL),
        None => probe.differ("/ws/v1/markets", "buy_order or sell_order", "nothing within 10 seconds"),
    }
    swap.undo(probe)
}
