//! A stream of an account, with a local copy.

use serde_json::{Map, json};

use super::following::{Following, Owner};
use super::market::websocket;
use super::room::{Room, Update};
use crate::credentials::{Credentials, USER_STREAM};
use crate::error::Result;
use crate::ledger::LocalAccount;

/// Your orders, fills, wallets and positions. Made by `Client::follow_account`. Its steps are those of `MarketStream`.
#[derive(Debug)]
pub struct AccountStream {
    following: Following<LocalAccount>,
}

impl AccountStream {
    pub(crate) fn new(base_url: &str, credentials: Credentials) -> AccountStream {
        let mut subject = Map::new();
        subject.insert("auth".to_owned(), json!({"apiKey": credentials.public_key()}));
        let room = Room::new("changes".to_owned(), LocalAccount::new());
        let owner = Owner { credentials, is_arming: false, is_armed: false };
        let url = format!("{}{USER_STREAM}", websocket(base_url));
        AccountStream { following: Following::new(url, vec![(room, subject)], Some(owner)) }
    }

    /// Makes the exchange cancel all your orders when the connection ends. Set it before the first step.
    #[must_use]
    pub fn cancel_on_disconnect(mut self) -> AccountStream {
        if let Some(owner) = &mut self.following.owner {
            owner.is_arming = true;
        }
        self
    }

    /// Whether the exchange has confirmed that it cancels all your orders when this connection ends.
    pub fn is_armed(&self) -> bool {
        self.following.owner.as_ref().is_some_and(|owner| owner.is_armed)
    }

    /// The next step. An error means that the exchange refused the stream, or that its messages cannot be read; the next
    /// call begins anew. Safe to cancel.
    pub async fn next(&mut self) -> Result<Update> {
        self.following.next().await
    }

    /// The local copy.
    pub fn account(&self) -> &LocalAccount {
        &self.following.rooms.first().expect("an account's stream has one room").copy
    }

    /// Ends the connection: the copy is no longer to be trusted. `next` resumes the stream.
    pub fn close(&mut self) {
        self.following.close();
    }
}
