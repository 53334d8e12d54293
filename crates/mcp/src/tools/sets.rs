//! Complete sets: money becomes YES and NO shares, and back. A mint is counted against the cap before it is sent.

use api::decimal::Money;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::agent::Agent;
use crate::arguments::Arguments;
use crate::cost::base_unit;
use crate::names::{Fit, find_market_as};
use crate::stop::{Stop, outcome_unknown, over_cap};
use crate::text;
use crate::venue::{Call, Venue};
use crate::wire::{Burned, Minted};

/// Money units in the smallest part of a set, for a base unit of 1.
const UNITS_PER_SHARE_UNIT: i128 = 100;

impl<V: Venue> Agent<V> {
    pub(crate) async fn mint_sets(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let (place, amount) = self.sets_asked(&mut arguments, "mint").await?;
        let key = Uuid::new_v4().simple().to_string();
        if self.budget.reserve(&key, amount, None).is_err() {
            self.refresh().await;
            self.budget.reserve(&key, amount, None).map_err(|over| over_cap(over, amount))?;
        }
        let call = Call::post(place.path, self.body(amount)).keyed(&key);
        let minted: Minted = match self.read(call).await {
            Ok(minted) => minted,
            Err(failure) if failure.is_harmless() => {
                self.budget.release(&key);
                return Err(failure.into());
            }
            // It may have been executed, so it stays counted.
            Err(_) => return Err(outcome_unknown()),
        };
        let units = i128::from(minted.quantity.units()) * UNITS_PER_SHARE_UNIT * base_unit(self.currency);
        // A report that cannot be that of a mint gives nothing back.
        let reported = i64::try_from(units).ok().filter(|units| *units >= 0);
        let cost = reported.map_or(amount, Money::from_units).min(amount);
        self.budget.close(&key, cost);
        Ok(json!({
            "event": place.event,
            "market": place.market,
            "sets": minted.quantity.to_string(),
            "cost": cost.to_string(),
            "cap": self.cap(),
        }))
    }

    pub(crate) async fn burn_sets(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let (place, amount) = self.sets_asked(&mut arguments, "burn").await?;
        let key = Uuid::new_v4().simple().to_string();
        let call = Call::post(place.path, self.body(amount)).keyed(&key);
        let burned: Burned = self.read(call).await?;
        Ok(json!({
            "event": place.event,
            "market": place.market,
            "sets": burned.quantity.to_string(),
            "proceeds": burned.proceeds.to_string(),
        }))
    }

    async fn sets_asked(&self, arguments: &mut Arguments, verb: &str) -> Result<(Place, Money), Stop> {
        // No preview shows what a part of a name would find.
        let event = self.find_event_as(&arguments.required_text("event")?, Fit::Whole).await?;
        let market = find_market_as(&event, arguments.text("market")?.as_deref(), Fit::Whole)?;
        let place = Place {
            path: format!("/v1/pm/markets/{}/{verb}", market.id),
            event: text::name(&event.slug),
            market: text::name(&market.title),
        };
        Ok((place, arguments.required_money("amount")?))
    }

    fn body(&self, amount: Money) -> String {
        format!("{{\"quantity\":{amount},\"currency\":\"{}\"}}", self.currency)
    }
}

/// Where sets are minted or burned.
struct Place {
    path: String,
    event: String,
    market: String,
}
