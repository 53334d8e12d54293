//! Bids for both outcomes, three cents below what each was last worth.
use std::time::Duration;

use client::{CancelConditions, Client, Decimal, OutcomeSide, Result, Side, Size};
use tokio::time::{Instant, timeout_at};

#[tokio::main]
async fn main() -> Result<()> {
    let seconds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(60);
    let client = Client::from_env()?;
    let market = client.event("rain-in-lagos-on-new-years-day").await?.market()?.clone();
    let (mut stream, mut quoted) = (market.follow(), None);
    let end = Instant::now() + Duration::from_secs(seconds);
    while let Ok(update) = timeout_at(end, stream.next()).await {
        let (update, book) = (update?, stream.book());
        let worth = book.last_price().or(book.mid(OutcomeSide::Yes)).unwrap_or(Decimal::new(5, 1));
        let fair = book.is_trusted().then(|| worth.round_dp(2));
        let Some(fair) = fair.filter(|fair| quoted != Some(*fair)) else {
            quoted = quoted.and(fair);
            continue;
        };
        market.cancel_all().await?;
        let orders = [(market.yes(), fair), (market.no(), Decimal::ONE - fair)].map(|(outcome, worth)| {
            let price = (worth - Decimal::new(3, 2)).max(Decimal::new(1, 2));
            outcome.new_order(Side::Buy, Size::amount(10)).price(price)
        });
        let batch = client.place(&orders).await?;
        println!("{}: {} quotes around {fair}", update.sequence, batch.summary.succeeded);
        quoted = Some(fair);
    }
    client.cancel_all(&CancelConditions::default()).await.map(drop)
}
