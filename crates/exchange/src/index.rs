//! In-memory indexes of users, events, markets, a market's two listings, and open orders.
//!
//! All but those of orders increase in creation order and are not reused while the process runs, so a stale index finds
//! nothing. A snapshot does not contain those of events and markets: a restart renumbers them in the same order. Use ids
//! for anything that outlives a single access to the state.

use crate::numbers::Currency;

macro_rules! indexes {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            #[inline]
            pub fn from_slot(slot: usize) -> $name {
                $name(u32::try_from(slot).unwrap_or(u32::MAX))
            }

            #[inline]
            pub const fn slot(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

indexes! {
    UserIndex,
    EventIndex,
    MarketIndex,
    /// An open order; reused after the order has closed.
    OrderSlot,
}

/// A market in one currency: its book or pool, positions and collateral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListingIndex(pub(crate) u32);

impl UserIndex {
    /// The account that owns the pools.
    pub const HOUSE: UserIndex = UserIndex(0);
    /// No user: a quote for it includes every order.
    pub const NOBODY: UserIndex = UserIndex(u32::MAX);
}

impl EventIndex {
    /// The index of an event that has left memory.
    pub(crate) const NONE: EventIndex = EventIndex(u32::MAX);
}

impl ListingIndex {
    #[inline]
    pub const fn new(market: MarketIndex, currency: Currency) -> ListingIndex {
        ListingIndex(market.0 * 2 + currency as u32)
    }

    #[inline]
    pub const fn market(self) -> MarketIndex {
        MarketIndex(self.0 / 2)
    }

    #[inline]
    pub const fn currency(self) -> Currency {
        if self.0.is_multiple_of(2) { Currency::Usd } else { Currency::Ngn }
    }
}
