//! Moves of the market: a fill, a price, a resolution.

use api::decimal;
use axum::extract::State;
use bytes::Bytes;
use exchange::governance::Ruling;
use exchange::id::{MarketId, OrderId};
use exchange::order::Outcome;
use serde::{Deserialize, Serialize};
use server::view::words::{ToApi, ToExchange};
use uuid::Uuid;

use super::{Answered, Shared, clock, ok, read};
use crate::error::Refusal;
use crate::moves::currency;
use crate::orders::Place;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fill {
    order_id: Uuid,
    #[serde(default)]
    quantity: Option<decimal::Shares>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Filled {
    order_id: Uuid,
    filled: decimal::Shares,
}

pub(super) async fn fill(State(control): Shared, body: Bytes) -> Answered {
    let Fill { order_id, quantity } = read(&body)?;
    let filled = control.with_venue(move |venue| {
        venue.fill(OrderId::new(order_id.as_u128()), quantity.map(ToExchange::to_exchange))
    });
    let filled = filled.await?;
    ok(&Filled { order_id, filled: filled.to_api() })
}

/// The price of an asset, or of a market with a book.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SetPrice {
    #[serde(default)]
    symbol: Option<String>,
    /// Stays the asset's price until another request; without it the price walks again.
    #[serde(default)]
    value: Option<decimal::AssetPrice>,
    #[serde(default)]
    market_id: Option<Uuid>,
    #[serde(default)]
    price: Option<decimal::Price>,
    #[serde(default)]
    currency: Option<String>,
}

pub(super) async fn price(State(control): Shared, body: Bytes) -> Answered {
    let SetPrice { symbol, value, market_id, price, currency: code } = read(&body)?;
    match (symbol, market_id, price) {
        (Some(symbol), None, None) => {
            let value = value.map(decimal::AssetPrice::units);
            control
                .with_venue(move |venue| match value {
                    Some(value) => {
                        venue.submit_price(&symbol, value)?;
                        // A relived journal has its own prices, which follow.
                        if !venue.fixed.is_past {
                            venue.record.held_prices.insert(symbol, value);
                        }
                        Ok(())
                    }
                    None => {
                        venue.record.held_prices.remove(&symbol);
                        Ok(())
                    }
                })
                .await?;
        }
        (None, Some(market), Some(price)) if value.is_none() => {
            let place =
                Place { market: MarketId::new(market.as_u128()), currency: currency(code.as_deref())? };
            control.with_venue(move |venue| venue.move_price(place, i64::from(price.cents()))).await?;
        }
        _ => return Err(Refusal::bad("Send symbol and value, or marketId and price")),
    }
    clock::read_state(&control).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Resolve {
    /// An id or a slug. The market `winner` ends as YES and the others as NO; without it all end as NO.
    #[serde(default)]
    event: Option<String>,
    #[serde(default)]
    winner: Option<Uuid>,
    #[serde(default)]
    market_id: Option<Uuid>,
    #[serde(default)]
    outcome: Option<String>,
}

pub(super) async fn resolve(State(control): Shared, body: Bytes) -> Answered {
    let Resolve { event, winner, market_id, outcome } = read(&body)?;
    let outcome = outcome.map(|outcome| read_outcome(&outcome)).transpose()?;
    match (event, market_id, outcome) {
        (Some(event), None, None) => {
            let resolving = control.with_venue(move |venue| {
                let (id, markets) = venue.find_event(&event)?;
                let winner = winner.map(|winner| MarketId::new(winner.as_u128()));
                if winner.is_some_and(|winner| !markets.contains(&winner)) {
                    return Err(Refusal::missing("winner: is no market of this event"));
                }
                let outcome = |market| if Some(market) == winner { Outcome::Yes } else { Outcome::No };
                let ruling = |market| Ruling { market, outcome: outcome(market) };
                venue.resolve(id, markets.into_iter().map(ruling).collect())
            });
            resolving.await?;
        }
        (None, Some(market), Some(outcome)) if winner.is_none() => {
            let market = MarketId::new(market.as_u128());
            let resolving = control.with_venue(move |venue| {
                let (event, _) = venue.event_of(market)?;
                venue.resolve(event, vec![Ruling { market, outcome }])
            });
            resolving.await?;
        }
        _ => return Err(Refusal::bad("Send event and winner, or marketId and outcome")),
    }
    clock::read_state(&control).await
}

fn read_outcome(text: &str) -> Result<Outcome, Refusal> {
    match text.to_ascii_uppercase().as_str() {
        "YES" => Ok(Outcome::Yes),
        "NO" => Ok(Outcome::No),
        _ => Err(Refusal::bad("outcome: is YES or NO")),
    }
}
