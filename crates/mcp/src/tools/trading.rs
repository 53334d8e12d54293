//! Orders: a preview with a token, then the order itself.
//!
//! A BUY is counted against the cap before it is sent (`budget.rs`).

use std::time::Instant;

use api::Word;
use api::decimal::{Money, Price, Shares, Slippage};
use api::error::ErrorCode;
use api::terms::{Currency, Engine, OrderStatus, OrderType, Side};
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::arguments::Arguments;
use crate::cost::{self, BuyTerms, FeeRate};
use crate::names::{Chosen, find_market, find_outcome};
use crate::previews::{Preview, Shown, TOKEN_LIFE};
use crate::stop::{Stop, bad_argument, outcome_unknown, over_cap};
use crate::text;
use crate::venue::{Call, Failure, Venue};
use crate::wire::{Event, Market, Placed, Quote, known};

/// 5 %, unless the agent chooses.
const SLIPPAGE_DEFAULT: Slippage = Slippage::from_units(500);

const UNBOUNDED: &str =
    "A market BUY needs an `amount`, which bounds its cost. To buy a number of shares, give a limit `price`.";

/// The order that an agent asks for.
#[derive(Debug)]
struct Asked {
    side: Side,
    size: Size,
    /// None for a MARKET order.
    limit: Option<Limit>,
    slippage: Slippage,
}

#[derive(Clone, Copy, Debug)]
enum Size {
    Amount(Money),
    Shares(Shares),
}

#[derive(Clone, Copy, Debug)]
struct Limit {
    price: Price,
    is_post_only: bool,
}

impl Asked {
    fn read(arguments: &mut Arguments) -> Result<Asked, Stop> {
        let side = arguments.required_word("side")?;
        let size = match (arguments.money("amount")?, arguments.shares("shares")?) {
            (Some(amount), None) => Size::Amount(amount),
            (None, Some(shares)) => Size::Shares(shares),
            _ => return Err(bad_argument("Give either `amount` (money) or `shares`.")),
        };
        let is_post_only = arguments.flag("post_only")?;
        let slippage = arguments.slippage("max_slippage")?;
        let limit = arguments.price("price")?.map(|price| Limit { price, is_post_only });
        match (side, size, limit) {
            (Side::Buy, Size::Shares(_), None) => Err(bad_argument(UNBOUNDED)),
            (_, _, None) if is_post_only => Err(bad_argument("`post_only` needs a limit `price`.")),
            (_, _, Some(_)) if slippage.is_some() => {
                Err(bad_argument("`max_slippage` is for market orders; a limit `price` is a bound already."))
            }
            _ => Ok(Asked { side, size, limit, slippage: slippage.unwrap_or(SLIPPAGE_DEFAULT) }),
        }
    }

    /// The terms that the cost depends on; none for a SELL. A limit order depends on the engine: a pool executes it at
    /// once, ignores `postOnly`, and takes an amount with the fee in it.
    fn buy_terms(
        &self,
        event: &Event,
        market: &Market,
        currency: Currency,
    ) -> Result<Option<BuyTerms>, Stop> {
        let engine = Engine::find(&event.engine);
        let is_post_only = self.limit.is_some_and(|limit| limit.is_post_only);
        if is_post_only && engine != Some(Engine::Clob) {
            return Err(bad_argument(
                "`post_only` needs a book: an order on a pool executes at once and pays the fee.",
            ));
        }
        if self.side == Side::Sell {
            return Ok(None);
        }
        let terms = match (self.size, self.limit, engine) {
            (Size::Amount(amount), None, _) => BuyTerms::Market { amount },
            (Size::Amount(amount), Some(_), Some(Engine::Amm)) => BuyTerms::Market { amount },
            // The engine decides what the order costs, and the fee is counted as one that the rules accept.
            (_, Some(_), None) => return Err(Failure::Unreadable.into()),
            (_, Some(_), _) if !market.has_permitted_fee() => return Err(Failure::Unreadable.into()),
            (size, Some(Limit { price, .. }), Some(_)) => {
                let size = match size {
                    Size::Shares(shares) => Some(shares),
                    Size::Amount(amount) => cost::shares_for(amount, price, currency),
                };
                let size = size.ok_or_else(|| bad_argument("The order is too large."))?;
                let fee = if is_post_only { FeeRate::NONE } else { FeeRate::MOST };
                BuyTerms::Limit { size, price, fee }
            }
            (Size::Shares(_), None, _) => return Err(bad_argument(UNBOUNDED)),
        };
        Ok(Some(terms))
    }

    /// The order as the exchange reads it, written by hand: a JSON library would make floats of its numbers.
    fn order(&self, outcome: &Chosen, currency: Currency) -> String {
        let size = match self.size {
            Size::Amount(amount) => format!("\"amount\":{amount}"),
            Size::Shares(shares) => format!("\"quantity\":{shares}"),
        };
        let terms = match self.limit {
            Some(Limit { price, is_post_only }) => {
                format!("\"type\":\"{}\",\"price\":{price},\"postOnly\":{is_post_only}", OrderType::Limit)
            }
            None => format!("\"type\":\"{}\",\"maxSlippage\":{}", OrderType::Market, self.slippage),
        };
        let (side, id) = (self.side, outcome.id);
        format!("{{\"side\":\"{side}\",\"outcomeId\":\"{id}\",\"currency\":\"{currency}\",{size},{terms}}}")
    }
}

/// The order with its own name, under which it can be found if the answer is lost.
fn with_name(order: &str, token: &str) -> String {
    let open = order.strip_suffix('}').unwrap_or(order);
    format!("{open},\"clientOrderId\":\"{token}\"}}")
}

impl<V: Venue> Agent<V> {
    pub(crate) async fn preview_order(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let event = self.find_event(&arguments.required_text("event")?).await?;
        let market = find_market(&event, arguments.text("market")?.as_deref())?;
        let outcome = find_outcome(market, &arguments.required_text("outcome")?)?;
        let asked = Asked::read(&mut arguments)?;
        let terms = asked.buy_terms(&event, market, self.currency)?;
        let worst = match terms {
            Some(terms) => {
                cost::worst(terms, self.currency).ok_or_else(|| bad_argument("The order is too large."))?
            }
            None => Money::ZERO,
        };
        if terms.is_some() && self.budget.check(worst).is_err() {
            self.refresh().await;
            self.budget.check(worst).map_err(|over| over_cap(over, worst))?;
        }
        let order = asked.order(&outcome, self.currency);
        let path = format!("/v1/pm/events/{}/markets/{}/quote", event.id, market.id);
        let quote: Quote = self.read(Call::post(path, order.clone())).await.map_err(quote_failure)?;
        let shown = Shown {
            event: text::name(&event.slug),
            market: text::name(&market.title),
            outcome: outcome.label.clone(),
            side: asked.side,
            worst_cost: worst,
        };
        let mut answer = preview_json(&event, &shown, &outcome, &asked, &quote);
        answer["cap"] = self.cap();
        let preview = Preview { event: event.id, market: market.id, shown, terms, order };
        if refusal_of(&quote).is_none() {
            answer["token"] = self.previews.issue(Instant::now(), preview).into();
            answer["token_seconds"] = TOKEN_LIFE.as_secs().into();
        }
        Ok(answer)
    }

    pub(crate) async fn place_order(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let token = arguments.required_text("token")?;
        let described = Shown {
            event: arguments.required_text("event")?,
            market: arguments.required_text("market")?,
            outcome: arguments.required_text("outcome")?,
            side: arguments.required_word("side")?,
            worst_cost: arguments.cost("worst_cost")?,
        };
        let preview = self.previews.take(Instant::now(), &token, &described)?;
        self.reserve(&token, &preview).await?;
        let path = format!("/v1/pm/events/{}/markets/{}/orders", preview.event, preview.market);
        let call = Call::post(path, with_name(&preview.order, &token)).keyed(&token);
        let placed: Placed = match self.read(call).await {
            Ok(placed) => placed,
            Err(failure) if failure.is_harmless() => {
                self.budget.release(&token);
                return Err(failure.into());
            }
            // It may have been executed, so it stays counted.
            Err(_) => return Err(outcome_unknown()),
        };
        self.settle_as(&token, &placed.order);
        Ok(json!({"order": self.order_json(&placed.order).await, "cap": self.cap()}))
    }

    /// Counts a BUY before it is sent. A SELL costs nothing.
    async fn reserve(&self, token: &str, preview: &Preview) -> Result<(), Stop> {
        let Some(terms) = preview.terms else { return Ok(()) };
        let cost = preview.shown.worst_cost;
        if self.budget.reserve(token, cost, Some(terms)).is_ok() {
            return Ok(());
        }
        self.refresh().await;
        self.budget.reserve(token, cost, Some(terms)).map_err(|over| over_cap(over, cost))
    }
}

/// A quote changes nothing, so a lost answer is no unknown outcome.
fn quote_failure(failure: Failure) -> Stop {
    match failure {
        Failure::Unknown => Failure::Unavailable.into(),
        failure => failure.into(),
    }
}

/// The rule that would refuse the order.
fn refusal_of(quote: &Quote) -> Option<&'static str> {
    if quote.trade_goes_over_max_liability {
        return Some(ErrorCode::OverMaxLiability.as_str());
    }
    let refusal = quote.order.as_ref()?.refusal.as_ref()?;
    Some(ErrorCode::find(&refusal.code).map_or("refused", Word::as_str))
}

fn preview_json(event: &Event, shown: &Shown, outcome: &Chosen, asked: &Asked, quote: &Quote) -> Value {
    let order = quote.order.as_ref();
    let order_type = if asked.limit.is_some() { OrderType::Limit } else { OrderType::Market };
    json!({
        "event": shown.event,
        "event_title": text::name(&event.title),
        "market": shown.market,
        "outcome": shown.outcome,
        "outcome_side": outcome.side,
        "side": shown.side,
        "type": order_type,
        "limit_price": asked.limit.map(|limit| limit.price.to_string()),
        "worst_cost": shown.worst_cost.to_string(),
        "quote": {
            "average_price": quote.price.to_string(),
            "current_price": quote.current_market_price.to_string(),
            "shares": quote.quantity.to_string(),
            "amount": quote.amount.to_string(),
            "fee": quote.fee.to_string(),
            "price_impact": quote.price_impact_absolute.to_string(),
            "fills_completely": quote.complete_fill,
            "resting_shares": order.map(|order| order.resting_size.to_string()),
            "unfilled_shares": order.map(|order| order.cancelled_size.to_string()),
            "money_held": order.map(|order| order.hold.to_string()),
            "status": order.and_then(|order| order.status.as_deref()).map(known::<OrderStatus>),
        },
        "would_be_refused": refusal_of(quote),
    })
}

#[cfg(test)]
mod tests {
    use super::with_name;

    #[test]
    fn an_order_keeps_its_fields_when_it_gets_its_name() {
        let named = with_name(r#"{"side":"BUY","amount":9.999999}"#, "abc");
        assert_eq!(named, r#"{"side":"BUY","amount":9.999999,"clientOrderId":"abc"}"#);
    }
}
