//! A quote. `command::quote` converts the request.

use api::response::{Quote, QuotedOrder, QuotedRefusal};
use exchange::Exchange;
use exchange::quote::{PlannedOrder, QuoteRequest};
use exchange::reject::Reject;

use super::refusal;
use super::words::{ToApi, percent};

pub fn quote(exchange: &Exchange, request: &QuoteRequest) -> Result<Quote, Reject> {
    let quote = exchange.quote(request)?;
    Ok(Quote {
        price: quote.price.to_api(),
        current_market_price: quote.current_market_price.to_api(),
        quantity: quote.quantity.to_api(),
        amount: quote.amount.to_api(),
        cost_of_shares: quote.cost_of_shares.to_api(),
        fee: quote.fee.to_api(),
        price_impact_absolute: quote.price_impact_absolute.to_api(),
        profit_percentage: percent(quote.profit_percentage),
        currency_base_multiplier: request.currency.to_api().base_multiplier(),
        complete_fill: quote.complete_fill,
        trade_goes_over_max_liability: quote.trade_goes_over_max_liability,
        order: quote.order.map(|order| quoted_order(exchange, &order)),
    })
}

fn quoted_order(exchange: &Exchange, order: &PlannedOrder) -> QuotedOrder {
    let refused = |reject: &Reject| QuotedRefusal {
        code: refusal::word(reject).into(),
        message: refusal(reject, exchange.now().micros()).message,
    };
    QuotedOrder {
        resting_size: order.resting.to_api(),
        cancelled_size: order.cancelled.to_api(),
        hold: order.hold.to_api(),
        cancelled_orders: order.own_cancelled as u32,
        status: order.status.as_ref().ok().map(|status| status.to_api()),
        refusal: order.status.as_ref().err().map(refused),
    }
}
