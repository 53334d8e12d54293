//! The model: plain lists of all reported changes, kept in the most obvious way and searched from end to end.
//!
//! It shares only the types of the answers with `server::history`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::json::Decimals;
use exchange::catalogue::{Market, RetiredEvent};
use exchange::change::{Change, MatchType, OrderCause, Party, Trade};
use exchange::command::NewsNote;
use exchange::id::{EventId, MarketId, NewsId, OrderId, UserId};
use exchange::identity::Actor;
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::{OrderRecord, OrderStatus, Outcome, Side};
use exchange::text::Text;
use exchange::time::Time;
use server::applied::Applied;
use server::history::{Execution, StoredAssetPrice, StoredSets, StoredSettlement, StoredTrade};
use server::respond::{Content, Shape, Shown};

#[derive(Default)]
pub struct Model {
    /// Trades on both engines.
    pub trades: Vec<StoredTrade<Execution>>,
    pub sets: Vec<StoredSets>,
    /// In the order in which they were placed, each in its last reported state.
    pub orders: Vec<OrderRecord>,
    pub activities: Vec<Told>,
    pub settlements: Vec<StoredSettlement>,
    pub results: Vec<Won>,
    /// Of everyone but the house.
    pub movements: Vec<Moved>,
    /// In the order of the first fill of each.
    pub notices: Vec<Notice>,
    pub prices: Vec<Priced>,
    /// The result of a pool after each request that changed it.
    pub pools: Vec<PoolResult>,
    pub asset_prices: Vec<(Text, StoredAssetPrice)>,
    pub news: Vec<(EventId, NewsId, Option<NewsNote>)>,
    pub answers: Vec<KeptAnswer>,
    /// Of every market that there ever was.
    pub events: BTreeMap<MarketId, EventId>,
    /// Events that have left memory, with the sequence at which each did.
    pub retired: Vec<(u64, Arc<RetiredEvent>)>,
    /// When the last request came.
    pub now: Time,
    pub rare: Rare,
    /// Proceeds of sales and burns of positions that are not settled yet.
    sold: BTreeMap<(UserId, MarketId, bool), i128>,
}

/// An activity of a user; the numbers are positions in the lists.
#[derive(Clone, Copy)]
pub struct Told {
    pub user: UserId,
    pub what: What,
}

#[derive(Clone, Copy)]
pub enum What {
    Created(usize),
    Cancelled(usize),
    Expired(usize),
    Took(usize),
    Made(usize),
    Sets(usize),
    Paid(usize, Outcome),
}

/// A movement of a user's money.
#[derive(Clone, Copy)]
pub struct Moved {
    pub user: UserId,
    pub currency: Currency,
    pub seq: u64,
    pub at: Time,
    pub amount: Money,
}

#[derive(Clone, Copy)]
pub struct Notice {
    pub user: UserId,
    /// Sequence and time, of the newest fill if there are several.
    pub seq: u64,
    pub at: Time,
    pub what: Notified,
    /// When the first fill happened.
    began: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notified {
    Filled,
    /// Fills of resting orders in a place: how many, their shares and their value, and whether all are of one order.
    Made {
        place: (MarketId, Currency, Outcome, Side),
        order: OrderId,
        fills: (u64, i64, i64, bool),
    },
    Settled,
}

impl Notified {
    fn made(trade: &Trade) -> Notified {
        let maker = &trade.maker;
        let value = trade.size.units() * i64::from(maker.price.cents()) * trade.currency.base();
        Notified::Made {
            place: (trade.market, trade.currency, maker.outcome, maker.side),
            order: maker.order,
            fills: (1, trade.size.units(), value, true),
        }
    }
}

/// The result of one sale, burn or settlement.
#[derive(Clone, Copy)]
pub struct Won {
    pub user: UserId,
    pub currency: Currency,
    pub event: EventId,
    pub at: Time,
    pub received: Money,
    pub cost: Money,
    /// Of a settlement: outcomes that paid, and that did not.
    pub settled: Option<(u64, u64)>,
}

#[derive(Clone, Copy)]
pub struct Priced {
    pub market: MarketId,
    pub currency: Currency,
    pub at: Time,
    pub price: Ppm,
    pub volume: Shares,
}

#[derive(Clone, Copy)]
pub struct PoolResult {
    pub market: MarketId,
    pub currency: Currency,
    pub at: Time,
    pub result: i128,
}

pub struct KeptAnswer {
    pub seq: u64,
    pub at: Time,
    pub stored: StoredAnswer,
}

/// What a repetition is answered from.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredAnswer {
    /// Status and body.
    Response(u16, Vec<u8>),
    /// What the response to an operator shows; its handler adds the rest.
    Shown(Box<Shown>),
}

/// What the response to an operator shows.
pub fn shown(applied: &Applied<'_>) -> Option<Shown> {
    match (applied.request.actor, applied.result) {
        (Actor::Operator { .. }, Ok(reply)) => Shown::of(applied.exchange, &applied.request.command, reply),
        _ => None,
    }
}

/// Counts that must not stay 0 over the random days.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rare {
    pub mints: u64,
    pub merges: u64,
    pub pool_trades: u64,
    pub pool_sales: u64,
    pub set_mints: u64,
    pub burns: u64,
    pub expired: u64,
    pub amended: u64,
    pub settled: u64,
    /// Fills that were told with an earlier one.
    pub gathered: u64,
    /// Settled positions with a result of earlier sales.
    pub settled_after_sales: u64,
    pub retired: u64,
    pub pools_settled: u64,
    pub asset_prices: u64,
    pub news: u64,
}

impl Rare {
    pub fn add(&mut self, other: Rare) {
        self.mints += other.mints;
        self.merges += other.merges;
        self.pool_trades += other.pool_trades;
        self.pool_sales += other.pool_sales;
        self.set_mints += other.set_mints;
        self.burns += other.burns;
        self.expired += other.expired;
        self.amended += other.amended;
        self.settled += other.settled;
        self.gathered += other.gathered;
        self.settled_after_sales += other.settled_after_sales;
        self.retired += other.retired;
        self.pools_settled += other.pools_settled;
        self.asset_prices += other.asset_prices;
        self.news += other.news;
    }
}

impl Model {
    /// The fill on a book that has this place among all trades.
    pub fn fill(&self, place: usize) -> StoredTrade {
        let StoredTrade { serial, at, trade } = &self.trades[place];
        match trade {
            Execution::Book(trade) => StoredTrade { serial: *serial, at: *at, trade: *trade },
            Execution::Pool(order) => panic!("a pool fills in no group: {order:?}"),
        }
    }

    /// All fills on books, oldest first.
    pub fn fills(&self) -> impl Iterator<Item = &Trade> {
        self.trades.iter().filter_map(|stored| match &stored.trade {
            Execution::Book(trade) => Some(trade),
            Execution::Pool(_) => None,
        })
    }

    pub fn note(&mut self, applied: &Applied<'_>) {
        self.now = applied.at;
        let catalogue = applied.exchange.catalogue();
        if applied.changes.iter().any(|change| matches!(change, Change::EventCreated { .. })) {
            let home = |(_, market): (_, &Market)| (market.id, catalogue.event(market.event).id);
            self.events.extend(catalogue.markets().map(home));
        }
        for change in applied.changes {
            if let Change::EventRetired(record) = change {
                self.rare.retired += 1;
                self.retired.push((applied.seq, record.clone()));
            }
        }
        let mut before = None;
        for change in applied.changes {
            self.change(applied.at, change, before);
            self.follow_money(applied.seq, applied.at, change, before);
            self.follow_reports(applied.at, change);
            before = Some(change);
        }
        self.follow_pools(applied);
        let Applied { seq, at, request, result, .. } = *applied;
        if request.is_remembered(result) {
            let stored = match shown(applied) {
                Some(shown) => StoredAnswer::Shown(Box::new(shown)),
                None => {
                    let shape = Shape::of(&request.command);
                    let (status, body) = Content::of(shape, result.clone(), at).render(Decimals::Numbers);
                    StoredAnswer::Response(status, body)
                }
            };
            self.answers.push(KeptAnswer { seq, at, stored });
        }
    }

    fn change(&mut self, at: Time, change: &Change, before: Option<&Change>) {
        match change {
            Change::Order { record, cause } => self.order(record, *cause),
            Change::Trade(trade) => self.trade(at, trade),
            Change::PoolSeeded { market, currency, yes_price, .. } => {
                let (market, currency, price) = (*market, *currency, *yes_price);
                self.prices.push(Priced { market, currency, at, price, volume: Shares::ZERO });
            }
            Change::PoolMoved { market, currency, yes_price, cost } => {
                let order = match before {
                    Some(Change::Order { record, cause: OrderCause::Placed }) => Some(record),
                    _ => None,
                };
                let volume = order.map_or(Shares::ZERO, |record| record.terms.filled);
                let (market, currency, price) = (*market, *currency, *yes_price);
                self.prices.push(Priced { market, currency, at, price, volume });
                if let Some(record) = order {
                    self.rare.pool_trades += 1;
                    let (serial, trade) = (self.trades.len() as u64, Execution::Pool(record.record.clone()));
                    self.trades.push(StoredTrade { serial, at, trade });
                }
                if let Some(record) = order.filter(|record| record.terms.side == Side::Sell) {
                    self.rare.pool_sales += 1;
                    let received = record.terms.value - record.terms.fee;
                    self.sale(at, record.user, market, currency, received, *cost);
                }
            }
            Change::Sets(sets) => {
                let serial = self.sets.len();
                self.sets.push(StoredSets { serial: serial as u64, at, sets: *sets });
                self.activities.push(Told { user: sets.user, what: What::Sets(serial) });
                if sets.side == Side::Sell {
                    self.rare.burns += 1;
                    self.sale(at, sets.user, sets.market, sets.currency, sets.cash, sets.cost);
                } else {
                    self.rare.set_mints += 1;
                }
            }
            Change::Settled(settled) => {
                let serial = self.settlements.len();
                self.settlements.push(StoredSettlement { serial: serial as u64, at, settled: *settled });
                let (mut wins, mut losses) = (0, 0);
                let cents = settled.yes_pays.cents();
                for (outcome, shares, pays) in
                    [(Outcome::Yes, settled.yes, cents), (Outcome::No, settled.no, 100 - cents)]
                {
                    if shares.units() > 0 {
                        let what = What::Paid(serial, outcome);
                        self.activities.push(Told { user: settled.user, what });
                        *(if pays > 0 { &mut wins } else { &mut losses }) += 1;
                    }
                }
                self.results.push(Won {
                    user: settled.user,
                    currency: settled.currency,
                    event: self.events[&settled.market],
                    at,
                    received: settled.payout,
                    cost: settled.yes_cost + settled.no_cost,
                    settled: Some((wins, losses)),
                });
                self.compare_sales(settled);
            }
            _ => {}
        }
    }

    /// Prices of assets, and news.
    fn follow_reports(&mut self, at: Time, change: &Change) {
        match change {
            Change::PriceRecorded { symbol, value, source_time } => {
                self.rare.asset_prices += 1;
                let stored = StoredAssetPrice { value: *value, source_time: *source_time, at };
                self.asset_prices.push((symbol.clone(), stored));
            }
            Change::EventNews { event, news, note } => {
                self.rare.news += 1;
                self.news.push((*event, *news, note.clone()));
            }
            _ => {}
        }
    }

    /// The results of the pools that a request changed, by what the house holds after it.
    fn follow_pools(&mut self, applied: &Applied<'_>) {
        for change in applied.changes {
            let (market, currency, result) = match change {
                Change::PoolMoved { market, currency, .. } | Change::PoolSeeded { market, currency, .. } => {
                    (*market, *currency, house_result(applied.exchange, *market, *currency))
                }
                Change::Settled(settled) if settled.user == exchange::Exchange::HOUSE => {
                    self.rare.pools_settled += 1;
                    let cost = settled.yes_cost.units() + settled.no_cost.units();
                    (settled.market, settled.currency, Some(i128::from(settled.payout.units() - cost)))
                }
                _ => continue,
            };
            // A pool that a later change of this request dissolved.
            let Some(result) = result else { continue };
            self.pools.push(PoolResult { market, currency, at: applied.at, result });
        }
    }

    /// Who paid or received how much, in cents times units, and who is notified.
    fn follow_money(&mut self, seq: u64, at: Time, change: &Change, before: Option<&Change>) {
        let mut moved: Vec<(UserId, Currency, i64)> = Vec::new();
        let mut notified: Vec<(UserId, Notified)> = Vec::new();
        match change {
            Change::Funds { user, currency, amount, .. } => moved.push((*user, *currency, amount.units())),
            Change::Trade(trade) => {
                let parties = [(&trade.taker, trade.taker_fee.units()), (&trade.maker, 0)];
                for (party, fee) in parties {
                    let value = trade.size.units() * i64::from(party.price.cents()) * trade.currency.base();
                    let value = if party.side == Side::Buy { -value } else { value };
                    moved.push((party.user, trade.currency, value - fee));
                }
                notified.push((trade.maker.user, Notified::made(trade)));
            }
            Change::Order { record, cause: OrderCause::Placed } if record.terms.filled.units() > 0 => {
                notified.push((record.user, Notified::Filled));
            }
            Change::PoolMoved { .. } => {
                if let Some(Change::Order { record, .. }) = before {
                    let (value, fee) = (record.terms.value.units(), record.terms.fee.units());
                    let value = if record.terms.side == Side::Buy { -value } else { value };
                    moved.push((record.user, record.currency, value - fee));
                }
            }
            Change::Sets(sets) => {
                let cash = sets.cash.units();
                moved.push((sets.user, sets.currency, if sets.side == Side::Buy { -cash } else { cash }));
            }
            Change::Settled(settled) => {
                moved.push((settled.user, settled.currency, settled.payout.units()));
                notified.push((settled.user, Notified::Settled));
            }
            _ => {}
        }
        for (user, currency, units) in moved {
            if user != exchange::Exchange::HOUSE {
                self.movements.push(Moved { user, currency, seq, at, amount: Money::new(units) });
            }
        }
        for (user, what) in notified {
            if user != exchange::Exchange::HOUSE && !self.gather(user, seq, at, what) {
                self.notices.push(Notice { user, seq, at, what, began: at });
            }
        }
    }

    /// Adds a fill to the last notice of its place, if that began at most a minute before.
    fn gather(&mut self, user: UserId, seq: u64, at: Time, what: Notified) -> bool {
        let Notified::Made { place, order, fills: (_, shares, value, _) } = what else { return false };
        let is_recent = |notice: &&mut Notice| at.micros() - notice.began.micros() <= 60_000_000;
        let is_there =
            |notice: &Notice| matches!(notice.what, Notified::Made { place: of, .. } if of == place);
        let mut recent = self.notices.iter_mut().rev().take_while(is_recent);
        let Some(last) = recent.find(|notice| notice.user == user && is_there(notice)) else { return false };
        let Notified::Made { order: first, fills, .. } = &mut last.what else { return false };
        *fills = (fills.0 + 1, fills.1 + shares, fills.2 + value, fills.3 && *first == order);
        (last.seq, last.at) = (seq, at);
        self.rare.gathered += 1;
        true
    }

    fn order(&mut self, record: &OrderRecord, cause: OrderCause) {
        let found = self.orders.iter().rposition(|order| order.terms.id == record.terms.id);
        let place = match (cause, found) {
            (OrderCause::Placed, None) => {
                self.orders.push(record.clone());
                self.orders.len() - 1
            }
            (OrderCause::Placed, Some(_)) => panic!("an order is placed once: {record:?}"),
            (_, Some(place)) => {
                assert!(self.orders[place].status.is_open(), "what is closed stays closed: {record:?}");
                self.orders[place] = record.clone();
                place
            }
            (_, None) => panic!("an order is placed before anything else happens to it: {record:?}"),
        };
        let what = match (cause, record.status) {
            (OrderCause::Placed, _) => What::Created(place),
            (_, OrderStatus::Cancelled) => What::Cancelled(place),
            (_, OrderStatus::Expired) => What::Expired(place),
            _ => {
                self.rare.amended += u64::from(cause == OrderCause::Amended);
                return;
            }
        };
        self.rare.expired += u64::from(record.status == OrderStatus::Expired);
        self.activities.push(Told { user: record.user, what });
    }

    fn trade(&mut self, at: Time, trade: &Trade) {
        let serial = self.trades.len();
        self.trades.push(StoredTrade { serial: serial as u64, at, trade: Execution::Book(*trade) });
        self.rare.mints += u64::from(trade.match_type == MatchType::Mint);
        self.rare.merges += u64::from(trade.match_type == MatchType::Merge);
        self.activities.push(Told { user: trade.taker.user, what: What::Took(serial) });
        self.activities.push(Told { user: trade.maker.user, what: What::Made(serial) });
        let cents = i64::from(trade.taker.price.cents());
        let yes_cents = if trade.taker.outcome == Outcome::Yes { cents } else { 100 - cents };
        let (market, currency) = (trade.market, trade.currency);
        let price = Ppm::new(yes_cents * 10_000);
        self.prices.push(Priced { market, currency, at, price, volume: trade.size });
        self.party(at, trade, &trade.taker, trade.taker_fee);
        self.party(at, trade, &trade.maker, Money::ZERO);
    }

    fn party(&mut self, at: Time, trade: &Trade, party: &Party, fee: Money) {
        if party.side == Side::Sell {
            let cents = i64::from(party.price.cents());
            let value = Money::new(trade.size.units() * cents * trade.currency.base());
            self.sale(at, party.user, trade.market, trade.currency, value - fee, party.cost);
        }
    }

    fn sale(
        &mut self,
        at: Time,
        user: UserId,
        market: MarketId,
        currency: Currency,
        received: Money,
        cost: Money,
    ) {
        let event = self.events[&market];
        self.results.push(Won { user, currency, event, at, received, cost, settled: None });
        *self.sold.entry((user, market, currency == Currency::Usd)).or_default() +=
            i128::from(received.units()) - i128::from(cost.units());
    }

    /// The summed sales of a position equal the exchange's figure at its settlement.
    fn compare_sales(&mut self, settled: &exchange::change::Settled) {
        let key = (settled.user, settled.market, settled.currency == Currency::Usd);
        let sold = self.sold.remove(&key);
        self.rare.settled += 1;
        self.rare.settled_after_sales += u64::from(sold.is_some());
        assert_eq!(
            sold.unwrap_or_default(),
            i128::from(settled.trade_result.units()),
            "the sales of a position add up to its result: {settled:?}"
        );
    }
}

/// The value of the house's shares in a market at the price of its pool, minus their cost.
fn house_result(exchange: &exchange::Exchange, market: MarketId, currency: Currency) -> Option<i128> {
    let listing = ListingIndex::new(exchange.catalogue().find_market(market)?, currency);
    let pool = exchange.catalogue().listing(listing).pool()?;
    let held = |outcome: Outcome| {
        let position = exchange.position(UserIndex::HOUSE, listing);
        let left = position.map_or(0, |position| position.holding(outcome).total().units());
        i128::from(left)
    };
    let (yes, no) = (i128::from(pool.yes.units()), i128::from(pool.no.units()));
    let (yes, no) = (yes + held(Outcome::Yes), no + held(Outcome::No));
    let price = i128::from(pool.price(Outcome::Yes).units());
    let value = (yes * price + no * (1_000_000 - price)) * i128::from(currency.base());
    Some(value.div_euclid(10_000) - i128::from(pool.seeded.payout(currency).units()))
}
