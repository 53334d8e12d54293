//! Streams of markets, of the account, and of the channels without changes.

use uuid::Uuid;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::stream::{AccountStream, Endpoint, Listener, MarketStream, Subscription};

impl Client {
    /// A stream of one or more markets in the client's currency, with local books. It connects with its first step.
    pub fn follow(&self, market_ids: &[Uuid]) -> Result<MarketStream> {
        if market_ids.is_empty() {
            return Err(Error::Usage("name at least one market to follow".to_owned()));
        }
        Ok(MarketStream::new(self.base_url(), market_ids, self.currency()))
    }

    /// A stream of your account, with a local copy.
    pub fn follow_account(&self) -> Result<AccountStream> {
        let credentials = self.credentials().cloned();
        let credentials =
            credentials.ok_or_else(|| Error::Usage("the account's stream needs a key".to_owned()))?;
        Ok(AccountStream::new(self.base_url(), credentials))
    }

    /// Messages of channels such as prices and activity, over one connection.
    pub fn listen(&self, endpoint: Endpoint, subscriptions: Vec<Subscription>) -> Listener {
        Listener::new(self.base_url(), endpoint, subscriptions, self.credentials())
    }
}
