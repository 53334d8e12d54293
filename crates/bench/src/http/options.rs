//! The options of `bench http`.

use std::time::Duration;

const SECONDS: u32 = 40;
/// Signatures are valid for 300 seconds.
const SECONDS_MAX: u32 = 200;
const PARTS: [&str; 5] = ["single", "batch", "read", "waiting", "readers"];

pub(crate) const HELP: &str = "\
Compare durable signed orders and hot reads over HTTP with a server that does nothing.

Usage: bench-http [--seconds N] [--only PART] [--side SIDE] [--fast-lane BOOL]

  --seconds N   approximate duration, default 40, at most 200
  --only PART   single, batch, read, waiting or readers
  --side SIDE   run only ours or floor, for profiling; no ratios
  --fast-lane BOOL
                false: all routes behind hyper

Build with --profile dist. Uses only loopback and a temporary folder (see TMPDIR).
";

pub(crate) struct Options {
    pub(crate) seconds: u32,
    only: Option<String>,
    pub(crate) side: Option<String>,
    pub(crate) fast_lane: bool,
}

impl Options {
    pub(crate) fn read(arguments: &[String]) -> Option<Options> {
        let mut options = Options { seconds: SECONDS, only: None, side: None, fast_lane: true };
        for pair in arguments.chunks(2) {
            match pair {
                [name, value] if name == "--seconds" => options.seconds = value.parse().ok()?,
                [name, value] if name == "--only" => options.only = Some(value.clone()),
                [name, value] if name == "--fast-lane" => options.fast_lane = value.parse().ok()?,
                [name, value] if name == "--side" => options.side = Some(value.clone()),
                _ => return None,
            }
        }
        let is_side = |side: &String| side == "ours" || side == "floor";
        let is_known = |part: &String| PARTS.contains(&part.as_str());
        let is_bounded = (1..=SECONDS_MAX).contains(&options.seconds);
        let is_understood = is_bounded && options.only.as_ref().is_none_or(is_known);
        (is_understood && options.side.as_ref().is_none_or(is_side)).then_some(options)
    }

    pub(crate) fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }

    /// This many hundredths of the total time.
    pub(crate) fn share(&self, hundredths: u32) -> Duration {
        Duration::from_secs(u64::from(self.seconds)) * hundredths / 100
    }

    /// The duration of each part that counts allocations.
    pub(crate) fn counted_seconds(&self) -> u32 {
        (self.seconds / 20).clamp(1, 3)
    }
}
