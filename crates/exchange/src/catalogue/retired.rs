//! Events that have left memory: the record stored in history, and the names that stay taken.

use std::collections::{BTreeMap, BTreeSet};

use super::{Event, Game, LastTrade, Listing, Market, Venue};
use crate::activity::Activity;
use crate::id::{EventId, GameId, Hash32};
use crate::numbers::{Money, Ppm};

/// An event with everything a reader could see of it when it was retired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetiredEvent {
    /// Its list of markets is empty; they are in `markets`.
    pub event: Event,
    /// In the event's order.
    pub markets: Vec<RetiredMarket>,
    /// The game of the event as it was then, because it may leave memory too. Only under rules 4.
    pub game: Option<Game>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetiredMarket {
    pub market: Market,
    /// In the order of `Currency::ALL`.
    pub listings: [RetiredListing; 2],
}

/// The remaining data of a listing after settlement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetiredListing {
    pub last_trade: Option<LastTrade>,
    pub closing_price: Option<Ppm>,
    pub volume: Money,
    pub orders: u64,
    pub activity: Activity,
}

impl RetiredListing {
    pub(crate) fn of(listing: Listing) -> RetiredListing {
        RetiredListing {
            last_trade: listing.last_trade,
            closing_price: listing.closing_price,
            volume: listing.volume,
            orders: listing.orders,
            activity: listing.activity,
        }
    }

    pub(crate) fn to_listing(&self) -> Listing {
        Listing {
            last_trade: self.last_trade,
            closing_price: self.closing_price,
            volume: self.volume,
            orders: self.orders,
            activity: self.activity.clone(),
            ..Listing::new(Venue::Idle)
        }
    }
}

/// The names of retired events that memory keeps. A series event leaves nothing: its id and slug follow from the
/// series and its start, and operators cannot use such names. Any other event leaves a hash of its id and one of its
/// slug, 16 bytes together. A game leaves its id and a hash of its slug.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RetiredNames {
    pub(crate) ids: BTreeSet<u64>,
    pub(crate) slugs: BTreeSet<u64>,
    games: BTreeSet<GameId>,
    pub(crate) game_slugs: BTreeMap<u64, GameId>,
    /// The number of events ever retired.
    pub(crate) count: u64,
    /// The request that last retired an event.
    pub(crate) last_seq: u64,
}

impl RetiredNames {
    pub(crate) fn take(&mut self, event: &Event) {
        self.ids.insert(hash_of_id(event.id));
        self.slugs.insert(hash_of_slug(&event.slug));
    }

    pub(crate) fn has_id(&self, id: EventId) -> bool {
        self.ids.contains(&hash_of_id(id))
    }

    pub(crate) fn has_slug(&self, slug: &str) -> bool {
        self.slugs.contains(&hash_of_slug(slug))
    }

    pub(crate) fn take_game(&mut self, game: &Game) {
        self.restore_game(hash_of_slug(&game.slug), game.id);
    }

    /// False if the slug or the game is known.
    pub(crate) fn restore_game(&mut self, slug: u64, game: GameId) -> bool {
        self.game_slugs.insert(slug, game).is_none() && self.games.insert(game)
    }

    pub(crate) fn has_game(&self, game: GameId) -> bool {
        self.games.contains(&game)
    }

    pub(crate) fn find_game(&self, slug: &str) -> Option<GameId> {
        self.game_slugs.get(&hash_of_slug(slug)).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len() + self.slugs.len()
    }
}

/// Names with equal hashes count as equal: the later event is refused. With a million names, that is one event in 10¹³.
fn hash_of_id(id: EventId) -> u64 {
    first_word(blake3::hash(&id.as_u128().to_be_bytes()).as_bytes())
}

fn hash_of_slug(slug: &str) -> u64 {
    first_word(Hash32::of(slug).as_bytes())
}

fn first_word(hash: &[u8; 32]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&hash[..8]);
    u64::from_be_bytes(word)
}
