//! Trades, ticker, books, price history, candles, prices of assets and news.

use api::decimal::{AssetPrice, Price, PriceChange};
use api::response::*;
use api::terms::*;

use super::{at, id, money, pagination, shares, unit_price};

pub fn trades() -> Trades {
    let trade = Trade {
        id: id(30),
        market_id: id(2),
        outcome: OutcomeSide::Yes,
        price: unit_price(720_000),
        size: shares(100_001),
        created_at: at(0),
        taker_user_id: id(20),
        maker_user_id: id(21),
        taker_order_id: id(10),
        maker_order_id: id(12),
        taker_fee: money(144_002),
        taker_outcome_id: id(3),
        maker_outcome_id: id(4),
        match_type: MatchType::Mint,
        taker_side: Side::Buy,
        taker_price: unit_price(720_000),
        maker_price: unit_price(280_000),
        currency: Currency::Usd,
        engine: Engine::Clob,
    };
    Trades { data: vec![trade], pagination: pagination(), next_cursor: Some("c".to_owned()) }
}

pub fn ticker() -> Ticker {
    Ticker {
        market_id: id(2),
        outcome: OutcomeSide::Yes,
        last_price: Price::from_cents(72),
        best_bid: Price::from_cents(70),
        best_ask: Price::NONE,
        mid_price: unit_price(715_000),
        spread: Price::from_cents(2),
        volume24h: shares(154_200_000),
        high24h: Price::from_cents(74),
        low24h: Price::from_cents(65),
        price_change24h: PriceChange::from_units(-4),
        trade_count24h: 247,
        timestamp: at(0),
        outcome_id: id(3),
        currency: Currency::Usd,
    }
}

pub fn books() -> Vec<Book> {
    let level = |cents, units, total| BookLevel {
        price: Price::from_cents(cents),
        quantity: shares(units),
        total: money(total),
    };
    let empty = Book {
        market_id: id(2),
        outcome_id: id(4),
        timestamp: at(0),
        bids: vec![],
        asks: vec![],
        last_traded_price: None,
        last_traded_side: None,
    };
    let full = Book {
        outcome_id: id(3),
        bids: vec![level(70, 2_000_000, 140_000_000)],
        asks: vec![level(72, 1, 72)],
        last_traded_price: Some(Price::from_cents(72)),
        last_traded_side: Some(Side::Buy),
        ..empty.clone()
    };
    vec![full, empty]
}

pub fn price_history() -> PriceHistory {
    let point = |outcome, units| PricePoint { outcome, price: unit_price(units), timestamp: at(0) };
    PriceHistory {
        markets: vec![MarketHistory {
            market_id: id(2),
            title: "Will it rain?".to_owned(),
            points: vec![point(OutcomeSide::Yes, 650_000), point(OutcomeSide::No, 350_000)],
            series: vec![SeriesPoint { epoch_milliseconds: at(0).millis(), price: unit_price(650_000) }],
        }],
    }
}

pub fn candles() -> Candles {
    let candle = Candle {
        start: at(0),
        open: unit_price(650_000),
        high: unit_price(700_000),
        low: unit_price(640_000),
        close: unit_price(700_000),
        volume: shares(12_345),
        count: 3,
    };
    Candles {
        market_id: id(2),
        outcome: OutcomeSide::Yes,
        currency: Currency::Usd,
        interval: CandleInterval::OneHour,
        candles: vec![candle],
    }
}

pub fn asset_prices() -> AssetPrices {
    let price = |units, seconds| RecordedPrice {
        price: AssetPrice::from_units(units),
        recorded_at: at(seconds),
        source_time: at(0),
    };
    AssetPrices {
        symbol: "BTCUSDT".to_owned(),
        prices: vec![price(96_250_500_000, 1), price(96_251_000_001, 11)],
    }
}

pub fn news() -> NewsList {
    let note = News {
        id: id(40),
        title: "Clouds gather".to_owned(),
        link: "https://example.org/clouds".to_owned(),
        published_at: at(0),
    };
    NewsList { news: vec![note] }
}
