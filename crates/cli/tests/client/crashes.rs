//! Orders while the exchange is killed and started again: every answered order exists, and none exists twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use client::{Decimal, Error, OrderFilters, OrderStatus, Uuid};

use crate::exchange::Exchange;
use crate::{BOOK, block_on, within};

const KILLS: usize = 2;
const ORDERS_BETWEEN: usize = 8;

#[test]
fn a_killed_exchange_doubles_and_loses_no_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = Exchange::start(folder.path());
    let (path, address) = (folder.path(), first.address());
    let client = first.builder(1).retry(Duration::from_secs(300)).build().expect("a client");
    let last = block_on(async move {
        let mut running = first;
        let market = client.event(BOOK).await.expect("an event").market().expect("one market").clone();
        // The number of orders to place; it grows until the end is known.
        let (wanted, placed) = (Arc::new(AtomicUsize::new(usize::MAX)), Arc::new(AtomicUsize::new(0)));
        let (end, count) = (Arc::clone(&wanted), Arc::clone(&placed));
        let placing = tokio::spawn(async move {
            let mut ids: Vec<Uuid> = Vec::new();
            while ids.len() < end.load(Ordering::Relaxed) {
                ids.push(market.yes().buy_shares(100).price(Decimal::new(2, 2)).await?.id);
                count.store(ids.len(), Ordering::Relaxed);
            }
            Ok::<_, Error>(ids)
        });
        for kill in 0..=KILLS {
            let goal = placed.load(Ordering::Relaxed) + ORDERS_BETWEEN;
            stage::soon("no orders", async || (placed.load(Ordering::Relaxed) >= goal).then_some(())).await;
            if kill < KILLS {
                running.kill();
                running = tokio::task::block_in_place(|| Exchange::start_at(path, &address, 1_000_000));
            }
        }
        wanted.store(0, Ordering::Relaxed);
        let mut ids = within("the last order", placing).await.expect("no panic").expect("no error");
        let open = OrderFilters { status: Some(OrderStatus::Open), ..OrderFilters::default() };
        let resting = running.client(1).orders(open).all().await.expect("orders");
        let mut resting: Vec<_> = resting.iter().map(|order| order.id).collect();
        resting.sort_unstable();
        ids.sort_unstable();
        assert_eq!(resting, ids);
        running
    });
    last.stop();
}
