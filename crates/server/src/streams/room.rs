//! Rooms: what a subscription is to. A message is written once for each room, and every room has a name that clients know.

use std::fmt;

use api::Word;
use api::stream::Channel;
use exchange::id::{EventId, MarketId, UserId};
use exchange::numbers::Currency;
use exchange::text::Text;
use uuid::Uuid;

use crate::view::words::ToApi;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Room {
    Activity {
        event: EventId,
        market: Option<MarketId>,
    },
    Prices {
        event: EventId,
    },
    /// Without a currency it is USD, under a shorter name.
    Orderbook {
        market: MarketId,
        currency: Option<Currency>,
    },
    UserTrades {
        user: UserId,
    },
    Orders {
        user: UserId,
        market: MarketId,
    },
    AssetPrices {
        symbol: Text,
    },
    /// A market in one currency, so that it can be rebuilt.
    MarketChanges {
        market: MarketId,
        currency: Currency,
    },
    /// The same of an account, for its owner.
    AccountChanges {
        user: UserId,
    },
    /// Whose keys and sessions a connection lives by. Nobody subscribes to it, and nothing is sent in it.
    Access {
        user: UserId,
    },
}

impl Room {
    /// Whether it is one of `changes`.
    pub(super) const fn is_resumable(&self) -> bool {
        matches!(self, Room::MarketChanges { .. } | Room::AccountChanges { .. })
    }
}

impl fmt::Display for Room {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, first): (&str, Uuid) = match self {
            Room::Activity { event, .. } => ("activity", event.to_api()),
            Room::Prices { event } => ("prices", event.to_api()),
            Room::Orderbook { market, .. } => ("orderbook", market.to_api()),
            Room::UserTrades { user } => ("user_trades", user.to_api()),
            Room::Orders { user, .. } => ("orders", user.to_api()),
            Room::Access { user } => ("access", user.to_api()),
            Room::MarketChanges { market, .. } => ("changes", market.to_api()),
            Room::AccountChanges { user } => ("changes", user.to_api()),
            Room::AssetPrices { symbol } => return write!(formatter, "asset_prices:{symbol}"),
        };
        write!(formatter, "{name}:{first}")?;
        match self {
            Room::Activity { market: Some(market), .. } | Room::Orders { market, .. } => {
                write!(formatter, ":{}", market.to_api())
            }
            Room::Orderbook { currency: Some(currency), .. } | Room::MarketChanges { currency, .. } => {
                write!(formatter, ":{}", currency.code())
            }
            _ => Ok(()),
        }
    }
}

/// The three doors. Each has its channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    Markets,
    User,
    Realtime,
}

impl Endpoint {
    pub(super) const fn path(self) -> &'static str {
        match self {
            Endpoint::Markets => "/ws/v1/markets",
            Endpoint::User => "/ws/v1/user",
            Endpoint::Realtime => "/ws/v1/realtime",
        }
    }

    /// What it is called in descriptions: the last word of its path.
    fn named(name: &str) -> Option<Endpoint> {
        let all = [Endpoint::Markets, Endpoint::User, Endpoint::Realtime];
        all.into_iter().find(|endpoint| endpoint.path().ends_with(&format!("/{name}")))
    }

    /// Where a channel is. `changes` is at two of them: markets here, accounts there.
    pub(super) const fn of(channel: Channel) -> &'static [Endpoint] {
        match channel {
            Channel::Activity | Channel::Prices | Channel::Orderbook | Channel::UserTrades => {
                &[Endpoint::Markets]
            }
            Channel::Orders => &[Endpoint::User],
            Channel::AssetPrices => &[Endpoint::Realtime],
            Channel::Changes => &[Endpoint::Markets, Endpoint::User],
        }
    }
}

/// The address of an endpoint by its name, for descriptions.
pub fn path_of(name: &str) -> &'static str {
    Endpoint::named(name).map_or("", Endpoint::path)
}

/// The channels of an endpoint by its name, for descriptions.
pub fn channels_of(name: &str) -> Vec<&'static str> {
    let endpoint = Endpoint::named(name);
    let is_here = |channel: &&Channel| endpoint.is_some_and(|here| Endpoint::of(**channel).contains(&here));
    let here = Channel::ALL.iter().filter(is_here);
    here.map(|channel| channel.as_str()).collect()
}
