//! Test support for this crate and its users: a faulty disk, a manual clock and the conformance suite that every
//! journal must pass. `repairing` is for fuzzers. The product does not use this module.

pub mod clock;
pub mod conformance;
pub mod faulty_disk;
pub mod repairing;
mod sectors;

pub use clock::ManualClock;
pub use faulty_disk::{Fault, FaultyDisk};

/// A small random number generator (SplitMix64): equal seeds give equal sequences.
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

    /// A number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % bound as u64).expect("the number is below a usize")
    }

    pub fn coin(&mut self) -> bool {
        self.number() >> 63 == 1
    }
}
