//! The bare disk: a preallocated file, a positioned write of 4 KiB and `fdatasync`. The floor for durable writes.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Problem;

const PREALLOCATED_BYTES: u64 = 64 << 20;
const WRITE_BYTES: u64 = 4 << 10;

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

    /// Writes continuously for this long; returns the duration of each write.
    pub fn measure(&mut self, time: Duration) -> Result<Vec<Duration>, Problem> {
        let mut times = Vec::new();
        let start = Instant::now();
        while start.elapsed() < time {
            let asked = Instant::now();
            self.append()?;
            times.push(asked.elapsed());
        }
        Ok(times)
    }

    fn append(&mut self) -> Result<(), Problem> {
        self.file.write_all_at(&[7; WRITE_BYTES as usize], self.offset)?;
        self.file.sync_data()?;
        self.offset = (self.offset + WRITE_BYTES) % PREALLOCATED_BYTES;
        Ok(())
    }
}
