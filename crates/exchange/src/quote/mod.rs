//! Quotes for a trade, and valuations of a position, without changing anything.
//!
//! A MARKET order at the same sequence matches its quote: `Book::sweep` has the sums of the plan that `Book::plan` makes, and
//! `Pool::quote` serves both. The caller's own orders are ignored, as with SKIP. With the order's other terms, `of_order.rs`
//! quotes the plan of exactly that order.

mod of_order;
mod on_book;
mod on_pool;
mod valuation;

pub use of_order::{PlannedOrder, QuotedTerms};
pub use valuation::Valuation;

use crate::catalogue::{Status, Venue};
use crate::exchange::Exchange;
use crate::id::OutcomeId;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{Currency, FeeRate, Money, Ppm, Shares, half_up, narrow};
use crate::order::{OrderPath, Outcome, Side, Sizing};
use crate::reject::Reject;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuoteRequest {
    /// The user whose position counts for the profit and whose orders are ignored.
    pub user: Option<UserIndex>,
    pub outcome: OutcomeId,
    pub side: Side,
    pub currency: Currency,
    pub sizing: Sizing,
    pub path: Option<OrderPath>,
    /// The other terms of an order. `None`: a MARKET order without a bound.
    pub terms: Option<QuotedTerms>,
}

/// Spec, Quote: every field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Average per share, before the fee.
    pub price: Ppm,
    pub current_market_price: Ppm,
    pub quantity: Shares,
    /// The change of the wallet.
    pub amount: Money,
    pub cost_of_shares: Money,
    pub fee: Money,
    pub price_impact_absolute: Ppm,
    /// In hundredths of a percent.
    pub profit_percentage: i64,
    pub currency_base_multiplier: i64,
    pub complete_fill: bool,
    pub trade_goes_over_max_liability: bool,
    /// The order with the requested terms; `None` without them.
    pub order: Option<PlannedOrder>,
}

/// The trade on either engine, before the caller's position is considered.
#[derive(Clone, Copy, Debug, Default)]
struct Outline {
    shares: Shares,
    value: Money,
    before: Ppm,
    after: Ppm,
    complete: bool,
    over_liability: bool,
}

/// The resolved subject of a quote.
#[derive(Clone, Copy, Debug)]
struct QuotedOutcome {
    user: UserIndex,
    listing: ListingIndex,
    outcome: Outcome,
    side: Side,
    sizing: Sizing,
    fee_rate: FeeRate,
}

impl Exchange {
    pub fn quote(&self, request: &QuoteRequest) -> Result<Quote, Reject> {
        match &request.terms {
            Some(terms) => self.quote_order(request, terms),
            None => self.quote_market_order(request),
        }
    }

    fn quote_market_order(&self, request: &QuoteRequest) -> Result<Quote, Reject> {
        let subject = self.quote_subject(request)?;
        let outline = match &self.catalogue.listing(subject.listing).venue {
            Venue::Book(book) => self.outline_on_book(book, &subject),
            Venue::Pool(Some(pool)) => on_pool::outline(pool, &subject),
            Venue::Pool(None) => return Err(Reject::PoolNotSeeded),
            Venue::Idle => return Err(Reject::MarketNotOpen),
        };
        Ok(self.describe(&subject, &outline, None))
    }

    fn describe(&self, subject: &QuotedOutcome, outline: &Outline, order: Option<PlannedOrder>) -> Quote {
        let shown = self.catalogue.listing(subject.listing).price(subject.outcome);
        let currency = subject.listing.currency();
        let fee = subject.fee_rate.on(outline.value);
        let nothing = outline.shares == Shares::ZERO;
        let amount = match subject.side {
            Side::Buy => outline.value + fee,
            Side::Sell => outline.value - fee,
        };
        Quote {
            price: if nothing { shown } else { Ppm::average(outline.value, outline.shares, currency) },
            current_market_price: if nothing { shown } else { outline.before },
            quantity: outline.shares,
            amount,
            cost_of_shares: outline.value,
            fee,
            price_impact_absolute: if nothing { Ppm::ZERO } else { outline.after.distance(outline.before) },
            profit_percentage: if nothing { 0 } else { self.profit(subject, outline.shares, amount) },
            currency_base_multiplier: currency.base(),
            complete_fill: outline.complete && !nothing,
            trade_goes_over_max_liability: outline.over_liability,
            order,
        }
    }

    fn quote_subject(&self, request: &QuoteRequest) -> Result<QuotedOutcome, Reject> {
        let (is_positive, is_small) = match request.sizing {
            Sizing::Amount(amount) => (amount > Money::ZERO, amount <= Money::ORDER_MAX),
            Sizing::Quantity(shares) => (shares > Shares::ZERO, shares <= Shares::ORDER_MAX),
        };
        if !is_positive {
            return Err(Reject::AmountNotPositive);
        }
        if !is_small {
            return Err(Reject::AmountTooLarge);
        }
        let (index, outcome) = self.find_tradeable(request.outcome, request.path)?;
        let market = self.catalogue.market(index);
        if !self.catalogue.event(market.event).supports(request.currency) {
            return Err(Reject::UnsupportedCurrency);
        }
        if market.status != Status::Open {
            return Err(Reject::MarketNotOpen);
        }
        Ok(QuotedOutcome {
            user: request.user.unwrap_or(UserIndex::NOBODY),
            listing: ListingIndex::new(index, request.currency),
            outcome,
            side: request.side,
            sizing: request.sizing,
            fee_rate: market.details.fee_rate,
        })
    }

    /// The profit if the outcome wins, including the caller's existing shares.
    fn profit(&self, subject: &QuotedOutcome, shares: Shares, amount: Money) -> i64 {
        let currency = subject.listing.currency();
        let held =
            self.position(subject.user, subject.listing).map(|position| *position.holding(subject.outcome));
        let held = held.unwrap_or_default();
        let (payout, basis) = match subject.side {
            Side::Buy => ((held.total() + shares).payout(currency), held.cost + amount),
            Side::Sell if held.total() == Shares::ZERO => return 0,
            Side::Sell => {
                let kept = (held.total() - shares).max(Shares::ZERO);
                (amount + kept.payout(currency), held.cost)
            }
        };
        percent_over(payout, basis)
    }
}

/// `(value − basis) / basis` in hundredths of a percent; zero without a basis.
fn percent_over(value: Money, basis: Money) -> i64 {
    if basis <= Money::ZERO {
        return 0;
    }
    narrow(half_up(10_000 * i128::from((value - basis).units()), i128::from(basis.units())))
}
