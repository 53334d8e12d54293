//! Looks at a market: its events, its book, a quote.

use client::{Client, Engine, EventFilters, Result, Side, Size, Status};

#[tokio::main]
async fn main() -> Result<()> {
    let client = Client::from_env()?;
    let filters =
        EventFilters { status: Some(Status::Open), engine: Some(Engine::Clob), ..EventFilters::default() };
    for event in client.events(filters).first(5).await? {
        println!("{}", event.slug);
    }

    let event = client.event("rain-in-lagos-on-new-years-day").await?;
    let market = event.market()?;
    println!("{} costs {}", market.title, market.yes().buy_price());
    let book = market.yes().book(99).await?;
    let price = |level: Option<&client::models::Level>| level.map(|level| level.price.to_string());
    println!("best bid {:?}, best ask {:?}", price(book.best_bid()), price(book.best_ask()));
    let quote = market.yes().quote(Side::Buy, Size::amount(10)).await?;
    println!("ten dollars buy {} shares", quote.quantity);
    Ok(())
}
