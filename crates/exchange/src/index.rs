//! Numbers for what lives in memory: users, events, markets, and a market's two listings.
//!
//! They rise in order of creation and are never reused while the exchange lives, so a stale one finds nothing. A snapshot
//! does not name those of events and markets: a start numbers what is left anew, in the order of before. Use ids in whatever
//! outlives a look at the state.

use crate::numbers::Currency;

macro_rules! indexes {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn from_slot(slot: usize) -> $name {
                $name(u32::try_from(slot).unwrap_or(u32::MAX))
            }

            #[inline]
            pub const fn slot(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

indexes! { UserIndex, EventIndex, MarketIndex }

/// A market in one currency: its book or pool, positions and collateral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListingIndex(pub(crate) u32);

impl UserIndex {
    /// The account that owns the pools.
    pub const HOUSE: UserIndex = UserIndex(0);
    /// Nobody: sees every order when it asks for a quote.
    pub const NOBODY: UserIndex = UserIndex(u32::MAX);
}

impl EventIndex {
    /// Of an event that left memory.
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
