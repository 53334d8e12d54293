//! The most that an order can cost, and the most that a closed order has cost. Exact integers; every division rounds
//! towards more cost.

use api::decimal::{Money, Price, Shares, UnitPrice};
use api::terms::{Currency, OrderStatus};

/// Shares have four decimals, an average price and money six: their product has four more than money.
const AVERAGE_SCALE: i128 = 10_000;
const AVERAGE_UNITS_PER_CENT: i128 = 10_000;
const BASIS_POINTS: i128 = 10_000;

/// The part of a BUY's terms that its cost depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuyTerms {
    /// Spends at most the amount, fee included: a market order, or an order for money on a pool.
    Market { amount: Money },
    /// Buys at most this many shares at this price. The fee comes on top of the value that it takes.
    Limit { size: Shares, price: Price, fee: FeeRate },
}

/// A fee in basis points of the value taken. An order that only rests has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeeRate(pub(crate) u32);

impl FeeRate {
    pub(crate) const NONE: FeeRate = FeeRate(0);
    /// 10 %: the rules of the exchange accept no higher fee. An operator can change a market's fee at any time, so an order
    /// is counted with this one.
    pub(crate) const MOST: FeeRate = FeeRate(1_000);

    /// The fee of a value: the exchange rounds it up.
    fn of(self, value: i128) -> i128 {
        (value * i128::from(self.0) + BASIS_POINTS - 1) / BASIS_POINTS
    }
}

/// An order's fills, as the exchange reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) status: Option<OrderStatus>,
    pub(crate) filled: Shares,
    pub(crate) average: UnitPrice,
    pub(crate) fee: Money,
}

impl Report {
    /// Whether nothing more can fill. A status that this version does not know is not closed.
    pub(crate) fn is_closed(&self) -> bool {
        use OrderStatus::{Cancelled, Expired, Filled, Rejected};
        matches!(self.status, Some(Filled | Cancelled | Rejected | Expired))
    }
}

/// The payout of one share: 1 USD or 100 NGN.
pub(crate) fn base_unit(currency: Currency) -> i128 {
    match currency {
        Currency::Usd => 1,
        Currency::Ngn => 100,
    }
}

/// The shares that a limit order for money buys, as the exchange computes them.
pub(crate) fn shares_for(amount: Money, price: Price, currency: Currency) -> Option<Shares> {
    let each = i128::from(price.cents()) * base_unit(currency);
    let units = i128::from(amount.units()).checked_div(each)?;
    i64::try_from(units).ok().map(Shares::from_units)
}

/// The most that a BUY can cost; none if it is more than money can count.
pub(crate) fn worst(terms: BuyTerms, currency: Currency) -> Option<Money> {
    match terms {
        BuyTerms::Market { amount } => Some(amount),
        BuyTerms::Limit { size, price, fee } => {
            let value = limit_value(size, price, currency);
            money(value + fee.of(value))
        }
    }
}

/// The most that a closed BUY has cost: its value and the fee that was charged. Shares that filled at a better price than
/// the limit count at the limit. A report above the terms counts in full. None if the numbers cannot be those of a BUY.
pub(crate) fn closed(terms: BuyTerms, currency: Currency, report: &Report) -> Option<Money> {
    if report.filled < Shares::ZERO || report.average < UnitPrice::ZERO || report.fee < Money::ZERO {
        return None;
    }
    let average = i128::from(report.average.units());
    let fee = i128::from(report.fee.units());
    // The reported average is rounded to the nearest millionth: the true one is less than a millionth away.
    let most = average_value(report.filled, average + 1, currency) + fee;
    match terms {
        BuyTerms::Market { amount } => {
            let amount = i128::from(amount.units());
            let least = average_value(report.filled, (average - 1).max(0), currency) + fee;
            money(if least > amount { most } else { most.min(amount) })
        }
        BuyTerms::Limit { price, .. } if average > i128::from(price.cents()) * AVERAGE_UNITS_PER_CENT => {
            money(most)
        }
        BuyTerms::Limit { price, .. } => money(limit_value(report.filled, price, currency) + fee),
    }
}

fn limit_value(size: Shares, price: Price, currency: Currency) -> i128 {
    i128::from(size.units()) * i128::from(price.cents()) * base_unit(currency)
}

/// Shares at an average price in millionths, rounded up.
fn average_value(filled: Shares, average: i128, currency: Currency) -> i128 {
    let value = i128::from(filled.units()) * average * base_unit(currency);
    (value + AVERAGE_SCALE - 1) / AVERAGE_SCALE
}

fn money(units: i128) -> Option<Money> {
    i64::try_from(units).ok().map(Money::from_units)
}

#[cfg(test)]
mod tests {
    use api::decimal::{Money, Price, Shares, UnitPrice};
    use api::terms::{Currency, OrderStatus};

    use super::{BuyTerms, FeeRate, Report, closed, shares_for, worst};

    fn usd(text: &str) -> Money {
        Money::parse(text).unwrap()
    }

    fn limit(size: &str, cents: u8, basis_points: u32) -> BuyTerms {
        let (size, price) = (Shares::parse(size).unwrap(), Price::from_cents(cents));
        BuyTerms::Limit { size, price, fee: FeeRate(basis_points) }
    }

    fn report(status: OrderStatus, filled: &str, average: &str, fee: &str) -> Report {
        Report {
            status: Some(status),
            filled: Shares::parse(filled).unwrap(),
            average: UnitPrice::parse(average).unwrap(),
            fee: usd(fee),
        }
    }

    #[test]
    fn a_market_buy_costs_at_most_its_amount_and_a_limit_buy_its_value_and_fee() {
        assert_eq!(worst(BuyTerms::Market { amount: usd("10") }, Currency::Usd), Some(usd("10")));
        assert_eq!(worst(limit("100", 52, 200), Currency::Usd), Some(usd("53.04")));
        assert_eq!(worst(limit("100", 52, 0), Currency::Usd), Some(usd("52")));
        assert_eq!(worst(limit("100", 52, 200), Currency::Ngn), Some(usd("5304")));
    }

    #[test]
    fn a_fee_is_rounded_up_to_the_smallest_unit() {
        // 0.0001 shares at 0.01 are worth 0.000001; a fee of any part of that is a whole unit.
        assert_eq!(worst(limit("0.0001", 1, 1), Currency::Usd), Some(usd("0.000002")));
    }

    #[test]
    fn money_that_cannot_be_counted_is_refused() {
        let size = Shares::from_units(i64::MAX);
        let terms = BuyTerms::Limit { size, price: Price::from_cents(99), fee: FeeRate::NONE };
        assert_eq!(worst(terms, Currency::Ngn), None);
    }

    #[test]
    fn a_closed_limit_buy_counts_its_filled_shares_at_its_limit() {
        let terms = limit("100", 52, 200);
        let half = report(OrderStatus::Cancelled, "50", "0.4", "0.4");
        assert_eq!(
            closed(terms, Currency::Usd, &half),
            Some(usd("26.4")),
            "a better price is not given back"
        );
        let none = report(OrderStatus::Expired, "0", "0", "0");
        assert_eq!(closed(terms, Currency::Usd, &none), Some(Money::ZERO));
        let all = report(OrderStatus::Filled, "100", "0.52", "1.04");
        assert_eq!(closed(terms, Currency::Usd, &all), worst(terms, Currency::Usd));
        let dearer = report(OrderStatus::Filled, "100", "0.52", "1.5");
        assert_eq!(closed(terms, Currency::Usd, &dearer), Some(usd("53.5")), "a reported fee counts in full");
    }

    #[test]
    fn a_report_above_the_terms_counts_in_full() {
        let above = report(OrderStatus::Filled, "100", "0.6", "1.2");
        assert_eq!(closed(limit("100", 52, 200), Currency::Usd, &above), Some(usd("61.2001")));
        let market = BuyTerms::Market { amount: usd("10") };
        assert_eq!(closed(market, Currency::Usd, &above), Some(usd("61.2001")));
    }

    #[test]
    fn a_report_with_negative_numbers_closes_nothing() {
        let terms = BuyTerms::Market { amount: usd("10") };
        let good = report(OrderStatus::Filled, "10", "0.5", "0");
        let fee = Money::from_units(-1);
        let (filled, average) = (Shares::from_units(-1), UnitPrice::from_units(-1));
        for bad in [Report { fee, ..good }, Report { filled, ..good }, Report { average, ..good }] {
            assert_eq!(closed(terms, Currency::Usd, &bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_closed_market_buy_counts_no_less_than_it_cost() {
        let terms = BuyTerms::Market { amount: usd("10") };
        // 20.4081 shares at 0.49 cost 9.999969; the average may have been rounded.
        let filled = report(OrderStatus::Filled, "20.4081", "0.49", "0");
        let counted = closed(terms, Currency::Usd, &filled).unwrap();
        assert!(counted >= usd("9.999969") && counted <= usd("10"), "{counted}");
        let thin = report(OrderStatus::Cancelled, "2", "0.5", "0.02");
        assert_eq!(closed(terms, Currency::Usd, &thin), Some(usd("1.020002")));
    }

    #[test]
    fn only_known_final_words_close_an_order() {
        let open = report(OrderStatus::PartialFilled, "1", "0.5", "0");
        assert!(!open.is_closed());
        assert!(!Report { status: None, ..open }.is_closed());
        assert!(Report { status: Some(OrderStatus::Rejected), ..open }.is_closed());
    }

    #[test]
    fn a_limit_order_for_money_buys_whole_units_only() {
        let shares = shares_for(usd("10"), Price::from_cents(30), Currency::Usd).unwrap();
        assert_eq!(shares.to_string(), "33.3333");
        assert_eq!(shares_for(usd("10"), Price::NONE, Currency::Usd), None);
    }
}
