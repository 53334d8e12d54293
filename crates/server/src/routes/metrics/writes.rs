//! The path of a write: stages, groups and frames.

use std::sync::atomic::Ordering;

use crate::app::App;
use crate::signals::text::MetricsText;

pub(super) fn write(text: &mut MetricsText, app: &App) {
    let writer_status = app.writing().sequencer().writer_status();
    let stages = writer_status.stages();
    let help = "Frames made durable since the start";
    text.single("bellwether_frames_total", "counter", help, writer_status.frames());
    let (help, bytes) =
        ("Bytes of those frames, without headers", stages.frame_bytes.load(Ordering::Relaxed));
    text.single("bellwether_frame_bytes_total", "counter", help, bytes);
    text.begin("bellwether_group_requests", "histogram", "Requests in a frame");
    text.histogram("bellwether_group_requests", &[], &stages.group_sizes.counts(), false);
    text.begin("bellwether_write_stage_duration_seconds", "histogram", "Time in each stage of a write");
    for (stage, durations) in stages.named() {
        let counts = durations.counts();
        text.histogram("bellwether_write_stage_duration_seconds", &[("stage", stage)], &counts, true);
    }
}
