//! The next segment, zero-filled ahead of need, so that the frame which rolls over does not wait for it.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::segment::create_spare;
use crate::disk::{Disk, DiskFile, is_out_of_descriptors, with_descriptor};

type Prepared = io::Result<Box<dyn DiskFile>>;

/// Where the preparation stands. A failure is told when the spare is taken.
#[derive(Debug)]
pub(crate) struct Spare {
    disk: Arc<dyn Disk>,
    segment_bytes: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    None,
    Working(JoinHandle<Prepared>),
    Ready(Prepared),
}

impl Spare {
    pub(crate) fn new(disk: Arc<dyn Disk>, segment_bytes: u64) -> Spare {
        Spare { disk, segment_bytes, state: State::None }
    }

    pub(crate) fn is_begun(&self) -> bool {
        !matches!(self.state, State::None)
    }

    /// Starts the work, on a thread of its own or here and now.
    pub(crate) fn begin(&mut self, in_background: bool) {
        assert!(!self.is_begun(), "one spare is prepared at a time");
        let (disk, segment_bytes) = (Arc::clone(&self.disk), self.segment_bytes);
        let work = move || create_spare(&*disk, segment_bytes);
        self.state = if in_background { State::Working(thread::spawn(work)) } else { State::Ready(work()) };
    }

    /// The spare. Waits for the thread that prepares it, and for a descriptor if there was none.
    pub(crate) fn take(&mut self) -> Prepared {
        let prepared = match std::mem::replace(&mut self.state, State::None) {
            State::None => None,
            State::Working(thread) => Some(thread.join().expect("preparing a segment does not panic")),
            State::Ready(prepared) => Some(prepared),
        };
        match prepared {
            Some(Err(error)) if !is_out_of_descriptors(&error) => Err(error),
            Some(Ok(file)) => Ok(file),
            _ => with_descriptor(|| create_spare(&*self.disk, self.segment_bytes)),
        }
    }
}

impl Drop for Spare {
    /// Whoever opens the folder next must not meet a thread that still writes into it.
    fn drop(&mut self) {
        if let State::Working(thread) = std::mem::replace(&mut self.state, State::None) {
            let _ = thread.join();
        }
    }
}
