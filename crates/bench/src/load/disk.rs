//! The bare disk: a preallocated file, a positioned write and `fdatasync`. The floor for durable writes.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Problem;
use crate::frames::FrameSizes;
use crate::pace::{Schedule, Timer};

const PREALLOCATED_BYTES: u64 = 64 << 20;
const WRITE_BYTES: usize = 4 << 10;

#[derive(Debug)]
pub struct Raw {
    file: File,
    offset: u64,
}

impl Raw {
    pub fn new(path: &Path) -> Result<Raw, Problem> {
        let file = OpenOptions::new().create_new(true).write(true).open(path)?;
        // Small pieces, as in the journal: they make later `fdatasync` calls fastest.
        let zeros = vec![0; 64 << 10];
        for offset in (0..PREALLOCATED_BYTES).step_by(zeros.len()) {
            file.write_all_at(&zeros, offset)?;
        }
        file.sync_all()?;
        Ok(Raw { file, offset: 0 })
    }

    /// Writes 4 KiB at a time, continuously for this long; returns the duration of each write.
    pub fn measure(&mut self, time: Duration) -> Result<Vec<Duration>, Problem> {
        let mut times = Vec::new();
        let start = Instant::now();
        while start.elapsed() < time {
            let asked = Instant::now();
            self.append(&[7; WRITE_BYTES])?;
            times.push(asked.elapsed());
        }
        Ok(times)
    }

    /// This many commands per second, evenly spaced, for this long. Each write is a frame of all commands that are due,
    /// with the sizes of `frames`. Returns the time of each command, from when it was due until its frame is durable.
    pub fn paced(
        &mut self,
        per_second: f64,
        time: Duration,
        frames: &FrameSizes,
    ) -> Result<Vec<Duration>, Problem> {
        let (timer, mut times, mut next) = (Timer::new()?, Vec::new(), 0);
        let schedule = Schedule::begin(per_second, time);
        while let Some(due) = schedule.due(next) {
            timer.sleep_until(due)?;
            let end = schedule.due_until(next, Instant::now());
            self.append(&vec![7; frames.bytes_with(end - next)])?;
            let stored = Instant::now();
            times.extend((next..end).filter_map(|number| Some(stored - schedule.due(number)?)));
            next = end;
        }
        Ok(times)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        if self.offset + bytes.len() as u64 > PREALLOCATED_BYTES {
            self.offset = 0;
        }
        self.file.write_all_at(bytes, self.offset)?;
        self.file.sync_data()?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}
