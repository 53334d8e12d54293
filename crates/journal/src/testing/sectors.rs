//! The content of one file as the disk sees it: the bytes that programs read, and the bytes that survive a crash.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Random;

const SECTOR_BYTES: usize = 512;

/// A sector is written entirely or not at all. Between two syncs, sectors are written in any order or not at all.
#[derive(Clone, Debug, Default)]
pub(super) struct Sectors {
    pub(super) current: Vec<u8>,
    durable: Vec<u8>,
    dirty: BTreeSet<usize>,
}

impl Sectors {
    pub(super) fn read(&self, buffer: &mut [u8], offset: usize) -> usize {
        let rest = self.current.get(offset..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        length
    }

    pub(super) fn write(&mut self, bytes: &[u8], offset: usize) {
        let end = offset + bytes.len();
        if self.current.len() < end {
            self.current.resize(end, 0);
        }
        self.current[offset..end].copy_from_slice(bytes);
        self.dirty.extend(offset / SECTOR_BYTES..end.div_ceil(SECTOR_BYTES));
    }

    pub(super) fn sync(&mut self) {
        for sector in std::mem::take(&mut self.dirty) {
            self.persist(sector);
        }
    }

    /// A failed sync: some sectors were written, and the others are marked clean although they were not.
    pub(super) fn fail_sync(&mut self, random: &mut Random) {
        for sector in std::mem::take(&mut self.dirty) {
            if random.coin() {
                self.persist(sector);
            }
        }
    }

    /// Power loss: each unsynced sector is either written or lost.
    pub(super) fn crash(&mut self, random: &mut Random) {
        // A third of the crashes loses every unsynced sector, a third keeps all, the rest keeps a random subset.
        let kind = random.below(3);
        for sector in std::mem::take(&mut self.dirty) {
            if kind == 1 || (kind == 2 && random.coin()) {
                self.persist(sector);
            }
        }
        self.current.clone_from(&self.durable);
    }

    fn persist(&mut self, sector: usize) {
        let range = self.range(sector);
        if self.durable.len() < range.end {
            self.durable.resize(range.end, 0);
        }
        self.durable[range.clone()].copy_from_slice(&self.current[range]);
    }

    fn range(&self, sector: usize) -> Range<usize> {
        let start = sector * SECTOR_BYTES;
        start..(start + SECTOR_BYTES).min(self.current.len())
    }
}
