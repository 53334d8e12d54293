//! Rooms: the subjects of subscriptions. A message is encoded once per room, and each room has a public name.

use std::fmt;

use api::Word;
use api::stream::Channel;
use exchange::id::{EventId, GameId, MarketId, UserId};
use exchange::numbers::Currency;
use exchange::text::Text;
use uuid::Uuid;

use crate::edge::{Method, Operation};
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
    /// Without a currency it is USD, with a shorter name.
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
    /// Score, clock and status.
    Game {
        game: GameId,
    },
    /// The changes of a market in one currency, from which its state can be rebuilt.
    MarketChanges {
        market: MarketId,
        currency: Currency,
    },
    /// The changes of an account, for its owner.
    AccountChanges {
        user: UserId,
    },
    /// Notifies a connection of changes to a user's keys and sessions. Internal: has no subscriptions and no messages.
    Access {
        user: UserId,
    },
}

impl Room {
    /// Whether it belongs to the channel `changes`.
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
            Room::Game { game } => ("games", game.to_api()),
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

/// The three WebSocket endpoints. Each has its own channels.
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

    /// Finds an endpoint by its name in the documentation: the last segment of its path.
    fn named(name: &str) -> Option<Endpoint> {
        let all = [Endpoint::Markets, Endpoint::User, Endpoint::Realtime];
        all.into_iter().find(|endpoint| endpoint.path().ends_with(&format!("/{name}")))
    }

    /// The endpoints of a channel. `changes` is at two: markets at one, accounts at the other.
    pub(super) const fn of(channel: Channel) -> &'static [Endpoint] {
        match channel {
            Channel::Activity
            | Channel::Prices
            | Channel::Orderbook
            | Channel::UserTrades
            | Channel::Games => &[Endpoint::Markets],
            Channel::Orders => &[Endpoint::User],
            Channel::AssetPrices => &[Endpoint::Realtime],
            Channel::Changes => &[Endpoint::Markets, Endpoint::User],
        }
    }
}

/// The rows of all endpoints; AsyncAPI describes them.
pub(crate) const ENDPOINTS: &[Operation] = &[
    Operation::hidden(Method::Get, Endpoint::Markets.path()),
    Operation::hidden(Method::Get, Endpoint::User.path()),
    Operation::hidden(Method::Get, Endpoint::Realtime.path()),
];

/// The path of an endpoint by name, for the documentation.
pub fn path_of(name: &str) -> &'static str {
    Endpoint::named(name).map_or("", Endpoint::path)
}

/// The channels of an endpoint by name, for the documentation.
pub fn channels_of(name: &str) -> Vec<&'static str> {
    let endpoint = Endpoint::named(name);
    let is_here = |channel: &&Channel| endpoint.is_some_and(|here| Endpoint::of(**channel).contains(&here));
    let here = Channel::ALL.iter().filter(is_here);
    here.map(|channel| channel.as_str()).collect()
}
