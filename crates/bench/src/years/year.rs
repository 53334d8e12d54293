//! A venue that runs series by the clock: prices at every boundary, trades in every event, and its result a minute
//! after its end.

use exchange::Exchange;
use exchange::catalogue::{
    AssetPrice, Automation, Engine, Interval, MarketDetails, NewSeries, SeriesCategory,
};
use exchange::command::{Command, RecordPrice, Request};
use exchange::id::{Derived, MarketId, OrderId, OutcomeId, SeriesId, derive};
use exchange::identity::Actor;
use exchange::numbers::{Currency, PerCurrency, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::{Span, Time};
use load::random::Random;
use load::venue::{self, START, actor};
use server::applied::Applied;
use server::history::Recorder;

pub const SERIES: u32 = 20;
const INTERVALS_A_DAY: u32 = 96;
/// Requests per frame under load.
const GROUP: u64 = 64;
/// Ids of series events derive from the start in whole seconds.
const MICROS: i64 = 1_000_000;

pub struct Year {
    pub exchange: Exchange,
    pub trades: u64,
    recorder: Recorder,
    random: Random,
    /// The next boundary.
    boundary: Time,
    orders: u64,
}

impl Year {
    /// A thousand users with money, and the series.
    pub fn new(recorder: Recorder) -> Year {
        let boundary = START + Span::minutes(15);
        let (exchange, random) = (Exchange::new(), Random::new(7));
        let mut year = Year { exchange, trades: 0, recorder, random, boundary, orders: 0 };
        for request in venue::requests() {
            year.apply(START, &request);
        }
        for number in 0..SERIES {
            year.system(START + Span::seconds(1), Command::CreateSeries(new_series(number)));
        }
        year
    }

    pub fn day(&mut self, trades: u32) {
        for _ in 0..INTERVALS_A_DAY {
            self.interval(trades);
        }
        self.recorder.send_batch();
    }

    /// One interval: prices at its boundary, the result of the ended events, and trades in the new ones.
    fn interval(&mut self, trades: u32) {
        let start = self.boundary;
        for number in 0..SERIES {
            let value = AssetPrice(1_000_000 + i64::from(self.random.below(1_000)));
            let (symbol, source) = (symbol(number), Text::from("bench"));
            self.system(
                start,
                Command::RecordPrice(RecordPrice { symbol, value, source, source_time: start }),
            );
        }
        self.system(start + Span::MICROSECOND, Command::Tick);
        self.system(start + Span::seconds(60), Command::Tick);
        for trade in 0..trades {
            for number in 0..SERIES {
                let at = start + Span::seconds(61 + i64::from(trade) * 60 + i64::from(number));
                self.trade(at, market(number, start), trade);
            }
        }
        self.boundary = start + Span::minutes(15);
    }

    /// Two users mint sets and the next time merge them; the remaining positions are paid at settlement.
    fn trade(&mut self, at: Time, market: MarketId, number: u32) {
        let seed = (market.as_u128() as u32 ^ (number / 2)) % (1 << 30);
        let (first, second) = (seed % venue::USERS, (seed / 7 + 1 + seed) % venue::USERS);
        let second = if first == second { (second + 1) % venue::USERS } else { second };
        let side = if number.is_multiple_of(2) { Side::Buy } else { Side::Sell };
        for (user, outcome) in [(first, Outcome::Yes), (second, Outcome::No)] {
            self.place(at, user, OutcomeId::of(market, outcome as u64), side);
        }
        self.trades += 1;
    }

    fn place(&mut self, at: Time, user: u32, outcome: OutcomeId, side: Side) {
        self.orders += 1;
        // Like generated ids: time first.
        let id = OrderId::new(((at.micros() / 1_000) as u128) << 80 | u128::from(self.orders));
        let order = NewOrder {
            id,
            outcome,
            side,
            kind: OrderKind::Limit,
            currency: Currency::Usd,
            sizing: Sizing::Quantity(Shares::whole(10)),
            price: Some(Price::clamp(50)),
            time_in_force: None,
            post_only: false,
            self_trade: SelfTrade::Skip,
            max_slippage: None,
            expires_at: None,
            client_order_id: None,
            path: None,
        };
        self.apply(
            at,
            &Request { actor: actor(user), idempotency: None, command: Command::PlaceOrder(order) },
        );
    }

    fn system(&mut self, at: Time, command: Command) {
        self.apply(at, &Request { actor: Actor::System, idempotency: None, command });
    }

    fn apply(&mut self, at: Time, request: &Request) {
        let result = self.exchange.apply(at, request).expect("a request of this build");
        assert!(result.is_ok(), "the year is never refused: {request:?} {result:?}");
        let applied = Applied {
            seq: self.exchange.seq(),
            at: self.exchange.now(),
            request,
            result: &result,
            changes: self.exchange.changes(),
            exchange: &self.exchange,
        };
        self.recorder.note(&applied, server::audit_trail::entry);
        if self.exchange.seq().is_multiple_of(GROUP) {
            self.recorder.send_batch();
        }
    }
}

fn series(number: u32) -> SeriesId {
    SeriesId::new(u128::from(number) + 5_000_000)
}

fn symbol(number: u32) -> Text {
    Text::from(format!("COIN{number}"))
}

/// The market of a series' event; its id is derived.
fn market(number: u32, start: Time) -> MarketId {
    let seconds = (start.micros() / MICROS).unsigned_abs();
    MarketId::new(derive(Derived::SeriesMarket, series(number).as_u128(), seconds))
}

fn new_series(number: u32) -> NewSeries {
    NewSeries {
        id: series(number),
        slug: Text::from(format!("coin-{number}-15min")),
        display_name: Text::from(format!("Coin {number}")),
        description: Text::from(
            "Whether the coin stands higher at the end of the quarter of an hour than at its beginning.",
        ),
        category: SeriesCategory::Crypto,
        interval: Interval::FifteenMinute,
        asset_symbol: symbol(number),
        automation: Automation::PriceUpDown,
        icon_url: Text::from("/icons/coin.svg"),
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        market: MarketDetails {
            rules: Text::from(
                "The price at the boundary decides. A price that is not fresh leaves the event to an operator.",
            ),
            ..MarketDetails::default()
        },
        seed: PerCurrency::default(),
        sources: Vec::new(),
        tolerance_ppm: 0,
    }
}
