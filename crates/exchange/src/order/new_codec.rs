//! The encoding of a new order. Nearly every frame of a journal consists of these, so it is compact: enumerations and
//! the presence of options are bits of one number, and only present options follow.
//!
//! `[id, outcome, bits, size, price?, slippage?, expiry?, client order id?, path?]`

use minicbor::decode::Error;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

use super::{NewOrder, OrderKind, SelfTrade, Side, Sizing, TimeInForce};
use crate::numbers::{Currency, Money, Shares};

const SIDE: u32 = 0;
const KIND: u32 = 1;
const CURRENCY: u32 = 2;
const BY_QUANTITY: u32 = 3;
const POST_ONLY: u32 = 4;
const SELF_TRADE: u32 = 5;
const TIME_IN_FORCE: u32 = 7;
const HAS_TIME_IN_FORCE: u32 = 9;
const HAS_PRICE: u32 = 10;
const HAS_SLIPPAGE: u32 = 11;
const HAS_EXPIRY: u32 = 12;
const HAS_CLIENT_ID: u32 = 13;
const HAS_PATH: u32 = 14;
const BITS: u32 = 15;

const GIVEN: u32 = 1 << HAS_PRICE | 1 << HAS_SLIPPAGE | 1 << HAS_EXPIRY | 1 << HAS_CLIENT_ID | 1 << HAS_PATH;

const SIDES: [Side; 2] = [Side::Buy, Side::Sell];
const KINDS: [OrderKind; 2] = [OrderKind::Limit, OrderKind::Market];
const CURRENCIES: [Currency; 2] = Currency::ALL;
const MODES: [SelfTrade; 4] =
    [SelfTrade::Skip, SelfTrade::CancelOldest, SelfTrade::CancelNewest, SelfTrade::CancelBoth];
const TIMES: [TimeInForce; 4] = [TimeInForce::Gtc, TimeInForce::Gtd, TimeInForce::Fak, TimeInForce::Fok];

fn bits(new: &NewOrder) -> u32 {
    let given = |is_given: bool, bit: u32| u32::from(is_given) << bit;
    (new.side as u32) << SIDE
        | (new.kind as u32) << KIND
        | (new.currency as u32) << CURRENCY
        | given(matches!(new.sizing, Sizing::Quantity(_)), BY_QUANTITY)
        | given(new.post_only, POST_ONLY)
        | (new.self_trade as u32) << SELF_TRADE
        | new.time_in_force.map_or(0, |time| (time as u32) << TIME_IN_FORCE | 1 << HAS_TIME_IN_FORCE)
        | given(new.price.is_some(), HAS_PRICE)
        | given(new.max_slippage.is_some(), HAS_SLIPPAGE)
        | given(new.expires_at.is_some(), HAS_EXPIRY)
        | given(new.client_order_id.is_some(), HAS_CLIENT_ID)
        | given(new.path.is_some(), HAS_PATH)
}

impl<C> Encode<C> for NewOrder {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, context: &mut C) -> Result<(), encode::Error<W::Error>> {
        let bits = bits(self);
        e.array(4 + u64::from((bits & GIVEN).count_ones()))?;
        self.id.encode(e, context)?;
        self.outcome.encode(e, context)?;
        e.u32(bits)?;
        match self.sizing {
            Sizing::Amount(amount) => e.i64(amount.units())?,
            Sizing::Quantity(shares) => e.i64(shares.units())?,
        };
        // Written one by one, because encoding an absent option would write a null.
        if let Some(price) = &self.price {
            price.encode(e, context)?;
        }
        if let Some(slippage) = &self.max_slippage {
            slippage.encode(e, context)?;
        }
        if let Some(expires_at) = &self.expires_at {
            expires_at.encode(e, context)?;
        }
        if let Some(client_order_id) = &self.client_order_id {
            client_order_id.encode(e, context)?;
        }
        if let Some(path) = &self.path {
            path.encode(e, context)?;
        }
        Ok(())
    }
}

impl<'b, C> Decode<'b, C> for NewOrder {
    fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<NewOrder, Error> {
        let length = d.array()?;
        let (id, outcome) = (Decode::decode(d, context)?, Decode::decode(d, context)?);
        let bits = d.u32()?;
        let is_whole = length == Some(4 + u64::from((bits & GIVEN).count_ones()));
        let has = |bit: u32| bits & (1 << bit) != 0;
        // Unused bits are refused, so that an order has one encoding.
        let stray = bits >> BITS != 0 || (!has(HAS_TIME_IN_FORCE) && bits >> TIME_IN_FORCE & 3 != 0);
        if !is_whole || stray {
            return Err(Error::message("not the form of an order"));
        }
        let (one, two) = (|bit: u32| (bits >> bit & 1) as usize, |bit: u32| (bits >> bit & 3) as usize);
        let size = d.i64()?;
        Ok(NewOrder {
            id,
            outcome,
            side: SIDES[one(SIDE)],
            kind: KINDS[one(KIND)],
            currency: CURRENCIES[one(CURRENCY)],
            sizing: if has(BY_QUANTITY) {
                Sizing::Quantity(Shares::new(size))
            } else {
                Sizing::Amount(Money::new(size))
            },
            price: given(d, context, has(HAS_PRICE))?,
            time_in_force: has(HAS_TIME_IN_FORCE).then(|| TIMES[two(TIME_IN_FORCE)]),
            post_only: has(POST_ONLY),
            self_trade: MODES[two(SELF_TRADE)],
            max_slippage: given(d, context, has(HAS_SLIPPAGE))?,
            expires_at: given(d, context, has(HAS_EXPIRY))?,
            client_order_id: given(d, context, has(HAS_CLIENT_ID))?,
            path: given(d, context, has(HAS_PATH))?,
        })
    }
}

/// The next value, if its bit is set.
fn given<'b, C, T: Decode<'b, C>>(
    d: &mut Decoder<'b>,
    context: &mut C,
    is_given: bool,
) -> Result<Option<T>, Error> {
    if is_given { T::decode(d, context).map(Some) } else { Ok(None) }
}
