//! Notifications, their read mark, price alerts and push subscriptions. All but the notices of history are entries of
//! the people store, so these writes need no command.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::NotificationsQuery;
use api::read::read;
use api::request::{CreatePriceAlert, ReadNotifications, SubscribePush};
use api::response::{self, Message};
use axum::extract::{Path, Request, State};
use exchange::id::{RowId, UserId};
use exchange::index::UserIndex;
use exchange::numbers::Ppm;
use http::StatusCode;
use uuid::Uuid;

use super::paths::entry_id;
use crate::access::people_failure;
use crate::app::App;
use crate::history::RetiredName;
use crate::http::charging::OwnerBucket;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, json, ok};
use crate::notifying::push::endpoint;
use crate::people::entries::{
    ALERTS_MAX, AlertWish, EntryKind, PriceAlert, PushSubscription, PushTarget, SUBSCRIPTIONS_MAX,
};
use crate::reading::history_failure;
use crate::view::event::is_public_market;
use crate::view::live_and_retired::LiveAndRetired;
use crate::view::notification::{self, ShownAlert, direction, market_of, shown_prices};
use crate::view::order::event_and_market_of;
use crate::view::words::{ToApi, ToExchange};

pub(super) async fn list_notifications(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.private_reader(&request)?;
    let query = NotificationsQuery::parse(request.uri().query().unwrap_or_default())?;
    let user = user_id(&app, reader.user);
    let entries = app.access().people().entries(user).await.map_err(people_failure)?;
    let history = app.reading().history_now().await?;
    let size = u64::from(query.size);
    let (notices, unread) = history.notices(user, entries.read, size).await.map_err(history_failure)?;
    let notices = app.reading().with_orders(user, notices).await?;
    let mut alerts: Vec<ShownAlert> = entries.alerts.iter().filter_map(shown_alert).collect();
    let markets = notices.iter().map(market_of).chain(alerts.iter().map(|alert| alert.market));
    let known = app.reading().with_retired(markets.map(RetiredName::Market).collect()).await?;
    // A restored venue may not have the market of an alert yet.
    alerts.retain(|alert| known.market(alert.market).is_some());
    let shown = notification::notifications(
        &known,
        user,
        (&notices, unread),
        &alerts,
        (entries.read, query.size as usize),
    );
    ok(&shown)
}

pub(super) async fn read_notifications(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let mark: ReadNotifications = read(&signed.body)?;
    let user = user_id(&app, signed.authorised.caller.user);
    // A mark beyond the end would hide notifications to come.
    let sequence = mark.sequence.min(app.reading().state().seq());
    app.access().people().mark_read(user, sequence).await.map_err(people_failure)?;
    ok(&Message::NOTIFICATIONS_READ)
}

pub(super) async fn list_price_alerts(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.private_reader(&request)?;
    let user = user_id(&app, reader.user);
    let entries = app.access().people().entries(user).await.map_err(people_failure)?;
    let markets = entries.alerts.iter().map(|alert| RetiredName::Market(alert.wish.market)).collect();
    let known = app.reading().with_retired(markets).await?;
    let alerts = entries.alerts.iter().filter(|alert| known.market(alert.wish.market).is_some());
    ok(&response::PriceAlerts { alerts: alerts.map(|alert| price_alert(&known, alert)).collect() })
}

pub(super) async fn create_price_alert(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let create: CreatePriceAlert = read(&signed.body)?;
    let wish = alert_wish(&app, &create)?;
    let user = user_id(&app, signed.authorised.caller.user);
    let added = app.access().people().add_alert(user, wish).await.map_err(people_failure)?;
    let full = || ErrorBody::conflict(format!("You have {ALERTS_MAX} price alerts: remove one first"));
    let alert = added.ok_or_else(full)?;
    app.notifying().entries_changed();
    let known = app.reading().with_retired(vec![RetiredName::Market(alert.wish.market)]).await?;
    Ok(json(StatusCode::CREATED, &price_alert(&known, &alert)))
}

pub(super) async fn remove_price_alert(
    State(app): State<Arc<App>>,
    Path(alert): Path<String>,
    request: Request,
) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    remove(&app, signed.authorised.caller.user, EntryKind::Alert, &alert, "Price alert not found").await?;
    ok(&Message::PRICE_ALERT_REMOVED)
}

pub(super) async fn list_push_subscriptions(State(app): State<Arc<App>>, request: Request) -> Answered {
    // A public key proves nothing, and an endpoint is a secret of its browser.
    let session = app.session(request.method(), request.headers(), OwnerBucket::Read)?;
    let user = user_id(&app, session.user);
    let entries = app.access().people().entries(user).await.map_err(people_failure)?;
    ok(&response::PushSubscriptions {
        public_key: app.notifying().public_key().to_owned(),
        subscriptions: entries.subscriptions.iter().map(push_subscription).collect(),
    })
}

pub(super) async fn subscribe_push(State(app): State<Arc<App>>, request: Request) -> Answered {
    let session = app.session(request.method(), request.headers(), OwnerBucket::Write)?;
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    let SubscribePush { endpoint, public_key, secret } = read(&body)?;
    endpoint::parse(&endpoint, app.notifying().reach())
        .map_err(|fault| ErrorBody::bad_request(format!("endpoint: {fault}")))?;
    let user = user_id(&app, session.user);
    let target = PushTarget { endpoint, public_key, secret };
    let people = app.access().people();
    let added = people.add_subscription(user, target, app.now()).await.map_err(people_failure)?;
    let full =
        || ErrorBody::conflict(format!("You have {SUBSCRIPTIONS_MAX} push subscriptions: remove one first"));
    let subscription = added.ok_or_else(full)?;
    app.notifying().entries_changed();
    Ok(json(StatusCode::CREATED, &push_subscription(&subscription)))
}

pub(super) async fn unsubscribe_push(
    State(app): State<Arc<App>>,
    Path(subscription): Path<String>,
    request: Request,
) -> Answered {
    let session = app.session(request.method(), request.headers(), OwnerBucket::Write)?;
    remove(&app, session.user, EntryKind::Subscription, &subscription, "Push subscription not found").await?;
    ok(&Message::PUSH_UNSUBSCRIBED)
}

async fn remove(
    app: &App,
    user: UserIndex,
    kind: EntryKind,
    id: &str,
    missing: &'static str,
) -> Result<(), Failure> {
    let id: RowId = entry_id(id, missing)?;
    let user = user_id(app, user);
    match app.access().people().remove_entry(user, kind, id).await.map_err(people_failure)? {
        true => Ok(()),
        false => Err(ErrorBody::not_found(missing).into()),
    }
}

fn user_id(app: &App, user: UserIndex) -> UserId {
    app.reading().read_state().directory().user(user).id
}

/// The direction follows from the price that the page shows now.
fn alert_wish(app: &App, create: &CreatePriceAlert) -> Result<AlertWish, Failure> {
    let (market, currency) = (create.market_id.to_exchange(), create.currency.to_exchange());
    let (outcome, price) = (create.outcome.to_exchange(), Ppm::from(create.price.to_exchange()));
    let exchange = app.reading().read_state();
    let shown = shown_prices(&exchange, market, currency).filter(|_| is_public_market(&exchange, market));
    let shown = shown.ok_or_else(|| ErrorBody::not_found("Market not found"))?;
    if shown.is_final {
        return Err(ErrorBody::conflict("The market is settled: its price does not move any more").into());
    }
    let rises = shown.prices[outcome as usize] <= price;
    Ok(AlertWish { market, outcome, currency, price, rises, created_at: app.now() })
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

fn price_alert(known: &LiveAndRetired<'_>, alert: &PriceAlert) -> response::PriceAlert {
    let market = alert.wish.market;
    let (event, market) = event_and_market_of(known.exchange_of(market), market);
    response::PriceAlert {
        id: Uuid::from_u128(alert.id.as_u128()),
        event_id: event.id.to_api(),
        market_id: market.id.to_api(),
        event_title: event.details.title.to_string(),
        market_title: market.details.title.to_string(),
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
