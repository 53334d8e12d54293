//! The bar: a maker quotes while its connections are cut at random bytes. Nothing doubles, and local copies stay right.
//!
//! `CUTS=n` cuts n times, `SEED=s` repeats a run.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use client::models::Level;
use client::{
    ActivityFilters, ActivityGroup, Client, Decimal, Market, OrderFilters, OrderStatus, Result, Side, Size,
    TimeInForce, Uuid,
};
use tokio::sync::oneshot;

use crate::exchange::Exchange;
use crate::followers::{Past, follow_account, follow_market, orders_text};
use crate::proxy::{Direction, Kind, Proxy};
use crate::{BOOK, block_on, within};

/// Kind, direction, and the most bytes before a cut.
const PLACES: [(Kind, Direction, usize); 4] = [
    (Kind::Http, Direction::ToTheExchange, 900),
    (Kind::Http, Direction::ToTheClient, 3_000),
    (Kind::Stream, Direction::ToTheExchange, 300),
    (Kind::Stream, Direction::ToTheClient, 3_000),
];

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn open() -> OrderFilters {
    OrderFilters { status: Some(OrderStatus::Open), ..OrderFilters::default() }
}

/// Quotes through the proxy, and counts confirmed writes.
struct Maker {
    client: Client,
    market: Market,
    chance: fastrand::Rng,
    placed: BTreeSet<Uuid>,
    minted: usize,
}

impl Maker {
    async fn run(mut self, is_stopping: Arc<AtomicBool>) -> Result<Maker> {
        while !is_stopping.load(Ordering::Relaxed) {
            match self.chance.u8(0..5) {
                0 => self.batch().await?,
                1 => self.amend().await?,
                2 => {
                    self.market.mint(2).await?;
                    self.minted += 1;
                }
                _ => self.place().await?,
            }
            self.cancel_oldest().await?;
        }
        Ok(self)
    }

    fn terms(&mut self) -> (Decimal, Decimal) {
        (Decimal::from(self.chance.u32(50..=90)), Decimal::new(self.chance.i64(5..=25), 2))
    }

    async fn place(&mut self) -> Result<()> {
        let (quantity, price) = self.terms();
        let order = self.market.yes().buy_shares(quantity).price(price).await?;
        assert!(self.placed.insert(order.id), "two placements got one order");
        Ok(())
    }

    async fn batch(&mut self) -> Result<()> {
        let mut orders = Vec::new();
        for _ in 0..3 {
            let (quantity, price) = self.terms();
            orders.push(self.market.no().new_order(Side::Buy, Size::Quantity(quantity)).price(price));
        }
        let batch = self.client.place(&orders).await?;
        assert_eq!(batch.failures().count(), 0, "{batch:?}");
        self.placed.extend(batch.orders().map(|order| order.id));
        Ok(())
    }

    async fn amend(&mut self) -> Result<()> {
        for mut order in self.market.orders(open()).first(1).await? {
            let size = order.size + Decimal::ONE;
            unless_filled(order.amend(None, Some(size)).await)?;
        }
        Ok(())
    }

    async fn cancel_oldest(&mut self) -> Result<()> {
        for mut order in self.market.orders(open()).all().await?.into_iter().skip(6) {
            unless_filled(order.cancel().await)?;
        }
        Ok(())
    }
}

/// The taker may have filled the order in the meantime.
fn unless_filled(result: Result<()>) -> Result<()> {
    match result {
        Err(error) if error.to_string().contains("ORDER_NOT_OPEN") => Ok(()),
        result => result,
    }
}

/// The local copy equals the exchange's state at one sequence. A sequence that a snapshot skipped is read anew.
async fn compare<F: Future<Output = (u64, String)>>(
    what: &str,
    past: &Past,
    text: usize,
    look: impl Fn() -> F,
) {
    loop {
        let (sequence, expected) = look().await;
        if let Some(local) = past.at(sequence, text).await {
            assert_eq!(local, expected, "{what} at sequence {sequence}");
            return;
        }
    }
}

async fn read_book(market: &Market) -> (u64, String) {
    let book = market.yes().book(99).await.expect("a book");
    let side = |levels: &[Level]| {
        let texts = levels.iter().map(|level| format!("{} @ {}", level.quantity, level.price));
        texts.collect::<Vec<_>>().join(", ")
    };
    (book.as_of.expect("a sequence"), format!("{} | {}", side(&book.bids), side(&book.asks)))
}

async fn read_orders(client: &Client) -> (u64, String) {
    let page = client.orders(open()).page_size(100).next_page().await.expect("orders").expect("a page");
    assert!(page.len() < 100, "one page has all orders");
    let sequence = match page.first() {
        Some(order) => order.as_of(),
        None => client.wallet().await.expect("a wallet").as_of,
    };
    (sequence.expect("a sequence"), orders_text(page.iter().map(|order| order.data())))
}

async fn read_dollars(client: &Client) -> (u64, String) {
    let wallet = client.wallet().await.expect("a wallet");
    let text = format!("{} {}", wallet.available_balance, wallet.pending_balance);
    (wallet.as_of.expect("a sequence"), text)
}

/// Plans the next cut: of an order's request or answer, or of a stream, at any byte.
fn plan(proxy: &Proxy, chance: &mut fastrand::Rng) -> oneshot::Receiver<()> {
    let (kind, direction, most) = PLACES[chance.usize(..PLACES.len())];
    let done = proxy.cut(direction, kind, chance.usize(..=most), chance.bool());
    // Bytes go there only while a connection begins.
    if (kind, direction) == (Kind::Stream, Direction::ToTheExchange) {
        proxy.end_streams();
    }
    done
}

/// Orders and mints that the exchange has.
async fn counted(client: &Client, market: &Market) -> (BTreeSet<Uuid>, usize) {
    let orders = market.orders(OrderFilters::default()).all().await.expect("orders");
    let sets = client.activities(ActivityFilters { group: Some(ActivityGroup::Sets) });
    let sets = sets.all().await.expect("activities");
    (orders.iter().map(|order| order.id).collect(), sets.len())
}

#[test]
fn cut_connections_double_no_order_and_leave_local_copies_right() {
    let (cuts, seed) = (setting("CUTS", 50), setting("SEED", 20_261_117));
    println!("{cuts} cuts, seed {seed}");
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(cut_while_quoting(&exchange, cuts, seed));
    exchange.stop();
}

async fn cut_while_quoting(exchange: &Exchange, cuts: u64, seed: u64) {
    let mut chance = fastrand::Rng::with_seed(seed);
    let proxy = Proxy::start(exchange.address()).await;
    let direct = exchange.client(3);
    let client = exchange.client_at(3, &proxy.url, Duration::from_secs(300));
    let market_of = async |client: &Client| {
        client.event(BOOK).await.expect("an event").market().expect("one market").clone()
    };
    let (seen, taker) = (market_of(&direct).await, market_of(&exchange.client(4)).await);
    taker.mint(10 * cuts).await.expect("shares to sell");
    let (before, sets_before) = counted(&direct, &seen).await;

    let (books, accounts) = (Past::default(), Past::default());
    let market = market_of(&client).await;
    let following = [
        tokio::spawn(follow_market(market.follow(), books.clone())),
        tokio::spawn(follow_account(client.follow_account().expect("a stream"), accounts.clone())),
    ];
    let chance_of_maker = fastrand::Rng::with_seed(seed + 1);
    let maker = Maker { client, market, chance: chance_of_maker, placed: BTreeSet::new(), minted: 0 };
    let is_stopping = Arc::new(AtomicBool::new(false));
    let mut making = tokio::spawn(maker.run(Arc::clone(&is_stopping)));
    for _ in 0..cuts {
        let cut = plan(&proxy, &mut chance);
        tokio::select! {
            done = within("a cut", cut) => done.expect("a cut"),
            ended = &mut making => panic!("the maker ended: {:?}", ended.expect("no panic").err()),
        }
        let sale = taker.yes().sell_shares(chance.u32(1..=9)).price(Decimal::new(5, 2));
        sale.time_in_force(TimeInForce::Fak).await.expect("a sale");
        compare("the book", &books, 0, || read_book(&seen)).await;
        compare("the orders", &accounts, 0, || read_orders(&direct)).await;
        compare("the dollars", &accounts, 1, || read_dollars(&direct)).await;
    }
    is_stopping.store(true, Ordering::Relaxed);
    let maker = within("the end of the maker", making).await.expect("no panic").expect("no error");
    for task in following {
        assert!(!task.is_finished(), "a stream ended: {:?}", task.await);
        task.abort();
    }
    let (after, sets) = counted(&direct, &seen).await;
    let added: BTreeSet<_> = after.difference(&before).copied().collect();
    assert_eq!(added, maker.placed);
    assert_eq!(sets - sets_before, maker.minted);
    let counts = proxy.counts();
    println!("cut: {} requests, {} streams; {} orders", counts.http, counts.streams, maker.placed.len());
    assert!(counts.http + counts.streams >= cuts && counts.http.min(counts.streams) > 0, "{counts:?}");
    assert!(books.losses() + accounts.losses() > 0, "a cut stream says that its copy is not to be trusted");
}
