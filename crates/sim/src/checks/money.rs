//! Rules 5 and 6: settlements pay out the collateral, sets do not change prices, and money enters only from outside.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{CancelMarkets, Command, FeesTo, Request, ResolveMarket};
use exchange::governance::Verdict;
use exchange::id::MarketId;
use exchange::index::ListingIndex;
use exchange::numbers::{Cents, Currency, Money};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Before;
use super::governance::verdict_on;
use crate::failure::{Failure, ensure};

pub const PAYOUTS: &str = "5 the payouts of a settlement are its collateral";
pub const PAID_AS_DECIDED: &str = "5 a settled share pays what was decided";
pub const NO_PRICE_MOVES: &str = "6 mint and burn change no price and no reserve";
pub const CURRENCIES_APART: &str = "6 money of a currency comes and goes by credits and debits alone";
pub const SUMS_TO_ZERO: &str = "1 the accounts of a currency sum to zero";
pub const FEES_LEAVE_REPORTED: &str = "6 fees leave as reported and otherwise only come in";

pub fn check_money(before: &Before, exchange: &Exchange, changes: &[Change]) -> Result<(), Failure> {
    for currency in Currency::ALL {
        let funds = changes.iter().filter_map(|change| match change {
            Change::Funds { currency: of, amount, .. } if *of == currency => Some(*amount),
            Change::FeesMoved { currency: of, amount, to: FeesTo::Outside, .. } if *of == currency => {
                Some(-*amount)
            }
            _ => None,
        });
        let expected = before.deposited[currency.index()] + funds.sum::<Money>();
        let deposited = exchange.ledger().deposited(currency);
        ensure(deposited == expected, CURRENCIES_APART, || {
            format!("{deposited} {currency:?}, not {expected}")
        })?;
        check_fees(before, exchange, changes, currency)?;
        Totals::of(exchange, currency).check()?;
    }
    check_payouts(before, exchange, changes)
}

fn check_fees(
    before: &Before,
    exchange: &Exchange,
    changes: &[Change],
    currency: Currency,
) -> Result<(), Failure> {
    let moved = changes.iter().filter_map(|change| match change {
        Change::FeesMoved { currency: of, amount, .. } if *of == currency => Some(*amount),
        _ => None,
    });
    let (moved, old) = (moved.sum::<Money>(), before.fees[currency.index()]);
    let new = exchange.ledger().accounts(currency).fees();
    let is_right = if moved == Money::ZERO { new >= old } else { new == old - moved };
    ensure(is_right, FEES_LEAVE_REPORTED, || format!("{old} {currency:?} less {moved} became {new}"))
}

/// The totals of a currency, recomputed part by part.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    pub outside: Money,
    pub fees: Money,
    pub wallets: Money,
    pub collateral: Money,
}

impl Totals {
    pub fn of(exchange: &Exchange, currency: Currency) -> Totals {
        let (ledger, accounts) = (exchange.ledger(), exchange.ledger().accounts(currency));
        let wallets = exchange.directory().users().map(|(index, _)| ledger.wallet(index, currency));
        let markets = exchange.catalogue().markets().map(|(index, _)| ListingIndex::new(index, currency));
        Totals {
            outside: accounts.external(),
            fees: accounts.fees(),
            wallets: wallets.map(|wallet| wallet.free + wallet.held).sum(),
            collateral: markets.map(|listing| ledger.collateral(listing)).sum(),
        }
    }

    pub fn check(self) -> Result<(), Failure> {
        let sum = self.outside + self.fees + self.wallets + self.collateral;
        ensure(sum == Money::ZERO, SUMS_TO_ZERO, || format!("{self:?}"))
    }
}

fn check_payouts(before: &Before, exchange: &Exchange, changes: &[Change]) -> Result<(), Failure> {
    let mut paid: BTreeMap<ListingIndex, Money> = BTreeMap::new();
    for change in changes {
        match change {
            Change::MarketStatus { market, status } if status.is_final() => {
                for currency in Currency::ALL {
                    if let Some(market) = exchange.catalogue().find_market(*market) {
                        paid.entry(ListingIndex::new(market, currency)).or_default();
                    }
                }
            }
            Change::Settled(settled) => {
                if let Some(market) = exchange.catalogue().find_market(settled.market) {
                    *paid.entry(ListingIndex::new(market, settled.currency)).or_default() += settled.payout;
                }
            }
            _ => {}
        }
    }
    for (listing, payout) in paid {
        let collateral = before.collateral.get(&listing).copied().unwrap_or_default();
        ensure(payout == collateral, PAYOUTS, || format!("{listing:?}: paid {payout} of {collateral}"))?;
    }
    Ok(())
}

/// Every position is paid at the price that the command determines; YES shares of a winner's siblings pay nothing.
pub fn check_settlements(
    before: &Before,
    exchange: &Exchange,
    request: &Request,
    changes: &[Change],
) -> Result<(), Failure> {
    for change in changes {
        let Change::Settled(settled) = change else { continue };
        let decided = match request.command {
            Command::CancelMarkets(CancelMarkets { yes, .. }) => Some(yes),
            Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes })
                if market == settled.market =>
            {
                Some(Cents::WHOLE)
            }
            Command::ResolveMarket(_) => Some(Cents::NOTHING),
            Command::Finalise(_) | Command::FinaliseSeries(_) => {
                let market = exchange.catalogue().find_market(settled.market);
                let event = market.map(|market| exchange.catalogue().market(market).event);
                let event = event.map(|event| exchange.catalogue().event(event).id);
                event
                    .and_then(|event| verdict_on(before, changes, event))
                    .and_then(|verdict| pays(verdict, settled.market))
            }
            _ => None,
        };
        let yes = settled.yes.value_at(settled.yes_pays, settled.currency);
        let no = settled.no.value_at(settled.yes_pays.complement(), settled.currency);
        let is_right = decided.is_none_or(|cents| cents == settled.yes_pays) && settled.payout == yes + no;
        ensure(is_right, PAID_AS_DECIDED, || format!("{settled:?}, decided: {decided:?}"))?;
    }
    Ok(())
}

/// The payout of a verdict for a YES share in a market: a market that it does not name is a sibling of a winner.
fn pays(verdict: &Verdict, market: MarketId) -> Option<Cents> {
    let rulings = match verdict {
        Verdict::Cancelled { yes } => return Some(*yes),
        Verdict::Outcomes(rulings) => rulings,
    };
    match rulings.iter().find(|ruling| ruling.market == market).map(|ruling| ruling.outcome) {
        Some(Outcome::Yes) => Some(Cents::WHOLE),
        Some(Outcome::No) | None => Some(Cents::NOTHING),
    }
}

pub fn check_sets(
    before: &Before,
    exchange: &Exchange,
    request: &Request,
    result: &Result<Reply, Reject>,
) -> Result<(), Failure> {
    let is_sets = matches!(request.command, Command::MintSets(_) | Command::BurnSets(_));
    if !is_sets || result.is_err() {
        return Ok(());
    }
    for (index, listing) in exchange.catalogue().listings() {
        let (price, pool) = (before.prices[&index], before.pools.get(&index).copied());
        let unmoved = listing.yes_price() == price && listing.pool().copied() == pool;
        ensure(unmoved, NO_PRICE_MOVES, || {
            format!("{index:?} moved from {price} to {}", listing.yes_price())
        })?;
    }
    Ok(())
}
