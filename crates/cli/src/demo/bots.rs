//! Bots: each trades slowly as one of the demo's people, only in the demo's own events. Their resting orders expire, so
//! that none accumulate over restarts, and cancel their owner's older orders that they would cross (`CANCEL_OLDEST`),
//! so that no book of the demo is crossed. A bot's decisions depend only on its seed and the state.
//!
//! Bots submit commands inside the process, not over HTTP: they also live the demo's past (`past.rs`), hours in a second,
//! where signatures and rate limits would go by a clock that no client has.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use exchange::book::{Book, BookSide};
use exchange::catalogue::{Catalogue, Engine, Event, EventLink, Status};
use exchange::command::{AmendOrders, BurnSets, CancelOrder, Command, PlaceOrders};
use exchange::id::{MarketId, OperationId, OrderId, OutcomeId, UserId};
use exchange::index::ListingIndex;
use exchange::numbers::{Currency, Money, Price, Shares, Slippage};
use exchange::order::{Amendment, Item, NewOrder, OrderKind, Outcome, Side, Sizing, TimeInForce};
use exchange::time::{Span, Time};
use exchange::{Exchange, Request};
use fastrand::Rng;
use server::app::App;
use server::identifiers::id_at;
use server::pipeline::sequencer::SubmitError;
use tokio::sync::watch;

use super::people::Person;
use super::samples::SAMPLES;
use super::stage::bid;

/// At this pace three bots send about five requests per second.
const PAUSE_MILLIS: std::ops::Range<u64> = 400..800;
const ORDER_LIFE: Span = Span::hours(3);
/// Orders that a bot remembers, to amend or cancel them later.
const REMEMBERED_MAX: usize = 12;
/// Percentages of looks at the samples and at series; the rest goes to games.
const LOOKS_AT_SAMPLES: u8 = 45;
const LOOKS_AT_SERIES: u8 = 45;
/// Of ten looks, how many are in USD.
const LOOKS_AT_DOLLARS: u8 = 7;
/// Levels per side of a market that a bot makes.
const LEVELS: i64 = 6;
/// A book with fewer levels on a side is thin: a bot then makes a market in it.
const THIN: usize = 4;
/// How far an asset must be above its opening for each cent of a higher price, in millionths.
const CENT_PPM: i128 = 120;
/// One share, in its smallest units.
const SHARE: i64 = 10_000;

/// Trades until `stopping` becomes true.
pub(super) async fn trade(app: Arc<App>, person: Person, mut stopping: watch::Receiver<bool>) {
    let mut bot = Bot::new(Rng::new().u64(..));
    loop {
        let pause = Duration::from_millis(bot.rng.u64(PAUSE_MILLIS));
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(pause) => {}
        }
        let chosen = bot.choose(&app.reading().state(), person.user);
        let Some(command) = chosen else { continue };
        let request = Request { actor: person.actor(), idempotency: None, command };
        match app.writing().sequencer().submit(request).await {
            Ok(answer) => {
                if let Err(reject) = answer.result {
                    tracing::debug!(?reject, "a bot was refused");
                }
            }
            Err(
                SubmitError::Busy
                | SubmitError::LogUnavailable
                | SubmitError::WrongClock
                | SubmitError::NewerRules,
            ) => {}
            Err(SubmitError::Stopping | SubmitError::Unknown) => return,
        }
    }
}

/// A bot's view of the market that it considers.
#[derive(Clone, Copy, Debug)]
struct MarketState {
    market: MarketId,
    currency: Currency,
    engine: Engine,
    /// Of YES, in cents.
    price: i64,
    /// The fair price of a series event, in cents, given the current asset price.
    fair: Option<i64>,
    free_yes: Shares,
    free_no: Shares,
    /// Few levels on one or both sides of the book.
    is_thin: bool,
    now: Time,
}

impl MarketState {
    const fn free(&self, outcome: Outcome) -> Shares {
        match outcome {
            Outcome::Yes => self.free_yes,
            Outcome::No => self.free_no,
        }
    }

    fn outcome_id(&self, outcome: Outcome) -> OutcomeId {
        OutcomeId::of(self.market, outcome as u64)
    }
}

/// The random generator and the remembered orders of one bot.
pub(super) struct Bot {
    rng: Rng,
    mine: VecDeque<OrderId>,
}

impl Bot {
    pub(super) fn new(seed: u64) -> Bot {
        Bot { rng: Rng::with_seed(seed), mine: VecDeque::new() }
    }

    /// The next command, if any.
    pub(super) fn choose(&mut self, exchange: &Exchange, user: UserId) -> Option<Command> {
        let sight = self.look(exchange, user)?;
        let sets = sight.free_yes.min(sight.free_no);
        match (sight.engine, self.rng.u8(0..100)) {
            // Complete sets are idle money.
            (_, 0..8) if sets > Shares::new(20 * SHARE) => Some(burn(&sight, sets)),
            (Engine::Amm, _) => Some(self.take_from_pool(&sight)),
            (Engine::Clob, _) if sight.is_thin => Some(self.make_market(&sight)),
            // A series event ends soon, so bots take liquidity more often.
            (Engine::Clob, 0..30) if sight.fair.is_some() => Some(self.take(&sight)),
            (Engine::Clob, 0..45) => Some(self.rest(&sight)),
            (Engine::Clob, 45..60) => Some(self.take(&sight)),
            (Engine::Clob, 60..80) => self.sell(&sight),
            (Engine::Clob, 80..90) => self.amend(&sight),
            (Engine::Clob, _) => {
                self.mine.pop_front().map(|order| Command::CancelOrder(CancelOrder { order }))
            }
        }
    }

    /// One of the samples, or sometimes an open event of a series or a game. Events made by operators are not touched.
    fn pick<'a>(&mut self, catalogue: &'a Catalogue) -> Option<&'a Event> {
        let look = self.rng.u8(0..100);
        if look < LOOKS_AT_SAMPLES {
            let sample = self.rng.choice(SAMPLES)?;
            return Some(catalogue.event(catalogue.find_event_by_slug(sample.slug)?));
        }
        let wants_series = look < LOOKS_AT_SAMPLES + LOOKS_AT_SERIES;
        let is_wanted = |event: &&Event| match event.link {
            _ if event.status != Status::Open => false,
            EventLink::None => false,
            EventLink::Series { .. } => wants_series,
            EventLink::Game { .. } => !wants_series,
        };
        let wanted = catalogue.events().map(|(_, event)| event).filter(is_wanted);
        self.rng.choice(wanted.collect::<Vec<&Event>>())
    }

    /// An open market of the demo, in either currency.
    fn look(&mut self, exchange: &Exchange, user: UserId) -> Option<MarketState> {
        let currency = if self.rng.u8(0..10) < LOOKS_AT_DOLLARS { Currency::Usd } else { Currency::Ngn };
        let catalogue = exchange.catalogue();
        let event = self.pick(catalogue)?;
        let index = event.markets[self.rng.usize(..event.markets.len())];
        let market = catalogue.market(index);
        let listing = ListingIndex::new(index, currency);
        let user = exchange.directory().find(user)?;
        let position = exchange.position(user, listing);
        let free = |outcome| position.map_or(Shares::ZERO, |position| position.holding(outcome).free);
        (market.status == Status::Open).then(|| MarketState {
            market: market.id,
            currency,
            engine: event.engine,
            price: catalogue.listing(listing).yes_price().units() / 10_000,
            fair: fair_price(catalogue, event),
            free_yes: free(Outcome::Yes),
            free_no: free(Outcome::No),
            is_thin: catalogue.listing(listing).book().is_some_and(is_thin),
            now: exchange.now(),
        })
    }

    fn outcome(&mut self) -> Outcome {
        if self.rng.bool() { Outcome::Yes } else { Outcome::No }
    }

    /// The bot's price for an outcome: near the market price, pulled back from the extremes.
    fn opinion(&mut self, sight: &MarketState, outcome: Outcome) -> i64 {
        let pull = if sight.price > 85 {
            -2
        } else if sight.price < 15 {
            2
        } else {
            0
        };
        let yes = sight.fair.unwrap_or(sight.price + pull) + self.rng.i64(-2..=2);
        match outcome {
            Outcome::Yes => yes,
            Outcome::No => 100 - yes,
        }
    }

    /// Bids for both outcomes around its own price, so that others can trade.
    fn make_market(&mut self, sight: &MarketState) -> Command {
        let yes = self.opinion(sight, Outcome::Yes);
        let mut items = Vec::new();
        for level in 1..=LEVELS {
            for (outcome, middle) in [(Outcome::Yes, yes), (Outcome::No, 100 - yes)] {
                let quantity = Shares::new(self.rng.i64(15..60) * level * SHARE);
                let price = Price::clamp((middle - 1 - level).max(10));
                let order = bid(sight.now, sight.outcome_id(outcome), sight.currency, price, quantity);
                items.push(Item::Valid(resting(order, sight)));
            }
        }
        Command::PlaceOrders(PlaceOrders { items })
    }

    /// Rests a bid on either outcome: both sides of the book, without owning shares.
    fn rest(&mut self, sight: &MarketState) -> Command {
        let outcome = self.outcome();
        let price = self.opinion(sight, outcome) - self.rng.i64(0..=4);
        let quantity = Shares::new(self.rng.i64(20..200) * SHARE);
        let price = Price::clamp(price.max(10));
        let order = bid(sight.now, sight.outcome_id(outcome), sight.currency, price, quantity);
        self.remember(order.id);
        Command::PlaceOrder(resting(order, sight))
    }

    fn take(&mut self, sight: &MarketState) -> Command {
        let outcome = self.outcome();
        let amount = Money::whole(self.rng.i64(3..60) * sight.currency.base());
        let order = bid(sight.now, sight.outcome_id(outcome), sight.currency, Price::MAX, Shares::ZERO);
        Command::PlaceOrder(NewOrder {
            kind: OrderKind::Market,
            sizing: Sizing::Amount(amount),
            price: None,
            max_slippage: Slippage::new(1_000),
            ..order
        })
    }

    fn take_from_pool(&mut self, sight: &MarketState) -> Command {
        let outcome = self.outcome();
        let half = Shares::new(sight.free(outcome).units() / 2);
        if half > Shares::new(5 * SHARE) && self.rng.bool() {
            let order = bid(sight.now, sight.outcome_id(outcome), sight.currency, Price::MAX, half);
            return Command::PlaceOrder(NewOrder {
                side: Side::Sell,
                kind: OrderKind::Market,
                price: None,
                ..order
            });
        }
        self.take(sight)
    }

    fn sell(&mut self, sight: &MarketState) -> Option<Command> {
        let outcome = self.outcome();
        let quantity = Shares::new(sight.free(outcome).units().min(40 * SHARE));
        if quantity < Shares::new(10 * SHARE) {
            return None;
        }
        let price = self.opinion(sight, outcome) + self.rng.i64(-1..=3);
        let price = Price::clamp(price.max(10));
        let order = bid(sight.now, sight.outcome_id(outcome), sight.currency, price, quantity);
        self.remember(order.id);
        Some(Command::PlaceOrder(NewOrder { side: Side::Sell, ..resting(order, sight) }))
    }

    /// Amends any of its orders, in whichever market: to a price near this market's, or to a new size.
    fn amend(&mut self, sight: &MarketState) -> Option<Command> {
        let order = *self.mine.get(self.rng.usize(..self.mine.len().max(1)))?;
        let outcome = self.outcome();
        let price = Price::clamp(self.opinion(sight, outcome).clamp(20, 60));
        let size = Shares::new(self.rng.i64(20..60) * SHARE);
        let (new_price, new_size) = if self.rng.bool() { (Some(price), None) } else { (None, Some(size)) };
        Some(Command::AmendOrders(AmendOrders {
            items: vec![Item::Valid(Amendment { order, new_price, new_size })],
        }))
    }

    fn remember(&mut self, order: OrderId) {
        self.mine.push_back(order);
        if self.mine.len() > REMEMBERED_MAX {
            self.mine.pop_front();
        }
    }
}

/// The further an asset is above its opening, the likelier it ends there.
fn fair_price(catalogue: &Catalogue, event: &Event) -> Option<i64> {
    let EventLink::Series { series, .. } = event.link else { return None };
    let symbol = &catalogue.find_series(series)?.terms.asset_symbol;
    let (threshold, last) = (event.threshold?.0, catalogue.assets().get(symbol)?.last()?.value.0);
    let ahead_ppm = i128::from(last - threshold) * 1_000_000 / i128::from(threshold);
    let cents = i64::try_from(50 + ahead_ppm / CENT_PPM).unwrap_or(50);
    Some(cents.clamp(8, 92))
}

fn is_thin(book: &Book) -> bool {
    [BookSide::Bid, BookSide::Ask].into_iter().any(|side| book.levels(side).count() < THIN)
}

fn resting(order: NewOrder, sight: &MarketState) -> NewOrder {
    let expires_at = Some(sight.now + ORDER_LIFE);
    NewOrder { time_in_force: Some(TimeInForce::Gtd), expires_at, ..order }
}

fn burn(sight: &MarketState, sets: Shares) -> Command {
    let id = OperationId::new(id_at(sight.now.micros()).as_u128());
    Command::BurnSets(BurnSets {
        id,
        market: sight.market,
        currency: sight.currency,
        amount: sets.payout(sight.currency),
    })
}
