//! A sandbox through the client library: its clock, its faults, its counterparties and its snapshots.

use std::path::PathBuf;
use std::time::Duration;

use client::sandbox::{FaultConditions, FaultKind, Sandbox, SandboxOptions};
use client::{Currency, Decimal, OrderFilters, Status};

use crate::block_on;

#[test]
fn a_sandbox_moves_its_clock_fills_orders_plants_faults_and_begins_again() {
    block_on(async {
        let executable = PathBuf::from(env!("CARGO_BIN_EXE_bellwether"));
        let sandbox = Sandbox::start(SandboxOptions { executable, ..SandboxOptions::default() }).await;
        let sandbox = sandbox.expect("a sandbox");
        let began = sandbox.clock().await.expect("a clock");
        assert!(!began.running && began.deterministic);
        let later = sandbox.advance(Duration::from_millis(90_000)).await.expect("a clock");
        assert!(later.now > began.now, "{later:?}");

        let user = sandbox.user("ada").await.expect("a user");
        assert!(!format!("{user:?}").contains(&user.secret_key));
        let client = sandbox.client(&user).build().expect("a client");
        let before = client.wallet().await.expect("a wallet").available_balance;
        sandbox.credit("ada", 5, Currency::Usd).await.expect("money");
        assert_eq!(client.wallet().await.expect("a wallet").available_balance, before + Decimal::from(5));

        let event = client.event("rain-tomorrow").await.expect("an event");
        let market = event.market().expect("one market");
        let snapshot = sandbox.snapshot().await.expect("a snapshot");

        // The answer is lost, and the repetition gets the same order.
        let conditions = FaultConditions {
            method: Some("POST".to_owned()),
            path: Some("*/orders".to_owned()),
            ..FaultConditions::default()
        };
        let fault = sandbox.fault(FaultKind::LostAnswer, &conditions).await.expect("a fault");
        let mut order = market.yes().buy_shares(100).price(Decimal::new(2, 2)).await.expect("an order");
        assert_eq!(fault.counts().await.expect("counts").fired, 1);
        fault.remove().await.expect("a removal");
        assert_eq!(market.orders(OrderFilters::default()).all().await.expect("orders").len(), 1);
        sandbox.fill(order.id, None).await.expect("a fill");
        order.refresh().await.expect("an order");
        assert!(order.is_filled(), "{order:?}");

        sandbox.resolve("rain-tomorrow", Some(market.id)).await.expect("an end");
        assert_eq!(client.event("rain-tomorrow").await.expect("an event").status, Status::Resolved);
        sandbox.return_to(&snapshot).await.expect("a return");
        assert!(market.orders(OrderFilters::default()).all().await.expect("orders").is_empty());
        let again = Sandbox::connect(sandbox.sandbox_url()).await.expect("a sandbox");
        assert_eq!(again.base_url(), sandbox.base_url());
        assert!(again.reset().await.expect("a clock").now < later.now);
        assert!(sandbox.resolve("no-such-event", None).await.expect_err("no event").is_not_found());
    });
}
