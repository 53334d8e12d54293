//! Prices over time: the history of an event's markets, candles of one market, and prices of an asset.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::{AssetPricesQuery, CandlesQuery, PriceHistoryQuery};
use api::response::{AssetPrices, Candles, PriceHistory};
use exchange::text::Text;

use super::paths::{event_id, market_id};
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::feeds::Feeds;
use crate::history::{CandleRange, RetiredName};
use crate::reading::{Reading, history_failure};
use crate::view;

pub(super) struct PriceEndpoints {
    pub(super) reading: Arc<Reading>,
    pub(super) feeds: Arc<Feeds>,
}

impl PriceEndpoints {
    pub(super) fn price_history(
        &self,
        call: &Call<'_>,
        query: PriceHistoryQuery,
    ) -> Result<Next<PriceHistory>, Failure> {
        let event = event_id(call.path(0))?;
        let (reading, meter, now) = (self.reading.clone(), call.meter.clone(), call.now);
        Ok(Next::later(async move {
            let question = {
                let known = reading.with_retired(vec![RetiredName::Event(event)]).await?;
                let found = known.first(|exchange| view::event::find(exchange, event));
                let (exchange, index) = found.ok_or_else(|| ErrorBody::not_found("Event not found"))?;
                view::price_history::plan(exchange, index, &query, now)
            };
            let question = question.ok_or_else(|| ErrorBody::not_found("Market not found in this event"))?;
            let most: usize = question.ranges.iter().map(CandleRange::spans_max).sum();
            meter.charge_rows(most)?;
            let history = reading.history_now().await?;
            let found = history.candles(question.ranges.clone()).await.map_err(history_failure)?;
            meter.settle_rows(most, found.iter().map(|found| found.candles.len()).sum());
            Ok(question.answer(&found, &query))
        }))
    }

    pub(super) fn candles(&self, call: &Call<'_>, query: CandlesQuery) -> Result<Next<Candles>, Failure> {
        let market = market_id(call.path(0))?;
        let (reading, meter, now) = (self.reading.clone(), call.meter.clone(), call.now);
        Ok(Next::later(async move {
            reading.require_public_market(market).await?;
            let range = view::candle::range(market, &query, now);
            let most = range.spans_max();
            meter.charge_rows(most)?;
            let found = reading.history_now().await?.candles(vec![range]).await.map_err(history_failure)?;
            meter.settle_rows(most, found.iter().map(|found| found.candles.len()).sum());
            let found = found.into_iter().next().unwrap_or_default();
            Ok(view::candle::candles(market, &query, &found))
        }))
    }

    pub(super) fn asset_prices(
        &self,
        call: &Call<'_>,
        query: AssetPricesQuery,
    ) -> Result<Next<AssetPrices>, Failure> {
        let symbol = Text::from(call.path(0));
        let range = view::asset_price::range(&symbol, &query, call.now);
        let most = view::asset_price::count_max(&range);
        call.meter.charge_rows(most)?;
        let last = {
            let exchange = self.reading.read_state();
            if !self.feeds.is_priced(&exchange, &symbol) {
                return Err(ErrorBody::not_found("Asset not found").into());
            }
            view::asset_price::last(&exchange, &range)
        };
        let (reading, meter) = (self.reading.clone(), call.meter.clone());
        Ok(Next::later(async move {
            let history = reading.history_now().await?;
            let stored = history.asset_prices(range).await.map_err(history_failure)?;
            meter.settle_rows(most, stored.len());
            Ok(view::asset_price::asset_prices(&symbol, &stored, last))
        }))
    }
}
