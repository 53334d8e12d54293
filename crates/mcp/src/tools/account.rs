//! The account: money, shares, the cap, and past activity.

use api::Word;
use api::decimal::{Money, Shares, UnitPrice};
use api::terms::{ActivityType, Currency, OutcomeSide};
use serde_json::{Value, json};

use crate::agent::{Agent, Reach};
use crate::arguments::Arguments;
use crate::stop::Stop;
use crate::text;
use crate::venue::{Call, Venue};
use crate::wire::{Activities, Activity, Portfolio, Position, Wallets, date, known};

/// Positions in one answer.
const POSITIONS_MAX: u32 = 50;

impl<V: Venue> Agent<V> {
    pub(crate) async fn get_portfolio(&self, _: Arguments) -> Result<Value, Stop> {
        self.refresh().await;
        let wallets: Wallets = self.read(Call::get("/v1/wallet/assets").of_account()).await?;
        let call = Call::get("/v1/pm/portfolio").with("size", POSITIONS_MAX).of_account();
        let portfolio: Portfolio = self.read(call).await?;
        let mut positions = Vec::with_capacity(portfolio.outcome_balances.len());
        for position in &portfolio.outcome_balances {
            positions.push(self.position(position).await);
        }
        let wallets = wallets.assets.iter().map(|wallet| {
            json!({
                "currency": known::<Currency>(&wallet.symbol),
                "free": wallet.available_balance.to_string(),
                "held_by_orders": wallet.pending_balance.to_string(),
            })
        });
        Ok(json!({
            "wallets": wallets.collect::<Vec<_>>(),
            "positions": positions,
            "positions_total": portfolio.pagination.total_count,
            "cap": self.cap(),
        }))
    }

    /// A position with names instead of ids. A slug that cannot be read is null: one event must not hide the account.
    async fn position(&self, position: &Position) -> Value {
        let market = &position.market;
        let event = self.names_of(market.event.id).await.ok();
        let is_yes = OutcomeSide::find(&position.outcome) == Some(OutcomeSide::Yes);
        let label = if is_yes { &market.outcome1_label } else { &market.outcome2_label };
        json!({
            "event": event.as_ref().map(|event| event.slug.as_str()),
            "event_title": text::name(&market.event.title),
            "market": text::name(&market.title),
            "outcome": {"label": text::name(label), "side": known::<OutcomeSide>(&position.outcome)},
            "currency": known::<Currency>(&position.currency),
            "shares": position.balance.to_string(),
            "free_shares": position.available_balance.to_string(),
            "average_price": position.average_price.to_string(),
            "cost": position.cost.to_string(),
            "value_if_sold_now": position.current_value.to_string(),
            "payout_if_it_wins": position.payout_if_outcome_wins.to_string(),
        })
    }

    /// Both caps and what is left; null for an account that cannot trade.
    pub(crate) fn cap(&self) -> Value {
        if self.reach < Reach::Trading {
            return Value::Null;
        }
        let caps = self.budget.caps();
        let unanswered = self.budget.pending().iter().filter(|(_, pending)| pending.order.is_none()).count();
        json!({
            "currency": self.currency,
            "max_spend": caps.spend_max.to_string(),
            "max_order": caps.order_max.to_string(),
            "spent": self.budget.spent().to_string(),
            "left": self.budget.left().to_string(),
            "unknown_outcomes": unanswered,
        })
    }

    pub(crate) async fn list_activity(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let limit = arguments.count("limit", 20, 50)?;
        let call = Call::get("/v1/pm/activities").with("size", limit).of_account();
        let found: Activities = self.read(call).await?;
        Ok(json!({"activities": found.activities.iter().map(activity).collect::<Vec<_>>()}))
    }
}

/// A number that cannot be read is null.
fn activity(activity: &Activity) -> Value {
    json!({
        "at": date(&activity.created_at),
        "type": known::<ActivityType>(&activity.activity_type),
        "event_title": text::name(&activity.event_title),
        "market": text::name(&activity.market_title),
        "side": known::<OutcomeSide>(&activity.outcome),
        "currency": known::<Currency>(&activity.currency),
        "amount": Money::parse(&activity.amount).ok().map(|amount| amount.to_string()),
        "fee": Money::parse(&activity.fee).ok().map(|fee| fee.to_string()),
        "shares": Shares::parse(&activity.size).ok().map(|size| size.to_string()),
        "price": UnitPrice::parse(&activity.price).ok().map(|price| price.to_string()),
    })
}
