//! Notifications, their read mark, price alerts and push subscriptions. All but the notices of history are entries of
//! the people store, so these writes need no command.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::NotificationsQuery;
use api::request::{CreatePriceAlert, ReadNotifications, SubscribePush};
use api::response::{self, Message, Notifications, PriceAlerts, PushSubscriptions};
use exchange::Exchange;
use exchange::id::{EventId, RowId, UserId};
use exchange::index::MarketIndex;
use exchange::numbers::Ppm;
use exchange::text::Text;
use exchange::time::Time;
use uuid::Uuid;

use super::paths::entry_id;
use crate::access::{Access, people_failure};
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::notifying::Notifying;
use crate::notifying::push::endpoint;
use crate::people::entries::{
    ALERTS_MAX, AlertWish, EntryKind, PriceAlert, PushSubscription, PushTarget, SUBSCRIPTIONS_MAX,
};
use crate::reading::{Reading, history_failure};
use crate::view::event::is_public_market;
use crate::view::notification::{self, ShownAlert, direction, market_of, shown_prices};
use crate::view::words::{ToApi, ToExchange};

pub(super) struct NotificationEndpoints {
    pub(super) reading: Arc<Reading>,
    pub(super) access: Arc<Access>,
    pub(super) notifying: Arc<Notifying>,
}

impl NotificationEndpoints {
    fn user_id(&self, call: &Call<'_>) -> UserId {
        self.reading.read_state().directory().user(call.user()).id
    }

    pub(super) fn list_notifications(
        &self,
        call: &Call<'_>,
        query: NotificationsQuery,
    ) -> Result<Next<Notifications>, Failure> {
        let (reading, access, user) = (self.reading.clone(), self.access.clone(), self.user_id(call));
        Ok(Next::later(async move {
            let entries = access.people().entries(user).await.map_err(people_failure)?;
            let history = reading.history_now().await?;
            let size = u64::from(query.size);
            let (notices, unread) =
                history.notices(user, entries.read, size).await.map_err(history_failure)?;
            let notices = reading.with_orders(user, notices).await?;
            let mut alerts: Vec<ShownAlert> = entries.alerts.iter().filter_map(shown_alert).collect();
            let markets = notices.iter().map(market_of).chain(alerts.iter().map(|alert| alert.market));
            let known = reading.with_retired(markets.map(RetiredName::Market).collect()).await?;
            // A restored venue may not have the market of an alert yet.
            alerts.retain(|alert| known.market(alert.market).is_some());
            Ok(notification::notifications(
                &known,
                user,
                (&notices, unread),
                &alerts,
                (entries.read, query.size as usize),
            ))
        }))
    }

    pub(super) fn read_notifications(
        &self,
        call: &Call<'_>,
        mark: ReadNotifications,
    ) -> Result<Next<Message>, Failure> {
        let (access, user) = (self.access.clone(), self.user_id(call));
        // A mark beyond the end would hide notifications to come.
        let sequence = mark.sequence.min(self.reading.state().seq());
        Ok(Next::later(async move {
            access.people().mark_read(user, sequence).await.map_err(people_failure)?;
            Ok(Message::NOTIFICATIONS_READ)
        }))
    }

    pub(super) fn list_price_alerts(&self, call: &Call<'_>) -> Result<Next<PriceAlerts>, Failure> {
        let (reading, access, user) = (self.reading.clone(), self.access.clone(), self.user_id(call));
        Ok(Next::later(async move {
            let entries = access.people().entries(user).await.map_err(people_failure)?;
            let markets = entries.alerts.iter().map(|alert| RetiredName::Market(alert.wish.market)).collect();
            let known = reading.with_retired(markets).await?;
            let alerts = entries.alerts.iter().filter_map(|alert| {
                let (exchange, market) = known.market(alert.wish.market)?;
                Some(price_alert(MarketNames::of(exchange, market), alert))
            });
            Ok(PriceAlerts { alerts: alerts.collect() })
        }))
    }

    pub(super) fn create_price_alert(
        &self,
        call: &Call<'_>,
        create: CreatePriceAlert,
    ) -> Result<Next<response::PriceAlert>, Failure> {
        let (wish, names) = alert_wish(&self.reading, &create, call.now)?;
        let (access, notifying, user) = (self.access.clone(), self.notifying.clone(), self.user_id(call));
        Ok(Next::later(async move {
            let added = access.people().add_alert(user, wish).await.map_err(people_failure)?;
            let full =
                || ErrorBody::conflict(format!("You have {ALERTS_MAX} price alerts: remove one first"));
            let alert = added.ok_or_else(full)?;
            notifying.entries_changed();
            Ok(price_alert(names, &alert))
        }))
    }

    pub(super) fn remove_price_alert(&self, call: &Call<'_>) -> Result<Next<Message>, Failure> {
        self.remove(call, EntryKind::Alert, "Price alert not found", Message::PRICE_ALERT_REMOVED)
    }

    // A public key proves nothing, and an endpoint is a secret of its browser: the row asks for a session.
    pub(super) fn list_push_subscriptions(
        &self,
        call: &Call<'_>,
    ) -> Result<Next<PushSubscriptions>, Failure> {
        let (access, user) = (self.access.clone(), self.user_id(call));
        let public_key = self.notifying.public_key().to_owned();
        Ok(Next::later(async move {
            let entries = access.people().entries(user).await.map_err(people_failure)?;
            let subscriptions = entries.subscriptions.iter().map(push_subscription).collect();
            Ok(PushSubscriptions { public_key, subscriptions })
        }))
    }

    pub(super) fn subscribe_push(
        &self,
        call: &Call<'_>,
        subscribe: SubscribePush,
    ) -> Result<Next<response::PushSubscription>, Failure> {
        let SubscribePush { endpoint, public_key, secret } = subscribe;
        endpoint::parse(&endpoint, self.notifying.reach())
            .map_err(|fault| ErrorBody::bad_request(format!("endpoint: {fault}")))?;
        let (access, user, now) = (self.access.clone(), self.user_id(call), call.now);
        let notifying = self.notifying.clone();
        Ok(Next::later(async move {
            let target = PushTarget { endpoint, public_key, secret };
            let added = access.people().add_subscription(user, target, now).await.map_err(people_failure)?;
            let full = || {
                let message = format!("You have {SUBSCRIPTIONS_MAX} push subscriptions: remove one first");
                ErrorBody::conflict(message)
            };
            let subscription = added.ok_or_else(full)?;
            notifying.entries_changed();
            Ok(push_subscription(&subscription))
        }))
    }

    pub(super) fn unsubscribe_push(&self, call: &Call<'_>) -> Result<Next<Message>, Failure> {
        let missing = "Push subscription not found";
        self.remove(call, EntryKind::Subscription, missing, Message::PUSH_UNSUBSCRIBED)
    }

    fn remove(
        &self,
        call: &Call<'_>,
        kind: EntryKind,
        missing: &'static str,
        removed: Message,
    ) -> Result<Next<Message>, Failure> {
        let id: RowId = entry_id(call.path(0), missing)?;
        let (access, user) = (self.access.clone(), self.user_id(call));
        Ok(Next::later(async move {
            match access.people().remove_entry(user, kind, id).await.map_err(people_failure)? {
                true => Ok(removed),
                false => Err(ErrorBody::not_found(missing).into()),
            }
        }))
    }
}

/// The event and titles of a market. Those of a public market never change.
struct MarketNames {
    event: EventId,
    event_title: Text,
    market_title: Text,
}

impl MarketNames {
    fn of(exchange: &Exchange, market: MarketIndex) -> MarketNames {
        let market = exchange.catalogue().market(market);
        let event = exchange.catalogue().event(market.event);
        let (event_title, market_title) = (event.details.title.clone(), market.details.title.clone());
        MarketNames { event: event.id, event_title, market_title }
    }
}

/// The alert, and the names that it is shown with. The direction follows from the price that the page shows now.
fn alert_wish(
    reading: &Reading,
    create: &CreatePriceAlert,
    now: Time,
) -> Result<(AlertWish, MarketNames), Failure> {
    let (market, currency) = (create.market_id.to_exchange(), create.currency.to_exchange());
    let (outcome, price) = (create.outcome.to_exchange(), Ppm::from(create.price.to_exchange()));
    let exchange = reading.read_state();
    let shown = shown_prices(&exchange, market, currency).filter(|_| is_public_market(&exchange, market));
    let missing = || ErrorBody::not_found("Market not found");
    let (shown, index) = shown.zip(exchange.catalogue().find_market(market)).ok_or_else(missing)?;
    if shown.is_final {
        return Err(ErrorBody::conflict("The market is settled: its price does not move any more").into());
    }
    let rises = shown.prices[outcome as usize] <= price;
    let wish = AlertWish { market, outcome, currency, price, rises, created_at: now };
    Ok((wish, MarketNames::of(&exchange, index)))
}

fn shown_alert(alert: &PriceAlert) -> Option<ShownAlert> {
    let fired = alert.fired?;
    Some(ShownAlert {
        id: alert.id.as_u128(),
        market: alert.wish.market,
        outcome: alert.wish.outcome,
        currency: alert.wish.currency,
        seq: fired.seq,
        at: fired.at,
        price: fired.price,
    })
}

fn price_alert(names: MarketNames, alert: &PriceAlert) -> response::PriceAlert {
    response::PriceAlert {
        id: Uuid::from_u128(alert.id.as_u128()),
        event_id: names.event.to_api(),
        market_id: alert.wish.market.to_api(),
        event_title: names.event_title.to_string(),
        market_title: names.market_title.to_string(),
        outcome: alert.wish.outcome.to_api(),
        currency: alert.wish.currency.to_api(),
        price: alert.wish.price.to_api(),
        direction: direction(alert.wish.rises),
        created_at: alert.wish.created_at.to_api(),
        fired_at: alert.fired.map(|fired| fired.at.to_api()),
    }
}

fn push_subscription(subscription: &PushSubscription) -> response::PushSubscription {
    response::PushSubscription {
        id: Uuid::from_u128(subscription.id.as_u128()),
        endpoint: subscription.target.endpoint.clone(),
        created_at: subscription.created_at.to_api(),
    }
}
