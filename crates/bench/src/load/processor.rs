//! Processor time by thread, from the kernel. Unlike requests per second it hardly depends on other load of the
//! machine, so compare its ratios between days.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time of this process so far, with the threads that have ended.
pub fn process_time() -> Duration {
    time_of(ClockId::ProcessCPUTime)
}

/// The processor time of this thread so far.
pub fn thread_time() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

fn time_of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}

/// Processor time so far, by thread name. Ended threads are missing.
#[derive(Clone, Debug, Default)]
pub struct Spent(BTreeMap<String, Duration>);

impl Spent {
    /// The processor time of this process. Empty if the kernel does not report it.
    pub fn now() -> Spent {
        let mut spent = Spent::default();
        let Ok(tasks) = fs::read_dir("/proc/self/task") else { return spent };
        for task in tasks.flatten() {
            let name = fs::read_to_string(task.path().join("comm")).unwrap_or_default();
            let times = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            let on_processor = times.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0);
            *spent.0.entry(name.trim().to_owned()).or_default() += Duration::from_nanos(on_processor);
        }
        spent
    }

    pub fn since(&self, before: &Spent) -> Spent {
        let rest = self.0.iter().map(|(name, time)| {
            let before = before.0.get(name).copied().unwrap_or_default();
            (name.clone(), time.saturating_sub(before))
        });
        Spent(rest.collect())
    }

    pub fn add(&mut self, other: &Spent) {
        for (name, time) in &other.0 {
            *self.0.entry(name.clone()).or_default() += *time;
        }
    }

    /// The time of the other threads.
    pub fn without(mut self, threads: &[&str]) -> Spent {
        self.0.retain(|name, _| !threads.contains(&name.as_str()));
        self
    }

    pub fn total(&self) -> Duration {
        self.0.values().sum()
    }

    /// The threads that used time, busiest first.
    pub fn by_thread(&self) -> Vec<(&str, Duration)> {
        let mut threads: Vec<_> = self.0.iter().map(|(name, time)| (name.as_str(), *time)).collect();
        threads.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        threads
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Spent;

    fn spent(threads: &[(&str, u64)]) -> Spent {
        Spent(
            threads
                .iter()
                .map(|(name, millis)| ((*name).to_owned(), Duration::from_millis(*millis)))
                .collect(),
        )
    }

    #[test]
    fn spent_time_is_the_difference_by_thread_the_busiest_first() {
        let mut difference = spent(&[("apply", 5), ("worker", 9)]).since(&spent(&[("apply", 2)]));
        difference.add(&spent(&[("apply", 1)]));
        let millis: Vec<_> =
            difference.by_thread().iter().map(|(name, time)| (*name, time.as_millis())).collect();
        assert_eq!(millis, [("worker", 9), ("apply", 4)]);
        assert_eq!(difference.total(), Duration::from_millis(13));
        assert_eq!(difference.without(&["worker", "log"]).total(), Duration::from_millis(4));
    }
}
