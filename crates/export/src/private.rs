//! Private rows, and the check that an operator of the venue asks for them.

use exchange::Exchange;
use exchange::change::OrderCause;
use exchange::identity::Role;
use exchange::order::OrderRecord;
use server::secrets::token_hash;
use server::view::words::ToApi;

use crate::error::ExportError;
use crate::table::{Cell, Stamp};

/// The proof that an operator of the venue asked for private data. Only `check_operator` creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateAccess {
    operator: String,
}

impl PrivateAccess {
    /// The operator's name.
    pub fn operator(&self) -> &str {
        &self.operator
    }
}

/// Refuses a token that is not of an operator who may run the venue, in its last state.
pub fn check_operator(exchange: &Exchange, token: &str) -> Result<PrivateAccess, ExportError> {
    let hash = token_hash(token.trim().as_bytes());
    let found = exchange.directory().operators().find(|operator| operator.token_hash == hash);
    let may = found.filter(|operator| {
        !operator.revoked && !operator.suspended && matches!(operator.role, Role::Operator | Role::Approver)
    });
    let access = may.map(|operator| PrivateAccess { operator: operator.name.to_string() });
    access.ok_or(ExportError::NoOperator)
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

#[cfg(test)]
mod tests {
    use exchange::command::{CreateOperator, RevokeOperator, SuspendOperator};
    use exchange::id::OperatorId;
    use exchange::identity::Actor;
    use exchange::text::Text;
    use exchange::time::Time;
    use exchange::{Command, Request};

    use super::*;

    fn apply(exchange: &mut Exchange, command: Command) {
        let request = Request { actor: Actor::System, idempotency: None, command };
        let decided = exchange.apply(Time::from_seconds(1), &request);
        decided.expect("a known command").expect("an accepted command");
    }

    #[test]
    fn viewers_and_suspended_or_revoked_operators_get_no_private_data() {
        let mut exchange = Exchange::new();
        let token = |name: &str| format!("op_token-of-{name}");
        let roles = [
            ("ada", Role::Approver),
            ("bola", Role::Operator),
            ("chidi", Role::Viewer),
            ("dayo", Role::Operator),
            ("efe", Role::Approver),
        ];
        for (number, (name, role)) in (1..).zip(roles) {
            let token_hash = token_hash(token(name).as_bytes());
            let id = OperatorId::new(number);
            let new = CreateOperator { id, name: Text::from(name), role, token_hash };
            apply(&mut exchange, Command::CreateOperator(new));
        }
        let suspend = |suspended| {
            Command::SuspendOperator(SuspendOperator { operator: OperatorId::new(4), suspended, until: None })
        };
        apply(&mut exchange, suspend(true));
        apply(&mut exchange, Command::RevokeOperator(RevokeOperator { operator: OperatorId::new(5) }));
        let checked = |exchange: &Exchange, name: &str| check_operator(exchange, &token(name));
        for name in ["ada", "bola"] {
            assert_eq!(checked(&exchange, name).expect("access").operator(), name);
        }
        for name in ["chidi", "dayo", "efe", "unknown"] {
            assert!(matches!(checked(&exchange, name), Err(ExportError::NoOperator)), "{name}");
        }
        apply(&mut exchange, suspend(false));
        assert!(checked(&exchange, "dayo").is_ok());
    }
}
