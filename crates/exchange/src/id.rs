//! Identifiers. A command provides the ids of the objects it creates; other ids are derived from their parent, so that
//! two machines that apply the same journal agree on every id.

use core::fmt;

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

/// The 128 bits of an id, as words: a `u128` would align every struct with an id to 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Words {
    high: u64,
    low: u64,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Words);

        impl $name {
            #[inline]
            pub const fn new(uuid: u128) -> $name {
                $name(Words { high: (uuid >> 64) as u64, low: uuid as u64 })
            }

            #[inline]
            pub const fn as_u128(self) -> u128 {
                (self.0.high as u128) << 64 | self.0.low as u128
            }

            /// Whether it is a version 8 UUID, as derived ids are.
            pub const fn is_derived(self) -> bool {
                (self.0.high >> 12) & 0xf == 8 && (self.0.low >> 62) == 0b10
            }
        }

        impl<C> Encode<C> for $name {
            fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
                e.bytes(&self.as_u128().to_be_bytes())?.ok()
            }
        }

        impl<'b, C> Decode<'b, C> for $name {
            fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<$name, Error> {
                uuid_bytes(d).map($name::new)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_uuid(f, self.as_u128())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_uuid(f, self.as_u128())
            }
        }
    )*};
}

ids! {
    EventId, MarketId, OutcomeId, SeriesId, LeagueId, TeamId, GameId,
    UserId, SessionId, KeyId, OperatorId, OrderId, TradeId, ProposalId,
    /// A mint or a burn.
    OperationId,
    /// A connection whose end cancels its user's resting orders.
    ConnectionId,
    /// A note about news.
    NewsId,
    /// A row of the people store, with a person's data.
    RowId,
}

fn uuid_bytes(d: &mut Decoder<'_>) -> Result<u128, Error> {
    let bytes: &[u8; 16] = d.bytes()?.try_into().map_err(|_| Error::message("an id has 16 bytes"))?;
    Ok(u128::from_be_bytes(*bytes))
}

/// Writes the digits by hand: the general formatter takes several times as long.
fn write_uuid(f: &mut fmt::Formatter<'_>, uuid: u128) -> fmt::Result {
    let mut text = [b'-'; 36];
    let places = (0..text.len()).filter(|place| !matches!(place, 8 | 13 | 18 | 23));
    let nibbles = uuid.to_be_bytes().into_iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    for (place, nibble) in places.zip(nibbles) {
        text[place] = b"0123456789abcdef"[usize::from(nibble)];
    }
    f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
}

/// The kind of a derived id; part of the hash, so that ids of different kinds never collide.
#[derive(Clone, Copy, Debug)]
pub enum Derived {
    Outcome = 1,
    Trade = 2,
    SeriesEvent = 3,
    SeriesMarket = 4,
    SoccerEvent = 5,
    SoccerMarket = 6,
    Settlement = 7,
    SeriesProposal = 8,
}

/// A version 8 UUID from a hash of kind, parent and index.
pub fn derive(kind: Derived, parent: u128, index: u64) -> u128 {
    let mut input = [0; 25];
    input[0] = kind as u8;
    input[1..17].copy_from_slice(&parent.to_be_bytes());
    input[17..].copy_from_slice(&index.to_be_bytes());
    let hash = blake3::hash(&input);
    let mut uuid = [0; 16];
    uuid.copy_from_slice(&hash.as_bytes()[..16]);
    uuid[6] = (uuid[6] & 0x0f) | 0x80;
    uuid[8] = (uuid[8] & 0x3f) | 0x80;
    u128::from_be_bytes(uuid)
}

impl OutcomeId {
    /// Outcome 1 (YES) has index 0, outcome 2 (NO) index 1.
    pub fn of(market: MarketId, index: u64) -> OutcomeId {
        OutcomeId::new(derive(Derived::Outcome, market.as_u128(), index))
    }
}

impl TradeId {
    /// The `index`-th trade of this taker order. It begins with the order's first 48 bits, which are a time in
    /// generated ids, so that trades of the same time are adjacent in an index.
    pub fn of(taker: OrderId, index: u64) -> TradeId {
        const TIME: u128 = 0xffff_ffff_ffff << 80;
        let hash = derive(Derived::Trade, taker.as_u128(), index);
        TradeId::new((taker.as_u128() & TIME) | (hash & !TIME))
    }
}

/// A 32-byte hash of a secret or a long text, which is not stored itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash32([u8; 32]);

impl Hash32 {
    pub const fn new(bytes: [u8; 32]) -> Hash32 {
        Hash32(bytes)
    }

    /// The hash of a text.
    pub fn of(text: &str) -> Hash32 {
        Hash32(*blake3::hash(text.as_bytes()).as_bytes())
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl<C> Encode<C> for Hash32 {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
        e.bytes(&self.0)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Hash32 {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Hash32, Error> {
        d.bytes()?.try_into().map(Hash32).map_err(|_| Error::message("a hash has 32 bytes"))
    }
}

/// Prints only the first bytes: enough to distinguish two hashes in a log.
impl fmt::Debug for Hash32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..4].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_ids_are_version_8_uuids_and_differ_by_kind_parent_and_index() {
        let ids = [
            derive(Derived::Outcome, 1, 0),
            derive(Derived::Outcome, 1, 1),
            derive(Derived::Outcome, 2, 0),
            derive(Derived::Trade, 1, 0),
        ];
        for (i, id) in ids.iter().enumerate() {
            assert_eq!((id >> 76) & 0xf, 8, "version");
            assert_eq!((id >> 62) & 0b11, 0b10, "variant");
            assert!(ids[..i].iter().all(|other| other != id));
        }
    }

    #[test]
    fn an_id_is_shown_as_a_uuid() {
        assert_eq!(OutcomeId::new(0x1234).to_string(), "00000000-0000-0000-0000-000000001234");
        let digits = OutcomeId::new(0x0123_4567_89ab_cdef_fedc_ba98_7654_3210);
        assert_eq!(digits.to_string(), "01234567-89ab-cdef-fedc-ba9876543210");
    }
}
