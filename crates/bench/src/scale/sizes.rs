//! The sizes of `bench scale`: one dimension grows at a time, the others stay as in the base.

use crate::Problem;
use crate::counts::available_bytes;
use crate::folders::free_bytes;
use crate::venue::Size;

/// Estimates, on the large side, for the decision whether a size fits.
const PERSON_BYTES: u64 = 2_000;
const EVENT_BYTES: u64 = 11_500;
const ORDER_BYTES: u64 = 640;
/// A node holds the state twice, and once more as bytes while it starts; a process holds something without any state.
const COPIES: u64 = 4;
const PROCESS_BYTES: u64 = 512 << 20;
/// A command in the journal and in history.
const COMMAND_BYTES: u64 = 1_800;
/// The open orders that this bench gives a person at most: half of what the rules allow.
const ORDERS_PER_PERSON: u32 = 2_500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dimensions {
    pub(crate) people: u32,
    pub(crate) events: u32,
    /// Resting orders.
    pub(crate) orders: u32,
    /// The length of the journal. Orders come and go until it is reached.
    pub(crate) commands: u64,
    /// Orders that are measured.
    pub(crate) steps: u32,
}

/// The base, and the larger sizes of each dimension.
pub(crate) struct Sizes {
    pub(crate) base: Dimensions,
    pub(crate) people: [u32; 2],
    pub(crate) events: [u32; 2],
    pub(crate) orders: [u32; 2],
}

pub(crate) const FULL: Sizes = Sizes {
    base: Dimensions { people: 1_000, events: 100, orders: 10_000, commands: 0, steps: 200_000 },
    people: [100_000, 1_000_000],
    events: [10_000, 100_000],
    orders: [1_000_000, 5_000_000],
};

pub(crate) const SMALL: Sizes = Sizes {
    base: Dimensions { people: 100, events: 10, orders: 1_000, commands: 0, steps: 20_000 },
    people: [1_000, 10_000],
    events: [100, 1_000],
    orders: [10_000, 50_000],
};

pub(crate) const START: Dimensions =
    Dimensions { people: 100_000, events: 10_000, orders: 700_000, commands: 5_000_000, steps: 1 };
pub(crate) const START_SMALL: Dimensions =
    Dimensions { people: 1_000, events: 100, orders: 7_000, commands: 50_000, steps: 1 };

/// The last events have pools: a few, so that the house can seed them.
pub(crate) fn pools(events: u32) -> u32 {
    (events / 10).clamp(1, 10)
}

impl Sizes {
    /// All sizes in the order of the page, the base first.
    pub(crate) fn all(&self) -> Vec<Dimensions> {
        let base = self.base;
        let people = self.people.map(|people| Dimensions { people, ..base });
        let events = self.events.map(|events| Dimensions { events, ..base });
        // More people where the rules would not let the few have so many orders.
        let orders = self.orders.map(|orders| Dimensions {
            orders,
            people: base.people.max(orders.div_ceil(ORDERS_PER_PERSON)),
            ..base
        });
        [base].into_iter().chain(people).chain(events).chain(orders).collect()
    }
}

impl Dimensions {
    pub(crate) fn venue(&self) -> Size {
        // As many units in all, so that no sum overflows.
        let stake = (1_000_000_000 / i64::from(self.people)).clamp(1_000, 1_000_000);
        let pools = pools(self.events);
        Size { people: self.people, books: self.events - pools, pools, stake }
    }

    pub(crate) fn describe(&self) -> String {
        let Dimensions { people, events, orders, commands, .. } = self;
        let commands = if *commands > 0 { format!("{commands} commands, ") } else { String::new() };
        format!("{commands}{people} people, {events} events, {orders} resting orders")
    }

    /// Why this size cannot be measured on this machine, if it cannot.
    pub(crate) fn does_not_fit(&self) -> Result<Option<String>, Problem> {
        let (people, events, orders) =
            (u64::from(self.people), u64::from(self.events), u64::from(self.orders));
        let state = people * PERSON_BYTES + events * EVENT_BYTES + orders * ORDER_BYTES;
        let (memory, available) = (state * COPIES + PROCESS_BYTES, available_bytes());
        let commands = (people * 5 + events * 2 + orders).max(self.commands);
        let (disk, free) = (commands * COMMAND_BYTES, free_bytes(&std::env::temp_dir())?);
        let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        Ok(match () {
            () if memory > available => {
                Some(format!("needs {:.1} GiB of memory of {:.1}", gib(memory), gib(available)))
            }
            () if disk > free => Some(format!("needs {:.1} GiB of disk of {:.1}", gib(disk), gib(free))),
            () => None,
        })
    }

    /// As the arguments of a process.
    pub(crate) fn words(&self) -> [String; 5] {
        let Dimensions { people, events, orders, commands, steps } = self;
        [people.to_string(), events.to_string(), orders.to_string(), commands.to_string(), steps.to_string()]
    }

    pub(crate) fn read(words: &[&str]) -> Option<Dimensions> {
        let [people, events, orders, commands, steps] = words else { return None };
        Some(Dimensions {
            people: people.parse().ok()?,
            events: events.parse().ok()?,
            orders: orders.parse().ok()?,
            commands: commands.parse().ok()?,
            steps: steps.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Dimensions, FULL};

    #[test]
    fn one_dimension_grows_at_a_time() {
        let all = FULL.all();
        assert_eq!(all.len(), 7);
        assert_eq!(all[2].describe(), "1000000 people, 100 events, 10000 resting orders");
        assert_eq!(all[4].describe(), "1000 people, 100000 events, 10000 resting orders");
        assert_eq!(all[6].describe(), "2000 people, 100 events, 5000000 resting orders");
    }

    #[test]
    fn dimensions_survive_the_way_to_a_process() {
        let words = FULL.base.words();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(Dimensions::read(&words), Some(FULL.base));
        assert_eq!(Dimensions::read(&words[1..]), None);
    }
}
