//! The length and the seed of a drill. A soak (`cargo xtask soak`) sets a longer run by the environment.

use std::env;
use std::time::{Duration, Instant};

pub struct Plan {
    count: u64,
    until: Option<Instant>,
    pub seed: u64,
}

impl Plan {
    /// Runs for `usual` kills or cuts, unless the environment sets a count or a duration.
    pub fn from_environment(usual: u64) -> Plan {
        let number = |name: &str| {
            env::var(name)
                .ok()
                .map(|text| text.parse::<u64>().unwrap_or_else(|_| panic!("{name} is a number")))
        };
        let minutes = number("BELLWETHER_SOAK_MINUTES");
        let usual = if minutes.is_some() { u64::MAX } else { usual };
        let plan = Plan {
            count: number("BELLWETHER_SOAK_COUNT").unwrap_or(usual),
            until: minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes)),
            seed: number("BELLWETHER_SOAK_SEED").unwrap_or_else(|| fastrand::u64(..)),
        };
        println!("seed {}: it decides what is asked and when, not what the machine makes of it", plan.seed);
        plan
    }

    pub fn is_over(&self, count: u64) -> bool {
        count >= self.count || self.until.is_some_and(|until| Instant::now() >= until)
    }
}
