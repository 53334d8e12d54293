//! Private rows, and the check that an operator of the venue asks for them.

use exchange::Exchange;
use exchange::change::OrderCause;
use exchange::identity::Role;
use exchange::order::OrderRecord;
use server::secrets::token_hash;
use server::view::words::ToApi;

use crate::error::ExportError;
use crate::table::{Cell, Stamp};

/// Refuses a token that is not of an operator who may run the venue, in its last state. Returns the operator's name.
pub fn check_operator(exchange: &Exchange, token: &str) -> Result<String, ExportError> {
    let hash = token_hash(token.trim().as_bytes());
    let found = exchange.directory().operators().find(|operator| operator.token_hash == hash);
    let may = found.filter(|operator| {
        !operator.revoked && !operator.suspended && matches!(operator.role, Role::Operator | Role::Approver)
    });
    may.map(|operator| operator.name.to_string()).ok_or(ExportError::NoOperator)
}

/// The state that an order reached.
pub(crate) fn order_row(stamp: Stamp, record: &OrderRecord, cause: OrderCause) -> Vec<Cell> {
    let terms = &record.terms;
    stamp.row(vec![
        Cell::text(terms.id),
        Cell::text(record.user),
        Cell::text(record.market),
        Cell::text(record.currency.to_api()),
        Cell::text(word(cause)),
        Cell::text(record.status.to_api()),
        Cell::text(terms.outcome.to_api()),
        Cell::text(terms.side.to_api()),
        Cell::text(terms.kind.to_api()),
        Cell::text(terms.time_in_force.to_api()),
        Cell::maybe(terms.price, |price| Cell::Decimal(price.cents().into())),
        Cell::Decimal(terms.amount.units()),
        Cell::Decimal(terms.size.units()),
        Cell::Decimal(terms.filled.units()),
        Cell::Decimal(terms.value.units()),
        Cell::Decimal(terms.fee.units()),
        terms.created_at.into(),
        terms.expires_at.into(),
        Cell::maybe(terms.client_order_id.as_ref(), Cell::text),
    ])
}

const fn word(cause: OrderCause) -> &'static str {
    match cause {
        OrderCause::Placed => "PLACED",
        OrderCause::Filled => "FILLED",
        OrderCause::Amended => "AMENDED",
        OrderCause::Cancelled => "CANCELLED",
        OrderCause::Operator => "OPERATOR",
        OrderCause::SelfTrade => "SELF_TRADE",
        OrderCause::MarketClosed => "MARKET_CLOSED",
        OrderCause::Expired => "EXPIRED",
        OrderCause::Switch => "SWITCH",
        OrderCause::Disconnected => "DISCONNECTED",
    }
}
