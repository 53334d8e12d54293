//! For tests of this crate and of those that stand on it: a disk that fails, a clock that obeys, and the suite that
//! every journal must pass; `repairing` is for fuzzers. Nothing of the product uses it.

pub mod clock;
pub mod conformance;
pub mod faulty_disk;
pub mod repairing;
mod sectors;

pub use clock::ManualClock;
pub use faulty_disk::{Fault, FaultyDisk};

/// A small generator of numbers from a seed (SplitMix64): the same seed, the same day.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % bound as u64).expect("it is below a usize")
    }

    pub fn coin(&mut self) -> bool {
        self.number() >> 63 == 1
    }
}
