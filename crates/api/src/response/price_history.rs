//! Prices over time, in both formats that clients use, in one body: a map by market id, and `markets`.

use uuid::Uuid;

use crate::decimal::UnitPrice;
use crate::json::{WriteJson, WriteMembers, Writer};
use crate::schema::ToSchema;
use crate::terms::OutcomeSide;
use crate::timestamp::Timestamp;

/// The histories of an event's markets. Every value on the top level is a list; one client refuses anything else there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceHistory {
    pub markets: Vec<MarketHistory>,
}

/// One market's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketHistory {
    pub market_id: Uuid,
    pub title: String,
    /// For the map: the requested outcomes, in time order.
    pub points: Vec<PricePoint>,
    /// For `markets`: one outcome, in time order.
    pub series: Vec<SeriesPoint>,
}

/// One outcome's price at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct PricePoint {
    pub outcome: OutcomeSide,
    pub price: UnitPrice,
    pub timestamp: Timestamp,
}

/// A price at a time, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct SeriesPoint {
    /// Unix milliseconds.
    #[serde(rename = "e")]
    #[schema(example = 1785282158000_i64)]
    pub epoch_milliseconds: i64,
    #[serde(rename = "p")]
    pub price: UnitPrice,
}

/// One market's history, one outcome of it.
#[derive(WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MarketHistory)]
pub(super) struct ListedMarket<'a> {
    market_id: Uuid,
    title: &'a str,
    price_history: &'a [SeriesPoint],
}

impl WriteMembers for PriceHistory {
    fn write_members(&self, out: &mut Writer) {
        for market in &self.markets {
            out.entry(&market.market_id, &market.points);
        }
        let listed = self.markets.iter().map(|market| ListedMarket {
            market_id: market.market_id,
            title: &market.title,
            price_history: &market.series,
        });
        out.member(",\"markets\":", &listed.collect::<Vec<_>>());
    }
}

impl WriteJson for PriceHistory {
    fn write_json(&self, out: &mut Writer) {
        out.object(self);
    }
}
