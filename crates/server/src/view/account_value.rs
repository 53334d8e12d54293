//! An account's value over time: today's cash and positions, with the movements since each time undone, at the prices
//! of that time.
//!
//! A price of the past is the close of the last candle before it; the last point uses the displayed prices.

use std::collections::{BTreeMap, BTreeSet};

use api::query::AccountValueQuery;
use api::response::{AccountValue, ValuePoint};
use api::terms::PnlPeriod;
use exchange::Exchange;
use exchange::id::MarketId;
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::{Currency, Money, Ppm, half_up, narrow};
use exchange::order::Outcome;
use exchange::time::Time;

use super::market::price;
use super::pnl;
use super::words::{ToApi, ToExchange};
use crate::history::{CandleRange, FoundCandles, Interval, LatestMovements, StoredMovement};

/// Points of a course.
const POINTS: i64 = 60;
/// Movements that a course undoes.
pub const MOVEMENTS_MAX: u64 = 2_000;
/// Markets whose prices a course reads.
pub const MARKETS_MAX: usize = 100;
/// The price of a market before anything was traded.
const UNKNOWN_PRICE: Ppm = Ppm::new(500_000);

/// A position now.
#[derive(Clone, Copy, Debug)]
pub struct HeldNow {
    pub market: MarketId,
    /// YES and NO, in units.
    pub shares: [i128; 2],
    pub yes_price: Ppm,
}

/// Reads a position and its displayed price.
pub fn held_now(exchange: &Exchange, user: UserIndex, listing: ListingIndex) -> HeldNow {
    let catalogue = exchange.catalogue();
    let market = catalogue.market(listing.market());
    let units = |outcome| {
        let position = exchange.position(user, listing);
        position.map_or(0, |position| i128::from(position.holding(outcome).total().units()))
    };
    HeldNow {
        market: market.id,
        shares: Outcome::BOTH.map(units),
        yes_price: price(market, catalogue.listing(listing), Outcome::Yes),
    }
}

/// An account as of one sequence.
#[derive(Clone, Debug)]
pub struct AccountNow {
    pub seq: u64,
    pub cash: Money,
    pub held: Vec<HeldNow>,
}

/// The start of the span that a query asks for.
pub fn start(query: &AccountValueQuery, now: Time) -> Time {
    pnl::start(query.time_period, now.to_api()).to_exchange()
}

/// The account at one time.
#[derive(Clone, Debug)]
struct Moment {
    at: Time,
    cash: Money,
    shares: BTreeMap<MarketId, [i128; 2]>,
}

/// The account at the times of a course, newest first, and the prices to read.
#[derive(Debug)]
pub struct ValuePlan {
    currency: Currency,
    moments: Vec<Moment>,
    prices_now: BTreeMap<MarketId, Ppm>,
    pub ranges: Vec<CandleRange>,
}

/// Undoes the movements of an account one by one.
pub fn plan(
    query: &AccountValueQuery,
    account: &AccountNow,
    latest: &LatestMovements,
    (from, now): (Time, Time),
) -> ValuePlan {
    // A movement after the account was read is not in it.
    let movements = latest.movements.iter().filter(|movement| movement.seq <= account.seq);
    let mut movements = movements.peekable();
    let oldest = latest.movements.last().map(|movement| movement.at);
    let is_whole_life = query.time_period == PnlPeriod::All;
    let from = oldest.filter(|_| is_whole_life || latest.is_cut).unwrap_or(from).min(now);
    let from = if is_whole_life && oldest.is_none() { now } else { from };
    let mut cash = account.cash;
    let mut shares: BTreeMap<MarketId, [i128; 2]> =
        account.held.iter().map(|held| (held.market, held.shares)).collect();
    let mut markets: BTreeSet<MarketId> = BTreeSet::new();
    let mut moments: Vec<Moment> = Vec::new();
    for at in times(from, now) {
        while let Some(movement) = movements.next_if(|movement| movement.at > at) {
            undo(movement, &mut cash, &mut shares);
        }
        let held: BTreeMap<MarketId, [i128; 2]> = shares
            .iter()
            .filter(|(_, held)| **held != [0; 2])
            .map(|(market, held)| (*market, *held))
            .collect();
        markets.extend(held.keys());
        if markets.len() > MARKETS_MAX && !moments.is_empty() {
            break;
        }
        moments.push(Moment { at, cash, shares: held });
    }
    let currency = query.currency.to_exchange();
    let from = moments.last().map_or(now, |moment| moment.at);
    let interval = interval(from, now);
    let markets: BTreeSet<MarketId> =
        moments.iter().flat_map(|moment| moment.shares.keys().copied()).collect();
    let range = |market: &MarketId| CandleRange {
        market: *market,
        currency,
        interval,
        from: interval.start_of(from),
        to: now,
        count_max: usize::MAX,
    };
    ValuePlan {
        currency,
        moments,
        prices_now: account.held.iter().map(|held| (held.market, held.yes_price)).collect(),
        ranges: markets.iter().map(range).collect(),
    }
}

fn undo(movement: &StoredMovement, cash: &mut Money, shares: &mut BTreeMap<MarketId, [i128; 2]>) {
    *cash -= movement.amount;
    let Some(market) = movement.cause.market() else { return };
    let held = shares.entry(market).or_default();
    for (held, moved) in held.iter_mut().zip(movement.cause.shares_moved()) {
        *held -= moved;
    }
}

/// Equal steps from `now` back to `from`.
fn times(from: Time, now: Time) -> impl Iterator<Item = Time> {
    let span = i128::from(now.micros() - from.micros());
    let points = if span == 0 { 0 } else { POINTS };
    (0..=points).map(move |step| {
        let back = span * i128::from(step) / i128::from(points.max(1));
        Time::from_micros(now.micros() - narrow(back))
    })
}

/// The longest candles that still resolve the points.
fn interval(from: Time, now: Time) -> Interval {
    let step = (now.micros() - from.micros()) / POINTS;
    let fitting = Interval::ALL.into_iter().rev().find(|interval| interval.micros() <= step);
    fitting.unwrap_or(Interval::OneMinute)
}

impl ValuePlan {
    /// The response, given the candles of the ranges.
    pub fn answer(&self, found: &[FoundCandles]) -> AccountValue {
        let candles: BTreeMap<MarketId, (&FoundCandles, Interval)> = self
            .ranges
            .iter()
            .zip(found)
            .map(|(range, found)| (range.market, (found, range.interval)))
            .collect();
        let last = self.moments.first().map(|moment| moment.at);
        let mut points: Vec<ValuePoint> = Vec::with_capacity(self.moments.len());
        for moment in self.moments.iter().rev() {
            let now = Some(moment.at) == last;
            let value = |(market, held): (&MarketId, &[i128; 2])| {
                let shown = self.prices_now.get(market).copied();
                let yes = shown.filter(|_| now).unwrap_or_else(|| {
                    let past = candles.get(market).and_then(|(found, every)| close(found, *every, moment.at));
                    past.or(shown).unwrap_or(UNKNOWN_PRICE)
                });
                worth(*held, yes, self.currency)
            };
            let positions = Money::new(narrow(moment.shares.iter().map(value).sum()));
            points.push(ValuePoint {
                timestamp: moment.at.to_api(),
                cash: moment.cash.to_api(),
                positions: positions.to_api(),
                value: (moment.cash + positions).to_api(),
            });
        }
        AccountValue { currency: self.currency.to_api(), points }
    }
}

/// The close of the last candle that had begun by then; before the first candle, its opening price.
fn close(found: &FoundCandles, every: Interval, at: Time) -> Option<Ppm> {
    let begun =
        found.candles.iter().take_while(|candle| candle.start.micros() + every.micros() <= at.micros());
    let last = begun.last().or(found.before.as_ref()).map(|candle| candle.close);
    last.or_else(|| found.candles.first().map(|candle| candle.open))
}

/// Shares at a price. A unit of shares is a ten-thousandth, a price is in millionths, money too.
fn worth(shares: [i128; 2], yes: Ppm, currency: Currency) -> i128 {
    let prices = [yes, yes.complement()].map(|price| i128::from(price.units()));
    let units: i128 = shares.iter().zip(prices).map(|(shares, price)| shares * price).sum();
    half_up(units * i128::from(currency.base()), 10_000)
}

#[cfg(test)]
mod tests {
    use api::terms;
    use exchange::change::{MatchType, Party, SetsChange, Trade};
    use exchange::id::{OperationId, OrderId, UserId};
    use exchange::numbers::{FeeRate, Price, Shares};
    use exchange::order::Side;

    use super::*;
    use crate::history::{Candle, MovementCause};

    const MARKET: MarketId = MarketId::new(1);

    fn seconds(at: i64) -> Time {
        Time::from_seconds(at)
    }

    /// Half a day ago 100 sets were minted with the money of a deposit a day ago.
    fn latest() -> LatestMovements {
        let minted = SetsChange {
            id: OperationId::new(1),
            user: UserId::new(7),
            market: MARKET,
            currency: Currency::Usd,
            side: Side::Buy,
            sets: Shares::whole(100),
            cash: Money::whole(100),
            cost: Money::ZERO,
        };
        let moved = |number, at, amount, balance, cause| StoredMovement {
            number,
            seq: number + 1,
            at: seconds(at),
            amount: Money::whole(amount),
            balance: Money::whole(balance),
            cause,
        };
        let deposit = MovementCause::Funds { reference: "bank".to_owned() };
        LatestMovements {
            movements: vec![
                moved(1, 86_400 + 43_200, -100, 400, MovementCause::Sets(minted)),
                moved(0, 86_400, 500, 500, deposit),
            ],
            balance_before: Money::ZERO,
            is_cut: false,
        }
    }

    fn query(time_period: PnlPeriod) -> AccountValueQuery {
        AccountValueQuery { time_period, currency: terms::Currency::Usd }
    }

    fn account() -> AccountNow {
        let units = i128::from(Shares::whole(100).units());
        let held = HeldNow { market: MARKET, shares: [units, units], yes_price: Ppm::new(700_000) };
        AccountNow { seq: 2, cash: Money::whole(400), held: vec![held] }
    }

    fn values(value: &AccountValue) -> Vec<String> {
        value.points.iter().map(|point| point.value.to_string()).collect()
    }

    #[test]
    fn a_deposit_raises_the_value_and_a_mint_does_not_change_it() {
        let now = seconds(2 * 86_400);
        let plan = plan(&query(PnlPeriod::All), &account(), &latest(), (Time::ZERO, now));
        let value = plan.answer(&[FoundCandles::default()]);
        assert_eq!(value.points.len(), 61, "the course begins with the deposit");
        assert!(values(&value).iter().all(|value| value == "500"), "{:?}", values(&value));
        assert_eq!(value.points[0].positions.to_string(), "0");
        assert_eq!(value.points[60].positions.to_string(), "100");
        let longer = super::plan(&query(PnlPeriod::ThisWeek), &account(), &latest(), (Time::ZERO, now));
        assert_eq!(values(&longer.answer(&[FoundCandles::default()]))[0], "0", "nothing before the deposit");
    }

    #[test]
    fn a_position_follows_the_price_of_its_time_and_the_shown_price_at_the_end() {
        let now = seconds(2 * 86_400);
        let party = |user, outcome, side, cents| Party {
            user: UserId::new(user),
            order: OrderId::new(user),
            outcome,
            side,
            price: Price::new(cents).expect("a price"),
            cost: Money::ZERO,
        };
        let bought = Trade {
            index: 0,
            market: MARKET,
            currency: Currency::Usd,
            match_type: MatchType::Mint,
            size: Shares::whole(100),
            taker: party(7, Outcome::Yes, Side::Buy, 20),
            maker: party(8, Outcome::No, Side::Buy, 80),
            taker_fee: Money::ZERO,
            fee_rate: FeeRate::ZERO,
        };
        let mut latest = latest();
        latest.movements[0].cause = MovementCause::Took(bought);
        let mut account = account();
        account.held[0].shares[1] = 0;
        let plan = plan(&query(PnlPeriod::All), &account, &latest, (Time::ZERO, now));
        let candle = |at, close| Candle {
            start: seconds(at),
            open: Ppm::new(close),
            high: Ppm::new(close),
            low: Ppm::new(close),
            close: Ppm::new(close),
            volume: Shares::ZERO,
            count: 1,
        };
        let candles = vec![candle(130_000, 200_000), candle(150_000, 400_000)];
        let value = plan.answer(&[FoundCandles { before: None, candles }]);
        let positions: Vec<String> = value.points.iter().map(|point| point.positions.to_string()).collect();
        let mut steps = positions.clone();
        steps.dedup();
        assert_eq!(steps, ["0", "20", "40", "70"], "{positions:?}");
    }

    #[test]
    fn a_movement_after_the_account_was_read_is_not_undone() {
        let mut late = latest();
        late.movements[0].seq = 3;
        let account = AccountNow { seq: 2, cash: Money::whole(500), held: Vec::new() };
        let plan = plan(&query(PnlPeriod::All), &account, &late, (Time::ZERO, seconds(2 * 86_400)));
        assert!(values(&plan.answer(&[])).iter().all(|value| value == "500"));
    }
}
