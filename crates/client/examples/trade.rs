//! Buys, rests an order, changes it, cancels it, and sells again.

use client::{Client, Decimal, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let client = Client::from_env()?;
    let event = client.event("rain-in-lagos-on-new-years-day").await?;
    let market = event.market()?;

    let bought = market.yes().buy(10).await?;
    println!("{}: {} shares at {}", bought.status, bought.filled_size, bought.avg_fill_price);

    let two_cents = Decimal::new(2, 2);
    let mut resting = market.yes().buy_shares(50).price(two_cents).post_only().await?;
    println!("rests: {}", resting.is_open());
    resting.amend(None, Some(Decimal::from(60))).await?;
    resting.cancel().await?;

    let sold = market.yes().sell_shares(bought.filled_size).await?;
    println!("{} for {}", sold.status, sold.amount);
    println!("left: {}", client.wallet().await?.available_balance);
    Ok(())
}
