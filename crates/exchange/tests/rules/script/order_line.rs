//! Order lines: `alice buys YES for 208 USD at 0.52 post-only as a1`, `a1 to 380 shares at 0.55`.

use exchange::id::OrderId;
use exchange::numbers::{Currency, Slippage};
use exchange::order::{Amendment, NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use exchange::text::Text;

use super::Script;
use super::words::Words;
use crate::rules::world::outcome_id;

/// The rest of an order line after side and outcome, as far as it has been parsed.
struct Line {
    order: NewOrder,
    outcome: Outcome,
    market: Option<String>,
    name: Option<String>,
}

impl Script {
    /// `buys YES 10 shares at 0.40 [options]`, read from the outcome on.
    pub(crate) fn order_line(&mut self, user: &str, side: &str, words: &mut Words<'_>) -> NewOrder {
        let side = match side {
            "buys" => Side::Buy,
            "sells" => Side::Sell,
            other => words.fail(&format!("one buys or sells, {other:?} is neither")),
        };
        let outcome = words.outcome();
        let (sizing, currency) = sizing(words);
        let mut line = Line { order: blank(side, sizing, currency), outcome, market: None, name: None };
        words.expect("at");
        match words.take("market") {
            true => line.order.kind = OrderKind::Market,
            false => line.order.price = Some(words.price()),
        }
        while words.peek().is_some() {
            self.option(&mut line, words);
        }
        let market = line.market.or_else(|| self.markets.last().cloned());
        let market = market.unwrap_or_else(|| words.fail("no market is open yet"));
        let name = line.name.unwrap_or_else(|| format!("{user}-{}", self.orders.len() + 1));
        NewOrder { id: self.order_id(&name), outcome: outcome_id(&market, line.outcome), ..line.order }
    }

    fn option(&self, line: &mut Line, words: &mut Words<'_>) {
        let order = &mut line.order;
        match words.next() {
            "gtc" => order.time_in_force = Some(TimeInForce::Gtc),
            "gtd" => {
                order.time_in_force = Some(TimeInForce::Gtd);
                order.expires_at = Some(self.world.now + words.span());
            }
            "fak" => order.time_in_force = Some(TimeInForce::Fak),
            "fok" => order.time_in_force = Some(TimeInForce::Fok),
            "post-only" => order.post_only = true,
            "stp" => order.self_trade = self_trade(words),
            "slippage" => order.max_slippage = Slippage::new(words.basis_points()),
            "client" => order.client_order_id = Some(Text::from(words.next())),
            "in" => order.currency = words.currency(),
            "of" => line.market = Some(words.next().to_owned()),
            "as" => line.name = Some(words.next().to_owned()),
            other => words.fail(&format!("{other:?} is no option of an order")),
        }
    }

    /// `a1 [to 380 shares] [at 0.55]`.
    pub(crate) fn amendment(&mut self, words: &mut Words<'_>) -> Amendment {
        let order = self.order_id(words.next());
        let new_size = words.take("to").then(|| {
            let size = words.shares();
            words.expect("shares");
            size
        });
        let new_price = words.take("at").then(|| words.price());
        words.end();
        Amendment { order, new_price, new_size }
    }
}

/// `100 shares`, or `for 208 USD`.
fn sizing(words: &mut Words<'_>) -> (Sizing, Currency) {
    if words.take("for") {
        let amount = words.money();
        return (Sizing::Amount(amount), words.currency());
    }
    let shares = words.shares();
    words.expect("shares");
    (Sizing::Quantity(shares), Currency::Usd)
}

fn self_trade(words: &mut Words<'_>) -> SelfTrade {
    match words.next() {
        "skip" => SelfTrade::Skip,
        "cancel-oldest" => SelfTrade::CancelOldest,
        "cancel-newest" => SelfTrade::CancelNewest,
        "cancel-both" => SelfTrade::CancelBoth,
        other => words.fail(&format!("{other:?} is no stpMode")),
    }
}

/// A limit order without price, outcome or id yet.
fn blank(side: Side, sizing: Sizing, currency: Currency) -> NewOrder {
    NewOrder {
        id: OrderId::new(0),
        outcome: outcome_id("", Outcome::Yes),
        side,
        kind: OrderKind::Limit,
        currency,
        sizing,
        price: None,
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}
