//! A subject with its markets.

use std::ops::Deref;

use api::terms::Currency;
use serde::Deserialize;
use uuid::Uuid;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::market::Market;
use crate::models::{EventData, MarketData};

/// An event that was read. Its fields are those of `EventData`.
#[derive(Clone, Debug)]
pub struct Event {
    data: EventData,
    markets: Vec<Market>,
    as_of: Option<u64>,
}

impl Deref for Event {
    type Target = EventData;

    fn deref(&self) -> &EventData {
        &self.data
    }
}

#[derive(Deserialize)]
struct Markets {
    markets: Vec<MarketData>,
}

impl Event {
    /// Reads the JSON of an event.
    pub(crate) fn read(
        client: &Client,
        json: &str,
        currency: Currency,
        as_of: Option<u64>,
    ) -> serde_json::Result<Event> {
        let data: EventData = serde_json::from_str(json)?;
        let Markets { markets } = serde_json::from_str(json)?;
        let market = |market| Market::new(client.clone(), market, data.id, currency);
        Ok(Event { markets: markets.into_iter().map(market).collect(), data, as_of })
    }

    /// The sequence of the exchange's state that this was read from; none if the answer had none.
    pub fn as_of(&self) -> Option<u64> {
        self.as_of
    }

    /// The fields alone.
    pub fn data(&self) -> &EventData {
        &self.data
    }

    /// The event's markets.
    pub fn markets(&self) -> &[Market] {
        &self.markets
    }

    /// The only market; an error if there are several.
    pub fn market(&self) -> Result<&Market> {
        match self.markets.as_slice() {
            [market] => Ok(market),
            markets => {
                let (title, count) = (&self.title, markets.len());
                Err(Error::Missing(format!("{title} has {count} markets: choose one of event.markets()")))
            }
        }
    }

    /// The market with this title in any case, or with this id.
    pub fn find(&self, title: &str) -> Result<&Market> {
        let id = Uuid::parse_str(title).ok();
        let is_it = |market: &&Market| id == Some(market.id) || is_equal(&market.title, title);
        let found = self.markets.iter().find(is_it);
        found.ok_or_else(|| Error::Missing(format!("{} has no market {title:?}", self.title)))
    }

    pub(crate) fn into_market(self, id: Uuid) -> Result<Market> {
        let title = self.data.title;
        let found = self.markets.into_iter().find(|market| market.id == id);
        found.ok_or_else(|| Error::Missing(format!("{title} has no market {id}")))
    }
}

/// Whether two labels are equal in any case.
pub(crate) fn is_equal(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}
