//! History against a model that keeps everything in plain lists: random days, restarts, crashes, rebuilding, long
//! lists.
//!
//! The node's part is played here without a journal: `day` applies, `kept` records and reads, `model` checks. Each
//! day follows from its seed.

mod activities;
mod between;
mod day;
mod fixed_reads;
mod kept;
mod long;
mod model;
mod moving;
mod orders;
mod pages;
mod play;
mod results;
mod retired;
mod statement;
mod statistics;
mod trades;
mod trial;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use exchange::catalogue::Engine;
use exchange::id::{OrderId, UserId};
use exchange::order::Side;
use server::history::{ActivityFilter, TradeFilter, Window};

use model::Rare;
use moving::List;
use orders::Asked;
use play::{Play, feed};
use trial::Tally;

const SEEDS: u64 = 200;
const COMMANDS: usize = 1_400;

/// Plays seeds on all processors, and sums up their tallies.
fn over_seeds(seeds: std::ops::Range<u64>, play: impl Fn(u64) -> Play + Sync) -> (Tally, Rare) {
    let (next, total) = (AtomicU64::new(seeds.start), Mutex::new((Tally::default(), Rare::default())));
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    let _telling = Telling(seed);
                    let played = play(seed);
                    let mut total = total.lock().expect("no other seed has failed");
                    total.0.add(played.tally);
                    total.1.add(played.model.rare);
                }
            });
        }
    });
    let (tally, rare) = total.into_inner().expect("no seed has failed");
    println!("{} seeds in {:.1?}: {tally:?}, {rare:?}", seeds.end - seeds.start, started.elapsed());
    (tally, rare)
}

/// Prints the seed if the test panics.
struct Telling(u64);

impl Drop for Telling {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {} has failed", self.0);
        }
    }
}

#[test]
fn every_read_of_a_random_history_equals_a_plain_scan() {
    let (tally, rare) = over_seeds(1..1 + SEEDS, |seed| {
        let mut play = Play::new(seed, 40);
        // The moment of the reads is random too: early in a day, or late.
        let commands = play.random.below(COMMANDS);
        play.steps(commands);
        if seed % 4 == 0 {
            play.trial().check_all(1);
        }
        play.steps(COMMANDS - commands);
        let mut trial = play.trial();
        trial.check_all(2);
        if seed % 2 == 0 {
            trial.check_trades_of_all();
            trial.check_orders_of_all();
        }
        play
    });
    assert!(tally.comparisons > 100_000 && tally.continued > 20_000, "{tally:?}");
    assert!(tally.empty > 10_000 && tally.restarts > 200 && tally.answers_forgotten > 100, "{tally:?}");
    assert!(rare.mints > 100 && rare.merges > 100, "{rare:?}");
    assert!(rare.pool_trades > 1_000 && rare.pool_sales > 100 && rare.set_mints > 1_000, "{rare:?}");
    assert!(rare.burns > 100 && rare.expired > 100 && rare.amended > 100, "{rare:?}");
    assert!(rare.settled > 1_000 && rare.settled_after_sales > 300, "{rare:?}");
    assert!(rare.retired > 100 && rare.gathered > 100, "{rare:?}");
    assert!(rare.pools_settled > 100 && rare.asset_prices > 1_000 && rare.news > 10, "{rare:?}");
}

#[test]
fn a_history_of_nothing_answers_every_read_with_nothing() {
    let mut play = Play::new(1, 0);
    play.trial().check_all(2);
    assert_eq!(play.tally.rows, 0);
    assert!(play.tally.comparisons > 500, "{:?}", play.tally);
}

#[test]
fn cursors_over_a_moving_list_lose_no_row_and_repeat_none() {
    let walked = AtomicU64::new(0);
    over_seeds(1_000..1_060, |seed| {
        let mut play = Play::new(seed, 10);
        play.steps(400);
        let user = play.model.orders.last().map_or(UserId::new(1), |record| record.user);
        let market = play.model.trades.last().map(|stored| stored.trade.market());
        let on = |engine| TradeFilter { engine: Some(engine), ..TradeFilter::default() };
        let lists = [
            List::Trades(TradeFilter::default()),
            List::Trades(on(Engine::Clob)),
            List::Trades(on(Engine::Amm)),
            List::Trades(TradeFilter { user: Some(user), ..on(Engine::Clob) }),
            List::Trades(TradeFilter { market, ..TradeFilter::default() }),
            List::Trades(TradeFilter { market, user: Some(user), ..TradeFilter::default() }),
            List::Orders(user, Asked::default()),
            List::Orders(user, Asked::status("open")),
            List::Orders(user, Asked::status("filled")),
            List::Orders(user, Asked::status("cancelled")),
            List::Orders(user, Asked { market, ..Asked::default() }),
            List::Orders(user, Asked { market, ..Asked::status("filled") }),
            List::Activities(user, None),
            List::Activities(user, Some(ActivityFilter::Limits)),
            List::Activities(user, Some(ActivityFilter::Buys)),
        ];
        for list in lists {
            let size = play.random.one_of([1, 3, 10]);
            walked.fetch_add(moving::walk(&mut play, &list, size) as u64, Ordering::Relaxed);
        }
        play
    });
    let walked = walked.into_inner();
    assert!(walked > 10_000, "there was something to walk over: {walked}");
}

#[test]
fn a_read_between_two_writes_sees_one_moment() {
    let closed = AtomicU64::new(0);
    let (tally, _) = over_seeds(1_100..1_120, |seed| {
        let mut play = Play::new(seed, 10);
        play.steps(300);
        for _ in 0..120 {
            play.steps(5);
            let market = play.model.trades.last().map(|stored| stored.trade.market());
            let market = market.filter(|_| play.random.chance(50));
            let size = play.random.one_of([5, 20, 100]);
            let window = Window::Page { page: 1 + play.random.below(2) as u64, size };
            between::glance(&mut play, TradeFilter { market, ..TradeFilter::default() }, window);

            let last = play.model.orders.last();
            let Some((user, market)) = last.map(|record| (record.user, Some(record.market))) else {
                continue;
            };
            let asked = match play.random.below(5) {
                0 => Asked::default(),
                1 => Asked { market, ..Asked::default() },
                2 => Asked { market, side: Some(Side::Buy), ..Asked::default() },
                3 => Asked { market, ..Asked::status("filled") },
                _ => Asked::status("cancelled"),
            };
            let commands = play.random.below(30);
            let rows = between::late_orders(&mut play, user, &asked, window, commands);
            closed.fetch_add(rows as u64, Ordering::Relaxed);
        }
        play
    });
    assert!(tally.comparisons > 2_000, "{tally:?}");
    let closed = closed.into_inner();
    assert!(closed > 100, "orders closed between the two looks: {closed}");
}

#[test]
fn feeding_again_what_is_stored_changes_nothing() {
    over_seeds(2_000..2_012, |seed| {
        let mut play = Play::new(seed, 0);
        play.steps(COMMANDS);
        let before = fixed_reads::answers(&mut play.trial());
        play.kept.reopen();
        assert_eq!(play.kept.known(), play.day.exchange.seq(), "everything was stored");
        play.feed_again();
        assert!(fixed_reads::answers(&mut play.trial()) == before, "the answers are the same bytes");
        play.steps(100);
        play.trial().check_all(1);
        play
    });
}

#[test]
fn a_crash_at_any_moment_loses_and_doubles_nothing() {
    let behind = AtomicU64::new(0);
    over_seeds(3_000..3_030, |seed| {
        let mut play = Play::new(seed, 20);
        let (first, second) = (play.random.below(500), 50 + play.random.below(200));
        play.steps(first);
        play.kept.send_batch();
        // History is durable up to here; every other crash takes everything after it.
        play.kept.make_durable();
        let durable = play.day.exchange.seq();
        if seed % 2 != 0 {
            let lost = play.random.below(100);
            play.steps(1 + lost);
            play.kept.send_batch();
        }
        let seq = play.day.exchange.seq();
        let mut crashed = play.kept.crashed(seq, play.random.below(1_000));
        assert!(crashed.known() >= durable, "what was made durable is there");
        assert!(crashed.known() <= seq, "a crash adds nothing");
        behind.fetch_add(u64::from(crashed.known() < seq), Ordering::Relaxed);
        play.steps(second);
        play.trial().check_all(1);
        let before = fixed_reads::answers(&mut play.trial());
        feed(&play.day, &mut crashed, &mut play.random);
        play.kept = crashed;
        play.trial().check_all(1);
        assert!(fixed_reads::answers(&mut play.trial()) == before, "the answers are the same bytes");
        play
    });
    assert!(behind.into_inner() > 5, "some crashes took something with them");
}

#[test]
fn a_history_that_is_made_again_answers_with_the_same_bytes() {
    let bytes = AtomicU64::new(0);
    over_seeds(4_000..4_016, |seed| {
        let mut play = Play::new(seed, 20);
        play.steps(COMMANDS);
        let before = fixed_reads::answers(&mut play.trial());
        play.kept.remove();
        assert_eq!(play.kept.known(), 0, "nothing is left");
        play.feed_again();
        let after = fixed_reads::answers(&mut play.trial());
        assert_eq!(after.len(), before.len());
        for (number, (after, before)) in after.iter().zip(&before).enumerate() {
            let [after, before] = [after, before].map(|answer| String::from_utf8_lossy(answer));
            assert_eq!(after, before, "answer {number}");
        }
        bytes.fetch_add(before.iter().map(|answer| answer.len() as u64).sum(), Ordering::Relaxed);
        play
    });
    assert!(bytes.into_inner() > 10_000_000, "there was something to answer");
}

#[test]
fn long_lists_of_many_chunks_are_paged_exactly() {
    let mut play = long::play(5, 20, 5_600);
    let of_taker = play.model.orders.iter().filter(|record| record.user == long::TAKER).count();
    assert!(of_taker > 4_096 + 500, "the taker's orders fill more than one chunk: {of_taker}");
    let fills = |order: OrderId| play.model.fills().filter(|trade| trade.maker.order == order).count();
    let fills = play.model.fills().next().map(|trade| fills(trade.maker.order));
    assert!(fills > Some(250), "an order filled as a maker often: {fills:?}");
    let mut trial = play.trial();
    trial.check_all(3);
    for user in [long::MAKER, long::TAKER, long::SELLER] {
        for status in ["filled", "cancelled", "expired", "rejected", "open"] {
            trial.walk_orders(user, &Asked::status(status));
        }
        trial.walk_orders(user, &Asked::default());
    }
    // Every boundary of a chunk, from both sides.
    for cursor in (0..=of_taker as u64 + 600).filter(|cursor| matches!(cursor % 100, 0 | 1 | 99)) {
        let window = Window::After { cursor, size: 3 };
        trial.compare_trades(TradeFilter { market: Some(long::MARKET), ..TradeFilter::default() }, window);
        trial.compare_trades(TradeFilter { user: Some(long::MAKER), ..TradeFilter::default() }, window);
        trial.compare_orders(long::TAKER, &Asked::default(), window);
        trial.compare_orders(long::TAKER, &Asked::status("filled"), window);
        trial.compare_orders(long::TAKER, &Asked::status("cancelled"), window);
    }
    println!("{:?}", play.tally);
}
