//! The naive model: plain lists, kept beside the store and compared with it.

use std::collections::BTreeMap;
use std::path::Path;

use segments::{Error, Key, Mark, Options, Order, Record, Store, Version};

/// Two logs, one of which drops old records, and one index of each order.
pub const LOGS: usize = 2;
pub const KEPT: i64 = 1_000;

pub fn options() -> Options {
    Options {
        version: 3,
        logs: vec![None, Some(KEPT)],
        indexes: vec![Order::Ascending, Order::Added],
        memory_bytes: 1 << 20,
        cache_bytes: 64 << 10,
    }
}

/// A deterministic random generator.
pub struct Random(pub u64);

impl Random {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound
    }
}

/// Everything that a store should contain.
#[derive(Clone, Default)]
pub struct Model {
    pub mark: Mark,
    pub logs: [Vec<Record>; LOGS],
    pub lists: [BTreeMap<Key, Vec<u64>>; 2],
    pub next_value: u64,
    pub states: Vec<Vec<u8>>,
}

impl Model {
    /// Adds the same records and entries to the model and to a store.
    pub fn grow(&mut self, random: &mut Random, store: &mut Store) {
        self.mark.sequence += 1;
        self.mark.at += random.below(40).cast_signed();
        for _ in 0..random.below(30) {
            let log = random.below(LOGS as u64) as usize;
            let number =
                self.logs[log].last().map_or(random.below(3), |last| last.number + 1 + random.below(3));
            let length = if random.below(50) == 0 { random.below(20_000) } else { random.below(60) };
            let bytes: Vec<u8> = (0..length).map(|place| (number * 7 + place / 9) as u8).collect();
            store.append(log, number, self.mark.at, &bytes);
            self.logs[log].push(Record { number, at: self.mark.at, bytes });
        }
        for _ in 0..random.below(200) {
            self.next_value += 1 + random.below(5);
            // Some values are added late, like orders that end long after they were placed.
            let value =
                if random.below(4) == 0 { random.draw() << 20 | self.next_value } else { self.next_value };
            self.add(store, 0, key(random), value);
            let value = random.draw() >> random.below(40);
            self.add(store, 1, key(random), value);
        }
    }

    fn add(&mut self, store: &mut Store, index: usize, key: Key, value: u64) {
        store.add(index, key, value);
        let list = self.lists[index].entry(key).or_default();
        let place = if index == 0 { list.partition_point(|other| *other < value) } else { list.len() };
        list.insert(place, value);
    }

    /// Compares everything that a version answers.
    pub fn compare(&self, version: &Version, random: &mut Random) -> Result<(), Error> {
        assert_eq!(version.mark(), self.mark);
        for (log, records) in self.logs.iter().enumerate() {
            self.compare_log(version, log, records, random)?;
        }
        for (index, lists) in self.lists.iter().enumerate() {
            for (key, values) in lists {
                compare_list(version, index, *key, values, random)?;
            }
            for _ in 0..10 {
                let absent = key_of(random.draw(), random.draw(), random.draw());
                assert!(version.list(index, absent)?.is_empty());
            }
        }
        Ok(())
    }

    fn compare_log(
        &self,
        version: &Version,
        log: usize,
        records: &[Record],
        random: &mut Random,
    ) -> Result<(), Error> {
        // Records of the second log may be dropped when they are old.
        let oldest = if log == 1 { self.mark.at - KEPT } else { i64::MIN };
        for _ in 0..20 {
            let Some(place) = (!records.is_empty()).then(|| random.below(records.len() as u64) as usize)
            else {
                break;
            };
            let record = &records[place];
            let found = version.record(log, record.number)?;
            assert!(found.as_ref() == Some(record) || (found.is_none() && record.at < oldest));
            if record.at >= oldest {
                let from = record.number.saturating_sub(random.below(3));
                let first = records.iter().find(|record| record.number >= from);
                assert!(
                    first.is_some_and(|first| first.at < oldest)
                        || version.first_from(log, from)?.as_ref() == first
                );
                let first = records.iter().find(|other| other.at >= record.at);
                assert_eq!(version.first_at(log, record.at)?.as_ref(), first);
                let after = record.number + random.below(3);
                let last = records.iter().rfind(|record| record.number < after);
                let found = version.last_below(log, after)?;
                assert!(found.as_ref() == last || last.is_some_and(|last| last.at < oldest));
            }
        }
        if oldest == i64::MIN {
            assert_eq!(version.last(log), records.last().map(|record| record.number));
            let after = records.last().map_or(0, |record| record.number + 1);
            assert_eq!(version.record(log, after)?, None);
            assert_eq!(version.first_at(log, self.mark.at + 1)?, None);
            assert_eq!(version.last_below(log, 0)?, None);
        }
        Ok(())
    }
}

fn compare_list(
    version: &Version,
    index: usize,
    key: Key,
    values: &[u64],
    random: &mut Random,
) -> Result<(), Error> {
    let list = version.list(index, key)?;
    assert_eq!(list.len(), values.len() as u64);
    let from = random.below(values.len() as u64 + 1);
    let to = from + random.below(values.len() as u64 + 2);
    let expected = &values[from as usize..(to as usize).min(values.len())];
    assert_eq!(list.values(from..to)?, expected, "{from}..{to} of {}", values.len());
    assert_eq!(list.value(0)?, values.first().copied());
    if index == 0 {
        let near = values[random.below(values.len() as u64) as usize];
        for bound in [0, near.saturating_sub(1), near, near + 1, u64::MAX] {
            let expected = values.partition_point(|value| *value < bound) as u64;
            assert_eq!(list.below(bound)?, expected, "below {bound}");
        }
    }
    Ok(())
}

const fn key_of(one: u64, two: u64, three: u64) -> Key {
    Key([one, two, three])
}

/// Keys that share words with others, keys of one word, and a key with a very long list.
fn key(random: &mut Random) -> Key {
    let owner = random.below(12).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    match random.below(5) {
        0 => key_of(1, 0, 16),
        1 => key_of(random.below(40), 0, 3),
        2 => key_of(owner, owner ^ 5, random.below(3) << 8 | 11),
        3 => key_of(owner, owner ^ 5, random.below(1 << 40) << 8 | 12),
        _ => key_of(owner, random.below(2), random.below(4)),
    }
}

/// Copies the files of a store, as a crash at this moment would leave them: bytes that no manifest names may follow.
pub fn copy_after_crash(from: &Path, to: &Path, random: &mut Random) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let Ok(mut bytes) = std::fs::read(&path) else { continue };
        let name = path.file_name().expect("a name");
        if name != "manifest" {
            bytes.extend((0..random.below(300)).map(|_| 0xa5));
        }
        std::fs::write(to.join(name), bytes).expect("a copy");
    }
    std::fs::write(to.join("99999.segment"), "half of a run").expect("a file that does not count");
    std::fs::write(to.join("manifest.new"), "half of a manifest").expect("a manifest that does not count");
}
