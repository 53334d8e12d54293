//! A stream of one or more markets, with a local book for each.

use api::terms::Currency;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::following::Following;
use super::room::{Room, Update};
use crate::book::LocalBook;
use crate::error::Result;

/// One or more markets in one currency. Made by `Market::follow` and `Client::follow`.
///
/// `next` gives a `Snapshot`, then a `Delta` for each change, and a `Heartbeat` after five seconds without one. When the
/// exchange cannot be reached, or the connection ends, is silent for ten seconds or skips a change, it gives `Untrusted`
/// with a reason, and `book.is_trusted()` is false until the stream has caught up.
#[derive(Debug)]
pub struct MarketStream {
    following: Following<LocalBook>,
}

impl MarketStream {
    /// `market_ids` is not empty.
    pub(crate) fn new(base_url: &str, market_ids: &[Uuid], currency: Currency) -> MarketStream {
        let mut ids = Vec::new();
        for id in market_ids {
            if !ids.contains(id) {
                ids.push(*id);
            }
        }
        let room = |id: Uuid| {
            let name = format!("changes:{id}:{currency}");
            (Room::new(name, LocalBook::new(id, currency)), subject(id, currency))
        };
        let url = format!("{}/ws/v1/markets", websocket(base_url));
        MarketStream { following: Following::new(url, ids.into_iter().map(room).collect(), None) }
    }

    /// The next step. An error means that the exchange refused the stream, or that its messages cannot be read; the next
    /// call begins anew. Safe to cancel.
    pub async fn next(&mut self) -> Result<Update> {
        self.following.next().await
    }

    /// The book of the only market, or of the first.
    pub fn book(&self) -> &LocalBook {
        &self.following.rooms.first().expect("a stream is made with a market").copy
    }

    /// The book of a market.
    pub fn book_of(&self, market_id: Uuid) -> Option<&LocalBook> {
        self.books().find(|book| book.market_id() == market_id)
    }

    /// All books.
    pub fn books(&self) -> impl Iterator<Item = &LocalBook> {
        self.following.rooms.iter().map(|room| &room.copy)
    }

    /// Ends the connection: the books are no longer to be trusted. `next` resumes the stream.
    pub fn close(&mut self) {
        self.following.close();
    }
}

fn subject(id: Uuid, currency: Currency) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("marketIds".to_owned(), json!([id]));
    fields.insert("currency".to_owned(), json!(currency));
    fields
}

/// `http` becomes `ws`, and `https` becomes `wss`.
pub(super) fn websocket(base_url: &str) -> String {
    format!("ws{}", base_url.strip_prefix("http").unwrap_or(base_url))
}
