//! One market: its book, its last trades, its past prices.

use api::Word;
use api::terms::{CandleInterval, Currency, Engine, OutcomeSide, Side};
use serde_json::{Value, json};

use super::questions::{add_terms, priced};
use crate::agent::Agent;
use crate::arguments::Arguments;
use crate::names::{Chosen, find_market, find_outcome, outcomes};
use crate::stop::Stop;
use crate::text;
use crate::venue::{Call, Venue};
use crate::wire::{Book, Candles, Event, Level, Market, Ticker, Trade, Trades, date, known};

const BOOK_LEVELS: u32 = 5;
const TRADES_SHOWN: usize = 5;
/// More than are shown: the exchange lists the trades of both currencies together.
const TRADES_READ: u32 = 50;

impl<V: Venue> Agent<V> {
    pub(crate) async fn get_market(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let event = self.find_event(&arguments.required_text("event")?).await?;
        let market = find_market(&event, arguments.text("market")?.as_deref())?;
        let outcome = outcome_or_first(market, arguments.text("outcome")?)?;
        let mut answer = json!({
            "event": text::name(&event.slug),
            "event_title": text::name(&event.title),
            "engine": known::<Engine>(&event.engine),
            "currency": self.currency,
            "outcome": {"label": outcome.label, "side": outcome.side},
            "market": priced(market),
        });
        add_terms(&mut answer, market);
        if event.engine == Engine::Clob.to_string() {
            self.add_book(&mut answer, market, &outcome).await?;
        }
        answer["last_trades"] = self.last_trades(&event, market).await?;
        Ok(answer)
    }

    async fn add_book(&self, answer: &mut Value, market: &Market, outcome: &Chosen) -> Result<(), Stop> {
        let call = Call::get("/v1/pm/books")
            .with("outcomeId[]", outcome.id)
            .with("depth", BOOK_LEVELS)
            .with("currency", self.currency);
        let books: Vec<Book> = self.read(call).await?;
        let levels = |levels: &[Level]| -> Vec<Value> {
            let row = |level: &Level| json!({"price": level.price.to_string(), "shares": level.quantity.to_string()});
            levels.iter().map(row).collect()
        };
        if let [book] = books.as_slice() {
            answer["book"] = json!({"bids": levels(&book.bids), "asks": levels(&book.asks)});
        }
        let call = Call::get(format!("/v1/pm/markets/{}/ticker", market.id))
            .with("outcomeId", outcome.id)
            .with("currency", self.currency);
        let ticker: Ticker = self.read(call).await?;
        answer["day"] = json!({
            "last_price": ticker.last_price.to_string(),
            "mid_price": ticker.mid_price.to_string(),
            "high": ticker.high24h.to_string(),
            "low": ticker.low24h.to_string(),
            "change": ticker.price_change24h.to_string(),
            "volume_shares": ticker.volume24h.to_string(),
            "trades": ticker.trade_count24h,
        });
        Ok(())
    }

    async fn last_trades(&self, event: &Event, market: &Market) -> Result<Value, Stop> {
        let call = Call::get("/v1/pm/trades")
            .with("marketId", market.id)
            .with("engine", known::<Engine>(&event.engine))
            .with("size", TRADES_READ);
        let trades: Trades = self.read(call).await?;
        let own = trades.data.iter().filter(|trade| Currency::find(&trade.currency) == Some(self.currency));
        let row = |trade: &Trade| {
            json!({
                "at": date(&trade.created_at),
                "taker": known::<Side>(&trade.taker_side),
                "side": known::<OutcomeSide>(&trade.outcome),
                "price": trade.price.to_string(),
                "shares": trade.size.to_string(),
            })
        };
        Ok(own.take(TRADES_SHOWN).map(row).collect())
    }

    pub(crate) async fn get_price_history(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let event = self.find_event(&arguments.required_text("event")?).await?;
        let market = find_market(&event, arguments.text("market")?.as_deref())?;
        let outcome = outcome_or_first(market, arguments.text("outcome")?)?;
        let interval = arguments.word::<CandleInterval>("interval")?.unwrap_or(CandleInterval::OneHour);
        let limit = arguments.count("limit", 24, 100)?;
        let call = Call::get(format!("/v1/pm/markets/{}/candles", market.id))
            .with("interval", interval)
            .with("outcome", outcome.side)
            .with("currency", self.currency);
        let found: Candles = self.read(call).await?;
        let skipped = found.candles.len().saturating_sub(usize::try_from(limit).unwrap_or(usize::MAX));
        let rows = found.candles[skipped..].iter().map(|candle| {
            json!({
                "start": date(&candle.start),
                "open": candle.open.to_string(),
                "high": candle.high.to_string(),
                "low": candle.low.to_string(),
                "close": candle.close.to_string(),
                "shares": candle.volume.to_string(),
            })
        });
        Ok(json!({
            "event": text::name(&event.slug),
            "market": text::name(&market.title),
            "outcome": {"label": outcome.label, "side": outcome.side},
            "interval": interval,
            "candles": rows.collect::<Vec<_>>(),
        }))
    }
}

fn outcome_or_first(market: &Market, name: Option<String>) -> Result<Chosen, Stop> {
    match name {
        Some(name) => find_outcome(market, &name),
        None => {
            let [first, _] = outcomes(market);
            Ok(first)
        }
    }
}
