//! `RecordPrice`: records an asset's price from a source. Series use it at their boundaries.
//!
//! A feed of the node and an operator never share a name: a series that names `desk` counts the feed `desk`, a series
//! that names `push:desk` counts prices that operators pushed as `desk`.
//!
//! A price sequenced at the exact instant of a boundary counts for it: `Exchange::apply` fires the boundary after this
//! command.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::checks::{check_date, check_symbol, check_word, require};
use crate::catalogue::{AssetPrice, PUSHED, Sample};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;
use crate::time::{Span, Time};

/// How far a source's clock may be ahead of the journal's.
const SOURCE_AHEAD_MAX: Span = Span::seconds(60);

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RecordPrice {
    #[n(0)]
    pub symbol: Text,
    #[n(1)]
    pub value: AssetPrice,
    #[n(2)]
    pub source: Text,
    #[n(3)]
    pub source_time: Time,
}

impl Exchange {
    pub(crate) fn record_price(&mut self, caller: Caller, command: &RecordPrice) -> Result<Reply, Reject> {
        let &RecordPrice { ref symbol, value, ref source, source_time } = command;
        check_symbol("symbol", symbol)?;
        require(value.0 > 0, "value", "is positive")?;
        check_word("source", source)?;
        check_date("source_time", source_time)?;
        require(source_time <= self.now + SOURCE_AHEAD_MAX, "source_time", "is at most 60 seconds ahead")?;

        let is_named_plainly = !source.starts_with(PUSHED);
        require(is_named_plainly, "source", "does not begin with push:")?;
        let pushed_by = caller.operator().ok();
        let sample = Sample { value, source: source.clone(), source_time, at: self.now, pushed_by };
        self.catalogue.assets.entry(symbol.clone()).or_default().record(sample);
        self.changes.push(Change::PriceRecorded { symbol: symbol.clone(), value, source_time });
        Ok(Reply::Done)
    }
}
