//! The compact form in which history stores a response for retries: a format number, the shape, and the reply with
//! every id and label that the response shows. What an operator's response shows is stored as JSON: it is rare, and any build
//! reads it.
//!
//! A build renders its own format, and for 24 hours after an upgrade also that of the previous build.

use api::Word;
use api::error::ItemErrorCode;
use api::response::ItemError;
use exchange::codec::CodecError;
use exchange::id::OrderId;
use exchange::reject::Reject;
use exchange::reply::{ItemResult, Reply, SetsReply};
use exchange::time::Time;
use minicbor::decode::Error;
use minicbor::encode::{Error as EncodeError, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

use super::Shown;
use super::content::{CancelledItem, Content, ItemContent, Shape};
use crate::view;

const FORMAT: u8 = 1;

/// The number of a shape in the encoding.
mod kind {
    pub const REFUSAL: u8 = 0;
    pub const PLACE_ORDER: u8 = 1;
    pub const CANCEL_ORDER: u8 = 2;
    pub const CANCEL_ALL_ORDERS: u8 = 3;
    pub const CANCEL_AFTER: u8 = 4;
    pub const PLACE_ORDERS: u8 = 5;
    pub const AMEND_ORDERS: u8 = 6;
    pub const CANCEL_ORDERS: u8 = 7;
    pub const MINT_SETS: u8 = 8;
    pub const BURN_SETS: u8 = 9;
    pub const SET_WATCHLIST: u8 = 10;
    /// The bare reply to an operator, as the previous build stored it.
    pub const OPERATED: u8 = 11;
    pub const SHOWN: u8 = 12;
}

/// Encodes what `Content::of` would return for these arguments, without copying the reply.
pub fn encode(shape: Shape, result: &Result<Reply, Reject>, at: Time) -> Vec<u8> {
    let mut bytes = vec![FORMAT];
    let mut encoder = Encoder::new(&mut bytes);
    let written = match (shape, result) {
        (Shape::PlaceOrder, Ok(Reply::Order(order))) => encoder.encode((kind::PLACE_ORDER, order)),
        (Shape::CancelOrder, Ok(Reply::Order(order))) => encoder.encode((kind::CANCEL_ORDER, order)),
        (Shape::CancelAllOrders, Ok(Reply::Orders(orders))) => {
            encoder.encode((kind::CANCEL_ALL_ORDERS, orders))
        }
        (Shape::CancelAfter, Ok(Reply::CancelAt(at))) => encoder.encode((kind::CANCEL_AFTER, at)),
        (Shape::PlaceOrders, Ok(Reply::Results(results))) => {
            encoder.encode((kind::PLACE_ORDERS, Items(results)))
        }
        (Shape::AmendOrders, Ok(Reply::Results(results))) => {
            encoder.encode((kind::AMEND_ORDERS, Items(results)))
        }
        (Shape::CancelOrders, Ok(Reply::Results(results))) => {
            encoder.encode((kind::CANCEL_ORDERS, Cancels(results)))
        }
        (Shape::MintSets(market), Ok(Reply::Sets(sets))) => {
            encoder.encode((kind::MINT_SETS, market, Sets(sets)))
        }
        (Shape::BurnSets(market), Ok(Reply::Sets(sets))) => {
            encoder.encode((kind::BURN_SETS, market, Sets(sets)))
        }
        (Shape::SetWatchlist(event, watched), Ok(Reply::Done)) => {
            encoder.encode((kind::SET_WATCHLIST, event, watched))
        }
        _ => match Content::of(shape, result.clone(), at) {
            Content::Refusal(status, body) => {
                encoder.encode((kind::REFUSAL, status, minicbor::bytes::ByteVec::from(body.to_vec())))
            }
            _ => unreachable!("every other content has a row above"),
        },
    };
    assert!(written.is_ok(), "writing to a vector cannot fail");
    bytes
}

/// Encodes what the response to an operator shows.
pub fn encode_shown(shown: &Shown) -> Vec<u8> {
    let json = api::json::to_vec(shown);
    let mut bytes = vec![FORMAT];
    let mut encoder = Encoder::new(&mut bytes);
    let written = encoder.encode((kind::SHOWN, minicbor::bytes::ByteVec::from(json)));
    assert!(written.is_ok(), "writing to a vector cannot fail");
    bytes
}

/// Decodes a content that fills `bytes` exactly.
pub fn decode(bytes: &[u8]) -> Result<Content, CodecError> {
    decode_with(bytes, read_content)
}

/// The stored answer to an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperatorsAnswer {
    Shown(Shown),
    /// Stored by the previous build, which showed the state of the repetition.
    Reply(Reply),
}

/// Decodes an answer to an operator that fills `bytes` exactly.
pub fn decode_operators(bytes: &[u8]) -> Result<OperatorsAnswer, CodecError> {
    decode_with(bytes, |d| {
        let _fields = d.array()?;
        match d.u8()? {
            kind::SHOWN => {
                let shown = serde_json::from_slice(d.bytes()?).map_err(Error::message)?;
                Ok(OperatorsAnswer::Shown(shown))
            }
            kind::OPERATED => read_reply(d).map(OperatorsAnswer::Reply),
            _ => Err(Error::message("the stored response is not an operator's")),
        }
    })
}

/// Decodes what follows the format number, all of it.
fn decode_with<T>(
    bytes: &[u8],
    read: impl FnOnce(&mut Decoder<'_>) -> Result<T, Error>,
) -> Result<T, CodecError> {
    let Some((&FORMAT, encoded)) = bytes.split_first() else {
        return Err(Error::message("no such format of a stored response").into());
    };
    let mut decoder = Decoder::new(encoded);
    let found = read(&mut decoder)?;
    match decoder.position() == encoded.len() {
        true => Ok(found),
        false => Err(CodecError::TrailingBytes),
    }
}

/// The number of a reply to an operator in the encoding of the previous build.
mod operated {
    pub const DONE: u8 = 0;
    pub const PROPOSED: u8 = 1;
    pub const EVENTS: u8 = 2;
    pub const ORDERS: u8 = 3;
    pub const FINALISED: u8 = 4;
    pub const WALLET: u8 = 5;
    pub const REPEATED: u8 = 6;
}

fn read_reply(d: &mut Decoder<'_>) -> Result<Reply, Error> {
    let _fields = d.array()?;
    Ok(match d.u8()? {
        operated::DONE => Reply::Done,
        operated::PROPOSED => Reply::Proposed(d.decode()?),
        operated::EVENTS => Reply::Events(d.decode()?),
        operated::ORDERS => Reply::Orders(d.decode()?),
        operated::FINALISED => Reply::Finalised(d.decode()?),
        operated::WALLET => {
            let (currency, free, held) = (d.decode()?, d.decode()?, d.decode()?);
            Reply::Wallet { currency, free, held }
        }
        operated::REPEATED => Reply::Repeated { seq: d.decode()? },
        _ => return Err(Error::message("no such reply to an operator")),
    })
}

fn read_content(d: &mut Decoder<'_>) -> Result<Content, Error> {
    let _fields = d.array()?;
    Ok(match d.u8()? {
        kind::REFUSAL => Content::Refusal(d.u16()?, d.bytes()?.to_vec().into()),
        kind::PLACE_ORDER => Content::PlaceOrder(d.decode()?),
        kind::CANCEL_ORDER => Content::CancelOrder(d.decode()?),
        kind::CANCEL_ALL_ORDERS => Content::CancelAllOrders(d.decode()?),
        kind::CANCEL_AFTER => Content::CancelAfter(d.decode()?),
        kind::PLACE_ORDERS => Content::PlaceOrders(d.decode()?),
        kind::AMEND_ORDERS => Content::AmendOrders(d.decode()?),
        kind::CANCEL_ORDERS => Content::CancelOrders(d.decode()?),
        kind::MINT_SETS => Content::MintSets(d.decode()?, read_sets(d)?),
        kind::BURN_SETS => Content::BurnSets(d.decode()?, read_sets(d)?),
        kind::SET_WATCHLIST => Content::SetWatchlist(d.decode()?, d.bool()?),
        _ => return Err(Error::message("no such shape of a stored response")),
    })
}

type Encoded<W> = Result<(), EncodeError<<W as Write>::Error>>;

/// Items of a batch of new orders or amendments. A success is its order; the ids follow from it.
struct Items<'a>(&'a [ItemResult]);

impl<C> Encode<C> for Items<'_> {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Encoded<W> {
        e.array(self.0.len() as u64)?;
        for item in self.0 {
            match &item.outcome {
                Ok(order) => e.encode((true, order))?,
                Err(reject) => {
                    let names = (item.order, &item.order_as_sent, &item.client_order_id);
                    e.encode((false, names, ErrorOf(reject)))?
                }
            };
        }
        Ok(())
    }
}

impl<'b, C> Decode<'b, C> for ItemContent {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<ItemContent, Error> {
        let _fields = d.array()?;
        if d.bool()? {
            return d.decode().map(ItemContent::success);
        }
        let (order, order_as_sent, client_order_id) = d.decode()?;
        Ok(ItemContent { order, order_as_sent, client_order_id, outcome: Err(read_error(d)?) })
    }
}

/// Items of a batch of cancels.
struct Cancels<'a>(&'a [ItemResult]);

impl<C> Encode<C> for Cancels<'_> {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Encoded<W> {
        e.array(self.0.len() as u64)?;
        for item in self.0 {
            let order = item.order.unwrap_or(OrderId::new(0));
            match &item.outcome {
                Ok(_) => e.encode((order,))?,
                Err(reject) => e.encode((order, ErrorOf(reject)))?,
            };
        }
        Ok(())
    }
}

impl<'b, C> Decode<'b, C> for CancelledItem {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<CancelledItem, Error> {
        let fields = d.array()?;
        let order = d.decode()?;
        let outcome = if fields == Some(1) { Ok(()) } else { Err(read_error(d)?) };
        Ok(CancelledItem { order, outcome })
    }
}

/// The error of an item, in words: a newer build may explain the refusal differently.
struct ErrorOf<'a>(&'a Reject);

impl<C> Encode<C> for ErrorOf<'_> {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Encoded<W> {
        let ItemError { code, message, reason } = view::refusal::of_item(self.0);
        e.encode((code.as_str(), &message, reason.as_deref()))?.ok()
    }
}

fn read_error(d: &mut Decoder<'_>) -> Result<ItemError, Error> {
    let (code, message, reason) = d.decode::<(&str, String, Option<String>)>()?;
    let code = ItemErrorCode::find(code).ok_or_else(|| Error::message("no such code of an item"))?;
    Ok(ItemError { code, message, reason: reason.map(Into::into) })
}

/// A mint or a burn.
struct Sets<'a>(&'a SetsReply);

impl<C> Encode<C> for Sets<'_> {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, _: &mut C) -> Encoded<W> {
        let SetsReply { id, sets, cash, yes_price } = *self.0;
        e.encode((id, sets, cash, yes_price))?.ok()
    }
}

fn read_sets(d: &mut Decoder<'_>) -> Result<SetsReply, Error> {
    let (id, sets, cash, yes_price) = d.decode()?;
    Ok(SetsReply { id, sets, cash, yes_price })
}
