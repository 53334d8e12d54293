//! The next version of the rules: one more command, and a number in the state. Only for the drill of an upgrade, which is
//! tested before there is a next version.
//!
//! The feature `next` has it. Tests of the workspace are built with that feature, what is shipped is not. A process of such
//! a build is still of this version until it becomes the next one, so that the drill needs one executable and not two.

#[cfg(all(feature = "next", not(test)))]
static IS_NEXT: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// From now on this process is of the next version. Called before it has a state.
#[cfg(all(feature = "next", not(test)))]
pub fn become_next() {
    IS_NEXT.store(true, std::sync::atomic::Ordering::Relaxed);
}

/// Whether this process is of the next version. The unit tests of this crate are.
#[cfg(all(feature = "next", not(test)))]
pub fn is_next() -> bool {
    IS_NEXT.load(std::sync::atomic::Ordering::Relaxed)
}

/// Whether this process is of the next version. The unit tests of this crate are.
#[cfg(any(test, not(feature = "next")))]
pub const fn is_next() -> bool {
    cfg!(test)
}
