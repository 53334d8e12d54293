//! A trade between two accounts, on REST and on the streams; then the shares go back.

use serde_json::json;

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, number};
use crate::shapes;
use crate::socket::PATIENCE;
use crate::world::Market;

const PLACE: &str = "POST /v1/pm/events/{eventId}/markets/{marketId}/orders";
const PLAN: &str =
    "the second account mints a few sets and sells YES to the first in a gap of a book, and buys them back";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "fill.trade",
        section: "Resources: Order, Trade",
        source: Source::Specification,
        title: "Two orders that meet trade at the resting price, and both find the trade by orderId.",
        endpoints: &[PLACE, "GET /v1/pm/trades"],
        needs: Needs::TwoKeys(PLAN),
        run: trade,
    },
    Check {
        id: "fill.position",
        section: "Endpoints without detailed shape",
        source: Source::PublicClients,
        title: "The resting order is read as filled, and the portfolio has the bought shares.",
        endpoints: &["GET /v1/pm/orders/{orderId}", "GET /v1/pm/portfolio"],
        needs: Needs::TwoKeys(PLAN),
        run: position,
    },
    Check {
        id: "fill.streams",
        section: "Streams, as public clients know them",
        source: Source::PublicClients,
        title: "A fill is sent to the owner of the order and to readers of the event.",
        endpoints: &[],
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

/// The two orders of a trade, as they were answered.
struct Traded {
    bid: Json,
    offer: Json,
}

impl Traded {
    /// Shares that the offer sold.
    fn size(&self) -> Decimal {
        self.offer.decimal("filledSize").unwrap_or_default()
    }
}

impl<'a> Swap<'a> {
    /// Finds a place, and gives the second account shares to sell.
    fn prepare(probe: &mut Probe<'a>) -> Result<Swap<'a>, Stop> {
        let (market, price) = probe.gap()?;
        let sets = market.minimum.divided_by(price).unwrap_or_default().rounded_up(Decimal::ONE);
        // A bid each way; `mint` binds the sets.
        let bids = market.minimum + market.minimum;
        probe.bind(bids)?;
        if let Err(stop) = probe.mint(true, market, sets) {
            probe.release(bids);
            return Err(stop);
        }
        Ok(Swap { market, price, sets })
    }

    /// An account bids, the other takes the bid.
    fn trade(&self, probe: &mut Probe<'a>, is_second_buyer: bool) -> Result<Traded, Stop> {
        let bid = self.order(probe, is_second_buyer, "BUY", "GTC")?;
        let offer = self.order(probe, !is_second_buyer, "SELL", "FAK")?;
        let traded = Traded { bid, offer };
        let place = "the order that takes";
        // Amounts need not make equal sizes: a remainder of a FAK order is cancelled.
        let has_ended = matches!(traded.offer.text("status"), Some("filled" | "cancelled"));
        probe.expect(has_ended, place, "filled, or cancelled with a remainder", traded.offer.shown());
        let has_sold = traded.size() > Decimal::ZERO;
        probe.expect(has_sold, format!("{place}.filledSize"), "above 0", traded.offer.shown());
        if has_ended {
            probe.closed(traded.offer.text("id").unwrap_or_default());
        }
        if has_sold && Some(traded.size()) == traded.bid.decimal("size") {
            probe.closed(traded.bid.text("id").unwrap_or_default());
        }
        Ok(traded)
    }

    fn order(&self, probe: &mut Probe<'a>, is_second: bool, side: &str, life: &str) -> Result<Json, Stop> {
        let body = json!({
            "side": side, "outcomeId": self.market.outcomes[0], "type": "LIMIT", "price": number(self.price),
            "amount": number(self.market.minimum), "timeInForce": life,
        });
        let answer = probe.place(is_second, &self.market.orders(), &body)?;
        probe.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
        Ok(answer.value().at("order").cloned().unwrap_or(Json::Null))
    }

    /// The shares go back, and the sets are burned.
    fn undo(self, probe: &mut Probe<'a>) -> Result<(), Stop> {
        self.trade(probe, true)?;
        probe.burn(true, self.market, self.sets)?;
        probe.release(self.market.minimum + self.market.minimum);
        Ok(())
    }
}

fn trade(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let swap = Swap::prepare(probe)?;
    let traded = swap.trade(probe, false)?;
    probe.number_is("the order that takes", &traded.offer, "avgFillPrice", swap.price);
    for order in [&traded.bid, &traded.offer] {
        let id = order.text("id").unwrap_or_default();
        let trades = probe.get(&format!("/v1/pm/trades?orderId={id}"))?;
        probe.succeeded(&trades, &shapes::TRADES)?;
        let mut size = Decimal::ZERO;
        for row in trades.value().list("data") {
            probe.text_is(&trades.request, row, "marketId", &swap.market.id);
            probe.number_is(&trades.request, row, "price", swap.price);
            size = size + row.decimal("size").unwrap_or_default();
        }
        let expected = traded.size();
        probe.expect(
            size == expected,
            format!("{}: the sum of sizes", trades.request),
            expected.to_string(),
            size.to_string(),
        );
    }
    swap.undo(probe)
}

fn position(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let swap = Swap::prepare(probe)?;
    let traded = swap.trade(probe, false)?;
    let id = traded.bid.text("id").unwrap_or_default();
    let read = probe.order(id)?;
    probe.text_is("the resting order", &read, "status", "filled");
    probe.number_is("the resting order", &read, "filledSize", traded.size());
    probe.number_is("the resting order", &read, "remainingSize", Decimal::ZERO);
    let portfolio = probe.read("/v1/pm/portfolio?size=100")?;
    let outcome = swap.market.outcomes[0].as_str();
    let holds = portfolio.value().list("outcomeBalances").iter().any(|row| {
        row.text("outcomeId") == Some(outcome) && row.decimal("balance").unwrap_or_default() >= traded.size()
    });
    let expected = format!("at least {} shares of {outcome}", traded.size());
    probe.expect(holds, &portfolio.request, expected, "fewer");
    swap.undo(probe)
}

fn streams(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let first = probe.key()?;
    let (mut owner, mut reader) = (probe.open("/ws/v1/user")?, probe.open("/ws/v1/markets")?);
    let swap = Swap::prepare(probe)?;
    let subscribe = json!({
        "type": "subscribe", "channel": "orders", "marketIds": [swap.market.id], "auth": {"apiKey": first.public},
    });
    owner.ask(&subscribe.to_string(), "subscribed")?;
    let subscribe = json!({"type": "subscribe", "channel": "activity", "eventId": swap.market.event});
    reader.ask(&subscribe.to_string(), "subscribed")?;
    let traded = swap.trade(probe, false)?;
    let id = traded.bid.text("id").unwrap_or_default().to_owned();
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
