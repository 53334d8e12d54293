//! The next segment, filled with zeros in advance, so that the frame that rolls over does not wait for it.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::segment::create_spare;
use crate::disk::{Disk, DiskFile, is_out_of_descriptors, with_descriptor};

type Prepared = io::Result<Box<dyn DiskFile>>;

/// The state of the preparation. A failure is returned when the spare is taken.
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

    /// Starts the preparation, on a background thread or synchronously.
    pub(crate) fn begin(&mut self, in_background: bool) {
        assert!(!self.is_begun(), "only one spare is prepared at a time");
        let (disk, segment_bytes) = (Arc::clone(&self.disk), self.segment_bytes);
        let work = move || create_spare(&*disk, segment_bytes);
        self.state = if in_background { State::Working(thread::spawn(work)) } else { State::Ready(work()) };
    }

    /// Returns the spare. Waits for the background thread, and for a free descriptor if there was none.
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
    /// The next process to open the folder must not find a thread still writing into it.
    fn drop(&mut self) {
        if let State::Working(thread) = std::mem::replace(&mut self.state, State::None) {
            let _ = thread.join();
        }
    }
}
