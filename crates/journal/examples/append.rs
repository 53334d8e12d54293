//! Measures the journal against the bare disk: `cargo run --release --example append [folder]`.
//!
//! Raw is a preallocated file, a positioned write and `fdatasync`. Both alternate, append by append, so that drift of
//! the disk affects both. Only the ratios are comparable between runs.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use journal::disk::RealDisk;
use journal::file::{FileJournal, Options};
use journal::{Appended, Journal, Payload, Sequence, SystemClock};

const PREALLOCATED_BYTES: usize = 64 << 20;
const BUDGET: Duration = Duration::from_secs(3);

/// A file of zeros that is written from front to back, over and over.
struct Raw {
    file: File,
    offset: usize,
}

impl Raw {
    fn new(path: &Path) -> Result<Raw, Box<dyn Error>> {
        let file = OpenOptions::new().create_new(true).write(true).open(path)?;
        // Small pieces, as the journal does: the quickest way known to a quick `fdatasync` later.
        let zeros = vec![0; 64 << 10];
        for offset in (0..PREALLOCATED_BYTES).step_by(zeros.len()) {
            file.write_all_at(&zeros, offset as u64)?;
        }
        file.sync_all()?;
        Ok(Raw { file, offset: 0 })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        if self.offset + bytes.len() > PREALLOCATED_BYTES {
            self.offset = 0;
        }
        self.file.write_all_at(bytes, self.offset as u64)?;
        self.file.sync_data()?;
        self.offset += bytes.len();
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let parent = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = parent.join(format!("journal-bench-{}", std::process::id()));
    let disk = Arc::new(RealDisk::new(&folder)?);
    let measured = (|| {
        let clock = Box::new(SystemClock);
        let mut journal = FileJournal::create(disk, clock, Options::default(), [7; 16])?;
        let mut raw = Raw::new(&folder.join("raw"))?;
        compare("1 command of 4 KiB", 1, 4096, &mut raw, &mut journal)?;
        compare("1 command of 200 B", 1, 200, &mut raw, &mut journal)?;
        compare("1,000 commands of 200 B", 1_000, 200, &mut raw, &mut journal)?;
        read_back(&journal)
    })();
    fs::remove_dir_all(&folder)?;
    measured
}

/// Alternates for a few seconds and prints medians and ratios.
fn compare(
    title: &str,
    commands: usize,
    command_bytes: usize,
    raw: &mut Raw,
    journal: &mut dyn Journal,
) -> Result<(), Box<dyn Error>> {
    let bytes: Vec<u8> = (0..commands * command_bytes).map(|index| (index * 31 % 251) as u8).collect();
    let mut payload = Payload::new();
    let (mut raw_times, mut journal_times) = (Vec::new(), Vec::new());
    let start = Instant::now();
    while start.elapsed() < BUDGET {
        raw_times.push(timed(|| raw.append(&bytes))?);
        // Collecting commands is the caller's work, done while the frame before is on its way to the disk.
        payload.clear();
        bytes.chunks(command_bytes).for_each(|command| payload.push(command));
        journal_times.push(timed(|| {
            let expected = journal.head()?.next;
            match journal.append(expected, &payload)? {
                Appended::Stored { .. } => Ok(()),
                other => Err(format!("{other:?}").into()),
            }
        })?);
    }
    let (raw, journal) = (Summary::of(raw_times), Summary::of(journal_times));
    println!("{title}, {} appends each", raw.count);
    raw.print("raw", commands);
    journal.print("journal", commands);
    println!("  p50 {:.3} x raw, throughput {:.3} x raw\n", journal.p50 / raw.p50, raw.mean / journal.mean);
    Ok(())
}

/// Reads and verifies all that was written.
fn read_back(journal: &dyn Journal) -> Result<(), Box<dyn Error>> {
    let mut cursor = journal.frames(Sequence::FIRST)?;
    let (mut frames, mut commands, mut bytes) = (0_u64, 0_usize, 0_usize);
    let start = Instant::now();
    while let Some(frame) = cursor.next_frame()? {
        frames += 1;
        commands += frame.payload.commands().count();
        bytes += frame.payload.bytes().len();
    }
    let seconds = start.elapsed().as_secs_f64();
    let (rate, mebibytes) = (commands as f64 / seconds, bytes as f64 / seconds / f64::from(1 << 20));
    println!(
        "read back {frames} frames with {commands} commands: {rate:.0} commands/s, {mebibytes:.0} MiB/s"
    );
    Ok(())
}

fn timed(work: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

/// Times in microseconds.
struct Summary {
    count: usize,
    p10: f64,
    p50: f64,
    p99: f64,
    mean: f64,
}

impl Summary {
    fn of(mut times: Vec<Duration>) -> Summary {
        times.sort_unstable();
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let count = times.len();
        let mean = micros(times.iter().sum()) / count as f64;
        let [p10, p50, p99] = [10, 50, 99].map(|percent| micros(times[count * percent / 100]));
        Summary { count, p10, p50, p99, mean }
    }

    fn print(&self, who: &str, commands: usize) {
        let rate = commands as f64 / self.mean * 1e6;
        let Summary { p10, p50, p99, .. } = self;
        println!("  {who:8} p10 {p10:7.1}  p50 {p50:7.1}  p99 {p99:7.1} us   {rate:9.0} commands/s");
    }
}
