//! An endless sequence of trades: two users mint a set, then merge it again, repeatedly. Each trade is two orders;
//! everything goes through the real exchange into a real history.

use exchange::Exchange;
use exchange::command::{Command, Request};
use exchange::id::{OrderId, TradeId};
use exchange::numbers::{Currency, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::Time;
use server::applied::Applied;
use server::history::Recorder;

use load::random::Random;
use load::venue::{START, actor, outcome};

/// Few enough that each has full pages of everything after ten thousand trades.
pub const USERS: u32 = 100;
pub const MARKETS: u32 = 10;
/// Requests per frame under load.
const GROUP: u64 = 64;
/// Time between two orders.
const STEP_MICROS: i64 = 10_000;

/// An exchange that trades with itself.
pub struct Feed {
    pub exchange: Exchange,
    recorder: Recorder,
    random: Random,
    at: Time,
    orders: u64,
    pub trades: u64,
    /// The ids of the last trade.
    pub last: Option<(TradeId, OrderId)>,
}

impl Feed {
    pub fn new(exchange: Exchange, recorder: Recorder) -> Feed {
        Feed { exchange, recorder, random: Random::new(7), at: START, orders: 0, trades: 0, last: None }
    }

    pub fn now(&self) -> Time {
        self.at
    }

    /// Continues until there are this many trades.
    pub fn until(&mut self, trades: u64, mut progress: impl FnMut(u64)) {
        while self.trades < trades {
            let (first, second) = self.pair();
            let (market, cents) = (self.random.below(MARKETS), 20 + self.random.below(61) as u8);
            let size = Shares::whole(10 + i64::from(self.random.below(40)));
            for side in [Side::Buy, Side::Sell] {
                self.place(first, market, Outcome::Yes, side, cents, size);
                let taker = self.place(second, market, Outcome::No, side, 100 - cents, size);
                self.trades += 1;
                self.last = Some((TradeId::of(taker, 0), taker));
            }
            if self.trades.is_multiple_of(100_000) {
                progress(self.trades);
            }
        }
        self.recorder.send_batch();
    }

    fn pair(&mut self) -> (u32, u32) {
        let first = self.random.below(USERS);
        (first, (first + 1 + self.random.below(USERS - 1)) % USERS)
    }

    fn place(
        &mut self,
        user: u32,
        market: u32,
        side_of_market: Outcome,
        side: Side,
        cents: u8,
        size: Shares,
    ) -> OrderId {
        self.at = Time::from_micros(self.at.micros() + STEP_MICROS);
        self.orders += 1;
        // Like generated ids: time first.
        let id = OrderId::new(((self.at.micros() / 1_000) as u128) << 80 | u128::from(self.orders));
        let order = NewOrder {
            id,
            outcome: outcome(market, side_of_market),
            side,
            kind: OrderKind::Limit,
            currency: Currency::Usd,
            sizing: Sizing::Quantity(size),
            price: Some(Price::clamp(i64::from(cents))),
            time_in_force: None,
            post_only: false,
            self_trade: SelfTrade::Skip,
            max_slippage: None,
            expires_at: None,
            client_order_id: Some(Text::from(format!("bench-{:010}", self.orders))),
            path: None,
        };
        self.apply(&Request { actor: actor(user), idempotency: None, command: Command::PlaceOrder(order) });
        id
    }

    fn apply(&mut self, request: &Request) {
        let result = self.exchange.apply(self.at, request).expect("a request of this build");
        assert!(result.is_ok(), "the feed is never refused: {result:?}");
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
