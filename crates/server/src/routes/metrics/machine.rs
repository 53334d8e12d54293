//! The process, its memory and descriptors, the data folder and its disk. The names of the process are those that other
//! programs use too.

use crate::app::App;
use crate::signals::process::{FolderFigures, ProcessFigures};
use crate::signals::text::{MetricsText, decimal};

pub(super) fn write(
    text: &mut MetricsText,
    app: &App,
    process: &ProcessFigures,
    folder: Option<&FolderFigures>,
) {
    if let Some(cpu) = process.cpu_micros {
        text.single("process_cpu_seconds_total", "counter", "Processor time of the process", decimal(cpu));
    }
    let started = app.signals().started_seconds();
    text.single("process_start_time_seconds", "gauge", "When the process started", started);
    let gauges = [
        ("process_open_fds", "Open file descriptors", process.open_descriptors),
        ("process_max_fds", "Limit on open file descriptors", process.descriptors_max),
        ("process_resident_memory_bytes", "Resident memory", process.resident_bytes),
        ("process_virtual_memory_bytes", "Virtual memory", process.virtual_bytes),
        (
            "bellwether_memory_anonymous_bytes",
            "Resident memory of the allocator and stacks",
            process.anonymous_bytes,
        ),
        ("bellwether_threads", "Threads of the process", process.threads),
    ];
    write_gauges(text, gauges);
    let Some(folder) = folder else { return };
    let (snapshot_bytes, snapshot_at) = folder.snapshot.unzip();
    let gauges = [
        ("bellwether_journal_bytes", "Size of the journal's folder", Some(folder.journal_bytes)),
        ("bellwether_history_bytes", "Size of the history's folder", Some(folder.history_bytes)),
        ("bellwether_snapshot_bytes", "Size of the newest snapshot", snapshot_bytes),
        ("bellwether_snapshot_timestamp_seconds", "When the newest snapshot was written", snapshot_at),
        ("bellwether_disk_free_bytes", "Free space on the disk of the data folder", folder.free_bytes),
    ];
    write_gauges(text, gauges);
}

fn write_gauges(
    text: &mut MetricsText,
    gauges: impl IntoIterator<Item = (&'static str, &'static str, Option<u64>)>,
) {
    for (name, help, value) in gauges {
        if let Some(value) = value {
            text.single(name, "gauge", help, value);
        }
    }
}
