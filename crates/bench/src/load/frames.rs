//! The frames that a running node has appended to its journal: how many, how large, with how many commands.
//!
//! The folder's size does not show this, because the journal preallocates its files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::disk::RealDisk;
use journal::file::Audit;
use journal::{FrameHeader, Head};

use crate::Problem;

/// Sums over some frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameSizes {
    pub frames: u64,
    pub commands: u64,
    pub payload_bytes: u64,
}

impl FrameSizes {
    /// Headers and payloads, without the marks in each sector and the padding to eight bytes.
    pub fn bytes(&self) -> u64 {
        self.frames * FrameHeader::ENCODED_BYTES as u64 + self.payload_bytes
    }

    /// The size of a frame with this many average commands.
    pub fn bytes_with(&self, commands: u64) -> usize {
        let payload = (commands * self.payload_bytes).div_ceil(self.commands.max(1));
        FrameHeader::ENCODED_BYTES + payload as usize
    }

    pub fn add(&mut self, other: &FrameSizes) {
        self.frames += other.frames;
        self.commands += other.commands;
        self.payload_bytes += other.payload_bytes;
    }
}

/// Reads a node's journal, a part at a time.
#[derive(Debug)]
pub struct FrameReader {
    journal: PathBuf,
    head: Head,
}

impl FrameReader {
    /// `folder` is the data folder of the node.
    pub fn new(folder: &Path) -> FrameReader {
        FrameReader { journal: folder.join("journal"), head: Head::EMPTY }
    }

    /// The frames since the last call.
    pub fn advance(&mut self) -> Result<FrameSizes, Problem> {
        let mut sizes = FrameSizes::default();
        let disk = Arc::new(RealDisk::reading(&self.journal));
        let mut audit = Audit::open_at(disk, None, &self.head)?;
        while let Some(frame) = audit.next_frame()? {
            sizes.frames += 1;
            sizes.commands += u64::from(frame.header.commands);
            sizes.payload_bytes += u64::from(frame.header.payload_bytes);
        }
        self.head = audit.head();
        Ok(sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::FrameSizes;

    #[test]
    fn a_frame_of_average_commands_has_one_header() {
        let sizes = FrameSizes { frames: 2, commands: 10, payload_bytes: 1_000 };
        assert_eq!(sizes.bytes(), 2 * 56 + 1_000);
        assert_eq!(sizes.bytes_with(3), 56 + 300);
        assert_eq!(FrameSizes::default().bytes_with(3), 56);
    }
}
