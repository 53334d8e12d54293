//! An order in a reply or a change: its record and the reference data of its market, so that showing it needs no state.

use core::ops::Deref;
use std::sync::Arc;

use super::OrderRecord;
use crate::catalogue::Instrument;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedOrder {
    pub record: OrderRecord,
    pub instrument: Arc<Instrument>,
}

impl Deref for ReportedOrder {
    type Target = OrderRecord;

    fn deref(&self) -> &OrderRecord {
        &self.record
    }
}
