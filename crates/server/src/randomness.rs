//! Random bytes for ids, tokens, keys, salts and nonces. They come from the operating system, unless the process was
//! seeded before its first draw: then all of them, and the time in ids, follow from the seed.
//!
//! Only a rehearsal (`crates/sandbox`) seeds its process. A venue whose secrets follow from a seed protects nothing.

use std::sync::OnceLock;

use journal::clock::Clock;
use parking_lot::Mutex;

static SEEDED: OnceLock<Seeded> = OnceLock::new();

/// A process whose random bytes follow from a seed.
#[derive(Debug)]
pub struct Seeded {
    seed: u64,
    clock: Box<dyn Clock>,
    drawn: Mutex<Drawn>,
}

/// The key of the current epoch, and how many draws each purpose has made with it.
#[derive(Debug)]
struct Drawn {
    key: [u8; 32],
    counts: [u64; Purpose::COUNT],
    /// The number of the next id.
    next_id: u32,
}

/// The use of drawn bytes. Each purpose has its own sequence, so that connections, which come and go at any time, and the
/// encryption of rows on other threads change no id and no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Id,
    Secret,
    Connection,
    /// Keys, nonces and salts of encrypted rows and messages.
    Sealing,
}

impl Purpose {
    const COUNT: usize = 4;
}

/// The point from which draws begin anew: a state of the venue, and how often its process has started. A start at an
/// unchanged state draws other bytes, because rows outside the journal may have ids of the earlier start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Epoch {
    pub sequence: u64,
    pub starts: u64,
}

/// Bits of an id's number that count the ids of one start; the bits above count starts.
const IDS_PER_START_BITS: u32 = 18;

/// The process already draws from another seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this process is already seeded")]
pub struct AlreadySeeded;

/// Seeds the process. `clock` is the time in new ids. Call this before anything is drawn.
pub fn seed_process(seed: u64, clock: Box<dyn Clock>) -> Result<&'static Seeded, AlreadySeeded> {
    let drawn = Mutex::new(Drawn::of(seed, Epoch::default()));
    SEEDED.set(Seeded { seed, clock, drawn }).map_err(|_| AlreadySeeded)?;
    SEEDED.get().ok_or(AlreadySeeded)
}

/// The seed of this process, if it has one.
#[inline]
pub fn seeded() -> Option<&'static Seeded> {
    SEEDED.get()
}

impl Seeded {
    /// Begins an epoch: the draws that follow depend on the seed and the epoch only.
    pub fn begin_epoch(&self, epoch: Epoch) {
        *self.drawn.lock() = Drawn::of(self.seed, epoch);
    }

    /// The number of the next id. Within a time, numbers of later epochs are greater, for the first 256 starts.
    pub(crate) fn next_id_number(&self) -> u32 {
        let mut drawn = self.drawn.lock();
        let number = drawn.next_id;
        drawn.next_id = number.wrapping_add(1);
        number
    }

    /// The time for new ids, in microseconds since 1970.
    pub fn now(&self) -> i64 {
        self.clock.now()
    }

    /// The next bytes of a purpose.
    pub fn draw<const N: usize>(&self, purpose: Purpose) -> [u8; N] {
        let (key, count) = {
            let mut drawn = self.drawn.lock();
            let count = &mut drawn.counts[purpose as usize];
            *count += 1;
            let count = *count;
            (drawn.key, count)
        };
        let mut hasher = blake3::Hasher::new_keyed(&key);
        hasher.update(&[purpose as u8]).update(&count.to_be_bytes());
        let mut bytes = [0; N];
        hasher.finalize_xof().fill(&mut bytes);
        bytes
    }
}

impl Drawn {
    fn of(seed: u64, epoch: Epoch) -> Drawn {
        let next_id = (epoch.starts as u32) << IDS_PER_START_BITS;
        Drawn { key: epoch_key(seed, epoch), counts: [0; Purpose::COUNT], next_id }
    }
}

fn epoch_key(seed: u64, epoch: Epoch) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"bellwether seeded process, version 1\0");
    let Epoch { sequence, starts } = epoch;
    for number in [seed, sequence, starts] {
        hasher.update(&number.to_be_bytes());
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use journal::SystemClock;

    use super::*;

    fn seeded(seed: u64) -> Seeded {
        let drawn = Mutex::new(Drawn::of(seed, Epoch::default()));
        Seeded { seed, clock: Box::new(SystemClock), drawn }
    }

    #[test]
    fn equal_seeds_draw_equal_bytes_and_other_seeds_epochs_and_purposes_draw_others() {
        let (one, equal, other) = (seeded(7), seeded(7), seeded(8));
        let first: [u8; 32] = one.draw(Purpose::Secret);
        assert_eq!(first, equal.draw(Purpose::Secret));
        assert_ne!(first, other.draw(Purpose::Secret));
        assert_ne!(first, one.draw(Purpose::Secret), "each draw is new");
        assert_ne!(first, equal.draw(Purpose::Id));
        let epoch = Epoch { sequence: 5, starts: 1 };
        one.begin_epoch(epoch);
        assert_ne!(first, one.draw(Purpose::Secret));
        equal.begin_epoch(epoch);
        one.begin_epoch(epoch);
        assert_eq!(one.draw::<16>(Purpose::Id), equal.draw::<16>(Purpose::Id));
    }

    #[test]
    fn a_start_at_an_unchanged_sequence_draws_other_ids_which_sort_behind() {
        let seeded = seeded(7);
        seeded.begin_epoch(Epoch { sequence: 5, starts: 1 });
        let (before, number): ([u8; 16], u32) = (seeded.draw(Purpose::Id), seeded.next_id_number());
        seeded.begin_epoch(Epoch { sequence: 5, starts: 2 });
        assert_ne!(before, seeded.draw(Purpose::Id));
        assert!(number < seeded.next_id_number());
    }

    #[test]
    fn a_purpose_does_not_change_the_draws_of_another() {
        let (one, other) = (seeded(7), seeded(7));
        other.draw::<16>(Purpose::Connection);
        other.draw::<24>(Purpose::Sealing);
        assert_eq!(one.draw::<16>(Purpose::Id), other.draw::<16>(Purpose::Id));
        assert_eq!(one.draw::<32>(Purpose::Secret), other.draw::<32>(Purpose::Secret));
    }

    #[test]
    fn a_test_process_is_not_seeded() {
        assert!(super::seeded().is_none());
    }
}
