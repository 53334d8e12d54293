//! The objects of an exchange: an event, its market, its outcomes, orders and lists.

use client::{Client, Currency, Decimal, OrderFilters, OrderStatus, Result};

#[tokio::main]
async fn main() -> Result<()> {
    let client = Client::from_env()?;
    let event = client.event("rain-in-lagos-on-new-years-day").await?; // by slug or id
    let market = event.market()?; // or event.markets(), event.find("title")
    let bought = market.yes().buy(10).await?; // spend ten dollars
    println!("bought {} at {}", bought.filled_size, bought.avg_fill_price);
    let mut order = market.no().buy_shares(50).price(Decimal::new(2, 2)).await?; // a limit order
    order.amend(None, Some(60.into())).await?;
    order.cancel().await?;
    order.wait().await?; // until it is filled or closed
    market.mint(5).await?; // five dollars become five YES and five NO
    market.burn(5).await?;

    for trade in market.trades().first(10).await? {
        println!("{} {}", trade.price, trade.size);
    }
    let filters = OrderFilters { status: Some(OrderStatus::Open), ..OrderFilters::default() };
    let mut open = client.orders(filters);
    while let Some(order) = open.next().await? {
        println!("{}", order.id); // lists are read page by page
    }
    let naira = client.in_currency(Currency::Ngn).event(&event.slug).await?; // the other currency
    println!("{}", naira.market()?.currency());
    Ok(())
}
