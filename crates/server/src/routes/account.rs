//! A user's account: positions, wallets, activities, profit and loss.

use std::sync::Arc;

use api::query::{AccountValueQuery, ActivitiesQuery, PnlQuery, PortfolioQuery, StatementQuery};
use api::response::{AccountValue, Activities, Pnl, Portfolio, Statement, WalletAssets};
use api::timestamp::Timestamp;
use exchange::id::{EventId, UserId};

use crate::edge::meter::OwnerBucket;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::reading::{Reading, history_failure};
use crate::view;
use crate::view::pages::window;
use crate::view::words::ToExchange;

/// The price of an account's value over time: it reads movements and candles of many markets.
const VALUE_TOKENS: u32 = 5;

pub(super) struct AccountEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl AccountEndpoints {
    fn user_id(&self, call: &Call<'_>) -> UserId {
        self.reading.read_state().directory().user(call.user()).id
    }

    pub(super) fn portfolio(
        &self,
        call: &Call<'_>,
        query: PortfolioQuery,
    ) -> Result<Next<Portfolio>, Failure> {
        Ok(self.reading.portfolio(call.user(), &query).into())
    }

    pub(super) fn wallet_assets(&self, call: &Call<'_>) -> Result<Next<WalletAssets>, Failure> {
        Ok(view::wallet(&self.reading.read_state(), call.user()).into())
    }

    pub(super) fn list_activities(
        &self,
        call: &Call<'_>,
        query: ActivitiesQuery,
    ) -> Result<Next<Activities>, Failure> {
        let window = window(query.pages(), query.after.as_deref())?;
        let (reading, user) = (self.reading.clone(), self.user_id(call));
        Ok(Next::later(async move {
            let group = query.group.map(view::activity::group);
            let history = reading.history_now().await?;
            let mut page = history.activities(user, group, window).await.map_err(history_failure)?;
            let rows = reading.with_records(user, std::mem::take(&mut page.rows)).await?;
            let markets = rows.iter().map(|row| RetiredName::Market(view::activity::market_of(row)));
            let known = reading.with_retired(markets.collect()).await?;
            Ok(view::activity::activities(&known, &page.with(rows), query.pages()))
        }))
    }

    pub(super) fn statement(
        &self,
        call: &Call<'_>,
        query: StatementQuery,
    ) -> Result<Next<Statement>, Failure> {
        let window = window(query.pages(), query.after.as_deref())?;
        let (reading, user) = (self.reading.clone(), self.user_id(call));
        Ok(Next::later(async move {
            let history = reading.history_now().await?;
            let currency = query.currency.to_exchange();
            let page = history.statement(user, currency, window).await.map_err(history_failure)?;
            let markets = page.rows.iter().filter_map(|row| row.cause.market());
            let known = reading.with_retired(markets.map(RetiredName::Market).collect()).await?;
            Ok(view::statement::statement(&known, user, &page, (currency, query.pages())))
        }))
    }

    pub(super) fn account_value(
        &self,
        call: &Call<'_>,
        query: AccountValueQuery,
    ) -> Result<Next<AccountValue>, Failure> {
        call.meter.charge_items(call.caller().bucket_owner, OwnerBucket::Read, 1, VALUE_TOKENS)?;
        let (reading, user, now) = (self.reading.clone(), call.user(), call.now);
        Ok(Next::later(async move { reading.account_value(user, &query, now).await }))
    }

    pub(super) fn pnl(&self, call: &Call<'_>, query: PnlQuery) -> Result<Next<Pnl>, Failure> {
        let user = self.user_id(call);
        let span = view::pnl::span(user, &query, Timestamp::from_micros(call.now.micros()));
        let reading = self.reading.clone();
        Ok(Next::later(async move {
            let history = reading.history_now().await?;
            let found = history.results(span, query.breakdown).await.map_err(history_failure)?;
            let events: Vec<EventId> = found.events.iter().map(|result| result.event).collect();
            let titles = reading.find_titles(&events).await?;
            Ok(view::pnl::pnl(&titles, &found, &query))
        }))
    }
}
