//! What a side uses per request, beside processor time: context switches, calls, bytes written, frames of the journal.

use crate::counts::Counts;
use crate::frames::FrameSizes;

/// Prints the size of our frames.
pub(crate) fn print_journal(journal: &FrameSizes, requests: f64) {
    println!(
        "        {:>8.0} bytes of the journal each, {:.1} commands a frame",
        journal.bytes() as f64 / requests,
        journal.commands as f64 / journal.frames as f64
    );
}

/// Prints the counters per request.
pub(crate) fn print(counts: &Counts, requests: f64) {
    let each = |count: u64| count as f64 / requests;
    let threads: Vec<String> = counts
        .switches_by_thread()
        .into_iter()
        .filter(|(_, count)| each(*count) >= 0.005)
        .map(|(thread, count)| format!("{thread} {:.2}", each(count)))
        .collect();
    println!("        {:>8.2} context switches each: {}", each(counts.switches()), threads.join(", "));
    println!(
        "        {:>8.2} calls of read and write each, without send, recv, epoll, futex and fdatasync",
        each(counts.calls)
    );
    println!(
        "        {:>8.0} bytes written each by these calls, {:.0} in pages for the disk",
        each(counts.written_bytes),
        each(counts.disk_bytes)
    );
}
