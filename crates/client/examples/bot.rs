//! Quotes both sides of a market, for as many seconds as its argument says.

use std::time::Duration;

use client::{CancelConditions, Client, Decimal, OutcomeSide, Result, Side, Size, StpMode};
use tokio::time::{Instant, timeout_at};

#[tokio::main]
async fn main() -> Result<()> {
    let seconds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(60);
    let (edge, cent, one) = (Decimal::new(3, 2), Decimal::new(1, 2), Decimal::ONE);
    let client = Client::from_env()?;
    let event = client.event("rain-in-lagos-on-new-years-day").await?;
    let market = event.market()?;
    let mut stream = market.follow();
    let mut quoted = None;

    let end = Instant::now() + Duration::from_secs(seconds);
    while let Ok(update) = timeout_at(end, stream.next()).await {
        let (update, book) = (update?, stream.book());
        if !book.is_trusted() {
            println!("the book is stale: {}", update.reason);
            quoted = None;
            continue;
        }
        client.cancel_after(Duration::from_secs(60)).await?;
        let worth = book.last_price().or(book.mid(OutcomeSide::Yes)).unwrap_or(Decimal::new(5, 1));
        let fair = worth.round_dp(2);
        if quoted == Some(fair) {
            continue;
        }
        market.cancel_all().await?;
        let orders = [(market.yes(), fair), (market.no(), one - fair)].map(|(outcome, worth)| {
            let price = (worth - edge).clamp(cent, one - cent);
            outcome.new_order(Side::Buy, Size::amount(10)).price(price).stp_mode(StpMode::CancelOldest)
        });
        let batch = client.place(&orders).await?;
        let prices: Vec<_> = batch.orders().map(|order| order.price.to_string()).collect();
        println!("worth {fair}, quotes at {}", prices.join(" and "));
        quoted = Some(fair);
    }

    for order in client.cancel_all(&CancelConditions::default()).await? {
        println!("cancelled {} {} at {}", order.side, order.outcome_label, order.price);
    }
    client.cancel_after(Duration::ZERO).await?;
    Ok(())
}
