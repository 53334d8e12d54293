//! The account: wallets, positions, history, results, keys.

use api::Timestamp;
use api::terms::{ActivityGroup, Currency, PnlPeriod};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::models::{Activity, AuthCheck, IssuedKey, Movement, Pnl, Portfolio, Position, Wallet};
use crate::pager::Pager;
use crate::query::Query;
use crate::request::{Access, Request};

/// Which of your positions to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionFilters {
    /// Only positions in this market.
    pub market_id: Option<Uuid>,
    /// Only positions in this event.
    pub event_id: Option<Uuid>,
    /// Only positions in this currency; both without it.
    pub currency: Option<Currency>,
}

/// Which activities to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActivityFilters {
    /// Without it, everything but single fills.
    pub group: Option<ActivityGroup>,
}

/// Which movements to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatementFilters {
    /// Another currency than the client's.
    pub currency: Option<Currency>,
}

/// The span of a result: a period, or from `start` to `end`. All time by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PnlSpan {
    /// A rolling or a calendar period.
    pub period: Option<PnlPeriod>,
    /// With `end`, instead of a period.
    pub start: Option<Timestamp>,
    /// With `start`.
    pub end: Option<Timestamp>,
    /// Another currency than the client's.
    pub currency: Option<Currency>,
}

#[derive(Deserialize)]
struct Wallets {
    assets: Vec<Wallet>,
}

#[derive(Serialize)]
struct Login<'a> {
    email: &'a str,
    password: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    token: String,
    device_id: String,
}

#[derive(Serialize)]
struct KeyName<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct Nothing {}

impl Client {
    /// Your money, one wallet for each currency.
    pub async fn wallets(&self) -> Result<Vec<Wallet>> {
        let answer = self.send(&Request::read("/v1/wallet/assets", Access::Read)).await?;
        let Wallets { assets } = answer.read()?;
        Ok(assets.into_iter().map(|wallet| Wallet { as_of: answer.as_of, ..wallet }).collect())
    }

    /// Your money in the client's currency.
    pub async fn wallet(&self) -> Result<Wallet> {
        let currency = self.currency();
        let found = self.wallets().await?.into_iter().find(|wallet| wallet.symbol == currency);
        found.ok_or_else(|| Error::Missing(format!("the account has no wallet in {currency}")))
    }

    /// Your shares.
    pub fn positions(&self, filters: PositionFilters) -> Pager<Position> {
        self.rows("/v1/pm/portfolio", "outcomeBalances", of_positions(&filters), Access::Read, 100)
    }

    /// The totals of your positions.
    pub async fn portfolio(&self, filters: PositionFilters) -> Result<Portfolio> {
        let query = of_positions(&filters).with("size", 1);
        self.send(&Request::get("/v1/pm/portfolio".to_owned(), &query, Access::Read)).await?.read()
    }

    /// Events in the life of your orders and positions, the newest first.
    pub fn activities(&self, filters: ActivityFilters) -> Pager<Activity> {
        let query = Query::default().and("type", filters.group);
        self.rows("/v1/pm/activities", "activities", query, Access::Read, 100)
    }

    /// Every movement of your money in one currency, the newest first.
    pub fn statement(&self, filters: StatementFilters) -> Pager<Movement> {
        let query = Query::default().with("currency", filters.currency.unwrap_or(self.currency()));
        self.rows("/v1/pm/statement", "movements", query, Access::Private, 100)
    }

    /// Your profit and loss over a span.
    pub async fn pnl(&self, span: PnlSpan) -> Result<Pnl> {
        let query = Query::default()
            .and("timePeriod", span.period)
            .and("start", span.start)
            .and("end", span.end)
            .with("currency", span.currency.unwrap_or(self.currency()));
        self.send(&Request::get("/v1/pm/pnl".to_owned(), &query, Access::Read)).await?.read()
    }

    /// Puts an event on your watchlist, or takes it off.
    pub async fn watch(&self, event_id: Uuid, is_watched: bool) -> Result<()> {
        let method = if is_watched { "PUT" } else { "DELETE" };
        let path = format!("/v1/pm/events/{event_id}/watchlist");
        self.send(&Request::write(method, &path, None::<&()>)?).await?;
        Ok(())
    }

    /// Runs the exchange's verifier on a signed request that changes nothing: are the keys and the clock right?
    pub async fn check_signature(&self) -> Result<AuthCheck> {
        self.send(&Request::write("POST", "/v1/auth/check", Some(&Nothing {}))?).await?.read()
    }

    /// Logs in and creates an API key. Keep the secret: the exchange shows it once.
    pub async fn create_key(&self, email: &str, password: &str, name: &str) -> Result<IssuedKey> {
        let login = Login { email, password };
        let begun = self.send(&Request::once("/v1/user/login", &login, Access::Public, Vec::new())?).await?;
        let Session { token, device_id } = begun.read()?;
        let headers = vec![("x-auth-token", token), ("x-device-id", device_id)];
        let request = Request::once("/v1/user/me/api-keys", &KeyName { name }, Access::Session, headers)?;
        self.send(&request).await?.read()
    }
}

fn of_positions(filters: &PositionFilters) -> Query {
    Query::default()
        .and("marketId", filters.market_id)
        .and("eventId", filters.event_id)
        .and("currency", filters.currency)
}
