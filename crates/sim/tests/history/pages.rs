//! Pages of a complete list, by counting.

use server::history::{Page, Window};
use sim::random::Random;

/// `rows` are all that match, newest first, each with the number that a cursor names.
pub fn page<'a, T>(rows: &[(u64, &'a T)], window: Window) -> Page<&'a T> {
    let (first, size) = match window {
        Window::Page { page, size } => (page.saturating_sub(1).saturating_mul(size), size),
        Window::After { cursor, size } => {
            (rows.iter().filter(|(number, _)| *number >= cursor).count() as u64, size)
        }
    };
    let first = usize::try_from(first).unwrap_or(usize::MAX);
    let shown: Vec<_> = rows.iter().skip(first).take(size as usize).collect();
    let has_more = first.saturating_add(shown.len()) < rows.len();
    Page {
        next: shown.last().map(|(number, _)| *number).filter(|_| has_more),
        rows: shown.into_iter().map(|(_, row)| *row).collect(),
        total: rows.len() as u64,
    }
}

/// Any window of a list of about `count` rows: inside it, at its ends, beyond them.
pub fn window(random: &mut Random, count: usize, number_max: u64) -> Window {
    let size = random.one_of([1, 2, 3, 7, 10, 20, 99, 100, 100]);
    if random.chance(60) {
        let pages = (count as u64).div_ceil(size).max(1);
        let page = match random.below(30) {
            0 => u64::from(u32::MAX),
            1..=2 => pages + 1 + random.draw() % 2,
            3..=6 => pages,
            _ => 1 + random.draw() % pages,
        };
        return Window::Page { page, size };
    }
    let cursor = match random.below(20) {
        0 => 0,
        1 => u64::MAX,
        2 => number_max.saturating_add(1),
        _ => random.draw() % (number_max.saturating_add(2)).max(1),
    };
    Window::After { cursor, size }
}

/// The sizes in which whole lists are walked: some end with a full page, most do not.
pub fn walking_size(random: &mut Random, count: usize) -> u64 {
    match random.below(5) {
        0 => (count as u64).clamp(1, 100),
        1 => (count as u64 / 3).clamp(1, 100),
        _ => random.one_of([17, 50, 100]),
    }
}
