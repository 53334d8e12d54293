//! Quotes of an order, asked for before it is placed and compared with the result.

use exchange::Exchange;
use exchange::command::{Command, Request};
use exchange::index::UserIndex;
use exchange::numbers::Shares;
use exchange::order::{NewOrder, OrderKind, OrderStatus, SelfTrade, TimeInForce};
use exchange::quote::{Quote, QuoteRequest, QuotedTerms};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};
use crate::shadow::caller;

const QUOTE: &str = "10 a quote is its fill at the same state";

#[derive(Clone, Debug, Default)]
pub(crate) struct Quotes {
    /// Only for an order that a quote without terms must match: MARKET, FAK, SKIP, no slippage bound.
    plain: Option<Quote>,
    /// With all terms of the order.
    full: Option<Result<Quote, Reject>>,
}

impl Quotes {
    pub(crate) fn ask(exchange: &Exchange, request: &Request) -> Quotes {
        let (Command::PlaceOrder(new), Some(user)) = (&request.command, caller(exchange, request)) else {
            return Quotes::default();
        };
        let full = quote_request(user, new);
        let is_plain = new.kind == OrderKind::Market
            && matches!(new.time_in_force, None | Some(TimeInForce::Fak))
            && new.self_trade == SelfTrade::Skip
            && new.max_slippage.is_none();
        let plain = QuoteRequest { terms: None, ..full };
        Quotes {
            plain: if is_plain { exchange.quote(&plain).ok() } else { None },
            full: Some(exchange.quote(&full)),
        }
    }

    pub(crate) fn compare(&self, result: &Result<Reply, Reject>, counts: &mut Counts) -> Result<(), Failure> {
        if let Some(quote) = &self.plain {
            compare_plain(quote, result, counts)?;
        }
        match &self.full {
            Some(quote) => compare_full(quote, result, counts),
            None => Ok(()),
        }
    }
}

fn quote_request(user: UserIndex, new: &NewOrder) -> QuoteRequest {
    let NewOrder { outcome, side, currency, sizing, path, .. } = *new;
    let terms = QuotedTerms {
        kind: new.kind,
        price: new.price,
        time_in_force: new.time_in_force,
        post_only: new.post_only,
        self_trade: new.self_trade,
        max_slippage: new.max_slippage,
    };
    QuoteRequest { user: Some(user), outcome, side, currency, sizing, path, terms: Some(terms) }
}

fn compare_plain(quote: &Quote, result: &Result<Reply, Reject>, counts: &mut Counts) -> Result<(), Failure> {
    match result {
        Ok(Reply::Order(record)) => {
            counts.note(Rare::QuoteEqualsFill);
            let terms = &record.terms;
            let same = terms.filled == quote.quantity
                && terms.value == quote.cost_of_shares
                && terms.fee == quote.fee
                && quote.complete_fill == (record.status == OrderStatus::Filled && terms.filled.units() > 0)
                && !quote.trade_goes_over_max_liability;
            ensure(same, QUOTE, || format!("quoted {quote:?}, filled {record:?}"))
        }
        Err(Reject::OverMaxLiability) => {
            ensure(quote.trade_goes_over_max_liability, QUOTE, || format!("over liability, quoted {quote:?}"))
        }
        _ => Ok(()),
    }
}

fn compare_full(
    quote: &Result<Quote, Reject>,
    result: &Result<Reply, Reject>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let differs = || format!("quoted {quote:?}, answered {result:?}");
    match (quote, result) {
        (Ok(quote), Ok(Reply::Order(record))) => {
            counts.note(Rare::QuoteEqualsOrder);
            let terms = &record.terms;
            let rests = if record.status.is_open() { terms.size - terms.filled } else { Shares::ZERO };
            let same = quote.order.as_ref().is_some_and(|order| {
                order.status.as_ref() == Ok(&record.status)
                    && order.resting == rests
                    && order.cancelled == terms.size - terms.filled - rests
            });
            let same = same
                && terms.filled == quote.quantity
                && terms.value == quote.cost_of_shares
                && terms.fee == quote.fee;
            ensure(same, QUOTE, differs)
        }
        (_, Ok(Reply::Order(_))) => ensure(false, QUOTE, differs),
        (_, Err(refusal)) if is_quotable(refusal) => {
            counts.note(Rare::QuoteEqualsRefusal);
            let quoted = match quote {
                Ok(quote) => quote.order.as_ref().and_then(|order| order.status.as_ref().err()),
                Err(refusal) => Some(refusal),
            };
            ensure(quoted == Some(refusal), QUOTE, differs)
        }
        _ => Ok(()),
    }
}

/// Whether a quote can foresee the refusal: it has no sender, id, name, expiry or idempotency key.
fn is_quotable(refusal: &Reject) -> bool {
    use Reject as R;
    !matches!(
        refusal,
        R::UnknownKey
            | R::StaleKey
            | R::UnknownSession
            | R::UserSuspended
            | R::UserFrozen
            | R::NotAllowed
            | R::TooManyIdempotencyKeys
            | R::IdempotencyMismatch
            | R::ExpiryMissing
            | R::ExpiryPast
            | R::ClientOrderIdInvalid
            | R::DuplicateId
            | R::DuplicateClientOrderId
    )
}
