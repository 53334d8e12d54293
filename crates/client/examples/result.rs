//! The results of a bot: its last orders, the movements of its money, profit and loss.

use client::{Client, OrderFilters, OrderStatus, PnlSpan, Result, StatementFilters};

#[tokio::main]
async fn main() -> Result<()> {
    let client = Client::from_env()?;
    let cancelled = OrderFilters { status: Some(OrderStatus::Cancelled), ..OrderFilters::default() };
    for order in client.orders(cancelled).first(3).await? {
        let (side, label, price, filled) =
            (&order.side, &order.outcome_label, order.price, order.filled_size);
        println!("{} {side} {label} {price} {filled}", order.created_at);
    }
    for movement in client.statement(StatementFilters::default()).first(3).await? {
        let (at, kind) = (movement.created_at, movement.movement_type);
        println!("{at} {kind} {}, balance {}", movement.amount, movement.balance);
    }
    let result = client.pnl(PnlSpan::default()).await?;
    println!("realised: {}", result.realized_pnl);
    Ok(())
}
