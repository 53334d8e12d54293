//! The live state, shared: one writer, short looks by readers.

use exchange::Exchange;
use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

#[derive(Debug)]
pub struct Shared {
    exchange: RwLock<Exchange>,
}

impl Shared {
    pub fn new(exchange: Exchange) -> Shared {
        Shared { exchange: RwLock::new(exchange) }
    }

    /// A look at what is applied. Keep it short, and never across an await.
    pub fn read(&self) -> RwLockReadGuard<'_, Exchange> {
        self.exchange.read()
    }

    /// The apply thread's alone.
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Exchange> {
        self.exchange.write()
    }
}
