//! Requests by route, method and status class, with their durations.
//!
//! The routes are known when the table is made; any other path counts as `other`, so that a client cannot create labels.
//! Every thread adds to a shard, so that two threads rarely write one cache line.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::histogram::{Counts, DURATION_BOUNDS, Durations};

/// Status classes: 1xx to 5xx.
pub const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/// The most shards; more threads share them.
const SHARDS_MAX: usize = 16;
const OTHER: &str = "other";

static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static THREAD: Cell<usize> = Cell::new(THREADS.fetch_add(1, Ordering::Relaxed));
}

/// A route of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteSlot(usize);

/// The counters of all routes.
#[derive(Debug)]
pub struct RequestCounters {
    /// Method and path of each slot.
    routes: Vec<(&'static str, &'static str)>,
    slots: HashMap<&'static str, Vec<(&'static str, RouteSlot)>>,
    shards: Vec<Vec<RouteCounters>>,
    /// Nothing is counted (`switch`).
    is_off: AtomicBool,
}

#[derive(Debug, Default)]
struct RouteCounters {
    classes: [AtomicU64; CLASSES.len()],
    durations: Durations,
}

/// The counts of a route.
#[derive(Clone, Debug)]
pub struct RouteCounts {
    pub method: &'static str,
    pub route: &'static str,
    pub classes: [u64; CLASSES.len()],
    pub durations: Counts<{ DURATION_BOUNDS.len() }>,
}

impl RequestCounters {
    /// A table of routes, each with its method and path.
    pub fn new(described: impl IntoIterator<Item = (&'static str, &'static str)>) -> RequestCounters {
        let mut routes = vec![(OTHER, OTHER)];
        let mut slots: HashMap<_, Vec<_>> = HashMap::new();
        for (method, route) in described {
            slots.entry(route).or_default().push((method, RouteSlot(routes.len())));
            routes.push((method, route));
        }
        let shards = thread::available_parallelism().map_or(1, usize::from).min(SHARDS_MAX);
        let shard = |_| routes.iter().map(|_| RouteCounters::default()).collect();
        let shards = (0..shards).map(shard).collect();
        RequestCounters { shards, routes, slots, is_off: AtomicBool::new(false) }
    }

    /// The slot of a route; that of all others if it is not in the table.
    pub fn slot(&self, method: &str, route: Option<&str>) -> RouteSlot {
        // The router answers HEAD with the handler of GET.
        let method = if method == "HEAD" { "GET" } else { method };
        let methods = route.and_then(|route| self.slots.get(route));
        let found = methods.and_then(|methods| methods.iter().find(|(described, _)| *described == method));
        found.map_or(RouteSlot(0), |(_, slot)| *slot)
    }

    /// Method and path of a slot; `other` for both if the route is not in the table.
    pub fn names(&self, slot: RouteSlot) -> (&'static str, &'static str) {
        self.routes.get(slot.0).copied().unwrap_or((OTHER, OTHER))
    }

    /// Counts a response.
    pub fn record(&self, slot: RouteSlot, status: u16, micros: u64) {
        if self.is_off.load(Ordering::Relaxed) {
            return;
        }
        let shard = THREAD.with(Cell::get) % self.shards.len();
        let Some(counters) = self.shards[shard].get(slot.0) else { return };
        let class = usize::from(status / 100).clamp(1, CLASSES.len()) - 1;
        counters.classes[class].fetch_add(1, Ordering::Relaxed);
        counters.durations.record(micros);
    }

    /// Counts or stops counting. For a benchmark that compares both.
    pub(crate) fn switch(&self, is_on: bool) {
        self.is_off.store(!is_on, Ordering::Relaxed);
    }

    /// The routes that have had a request.
    pub fn counts(&self) -> Vec<RouteCounts> {
        let used = |(slot, (method, route)): (usize, &(&'static str, &'static str))| {
            let mut counts = self.shards[0][slot].counts(method, route);
            for shard in &self.shards[1..] {
                counts.add(&shard[slot].counts(method, route));
            }
            (counts.durations.count() > 0).then_some(counts)
        };
        self.routes.iter().enumerate().filter_map(used).collect()
    }
}

impl RouteCounters {
    fn counts(&self, method: &'static str, route: &'static str) -> RouteCounts {
        let classes = std::array::from_fn(|at| self.classes[at].load(Ordering::Relaxed));
        RouteCounts { method, route, classes, durations: self.durations.counts() }
    }
}

impl RouteCounts {
    fn add(&mut self, other: &RouteCounts) {
        for (class, more) in self.classes.iter_mut().zip(other.classes) {
            *class += more;
        }
        self.durations.add(&other.durations);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn responses_of_all_threads_are_counted_by_route_method_and_class() {
        let counters = Arc::new(RequestCounters::new([("GET", "/a"), ("POST", "/a"), ("GET", "/b/{id}")]));
        let count = |counters: &RequestCounters| {
            for (method, route, status) in [
                ("GET", Some("/a"), 200),
                ("HEAD", Some("/a"), 304),
                ("POST", Some("/a"), 503),
                ("PUT", Some("/a"), 405),
                ("GET", Some("/secret/0123"), 404),
                ("GET", None, 404),
            ] {
                counters.record(counters.slot(method, route), status, 70);
            }
        };
        let threads: Vec<_> = (0..5)
            .map(|_| {
                let counters = counters.clone();
                thread::spawn(move || count(&counters))
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
        let found: Vec<_> = counters.counts().iter().map(|c| (c.method, c.route, c.classes)).collect();
        let expected = [
            ("other", "other", [0, 0, 0, 15, 0]),
            ("GET", "/a", [0, 5, 5, 0, 0]),
            ("POST", "/a", [0, 0, 0, 0, 5]),
        ];
        assert_eq!(found, expected);
        assert_eq!(counters.counts()[1].durations.sum, 700);
    }
}
