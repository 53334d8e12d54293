//! Pages of lists in the store: windows of one list, walks over the shortest of several.

use std::ops::Range;

use segments::{Key, List, Version};

use super::HistoryError;
use super::families::Index;
use super::pages::Window;

const WALKED_AT_ONCE: u64 = 1_000;
/// Entries of a list that are read in the time of one row, approximately.
const READ_PER_ROW: u64 = 100;

/// A list of ascending serials.
pub(super) fn list(version: &Version, key: Key) -> Result<List, HistoryError> {
    Ok(version.list(Index::Lists as usize, key)?)
}

/// The values under a lookup key, ascending.
pub(super) fn found(version: &Version, key: Key) -> Result<Vec<u64>, HistoryError> {
    Ok(version.list(Index::Lookups as usize, key)?.values(0..u64::MAX)?)
}

/// The entries of a window over a part of a list, newest first, and the cursor of the next page.
pub(super) fn window(
    list: &List,
    span: &Range<u64>,
    window: Window,
) -> Result<(Vec<u64>, Option<u64>), HistoryError> {
    let positions = window.positions(span, |cursor| list.below(cursor))?;
    let start = positions.start;
    let mut found = list.values(positions)?;
    let next = found.first().copied().filter(|_| start > span.start);
    found.reverse();
    Ok((found, next))
}

/// Visits the shortest of several parts of lists, newest first, in batches. Leaves out most entries that another part
/// lacks; the visitor checks the rest.
pub(super) fn walk_shortest(
    parts: &[(List, Range<u64>)],
    mut visit: impl FnMut(&[u64]) -> Result<(), HistoryError>,
) -> Result<(), HistoryError> {
    let Some(shortest) = parts.iter().min_by_key(|(_, span)| span.end - span.start) else { return Ok(()) };
    let (list, span) = shortest;
    let mut end = span.end;
    while end > span.start {
        let start = end.saturating_sub(WALKED_AT_ONCE).max(span.start);
        let mut found = list.values(start..end)?;
        for (other, _) in parts.iter().filter(|part| !std::ptr::eq(*part, shortest)) {
            retain_common(&mut found, other)?;
        }
        found.reverse();
        visit(&found)?;
        end = start;
    }
    Ok(())
}

/// Removes the entries that another list lacks, unless that list is so long that reading the rows costs less.
fn retain_common(found: &mut Vec<u64>, other: &List) -> Result<(), HistoryError> {
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return Ok(()) };
    let span = other.below(*first)?..other.below(*last + 1)?;
    if span.end - span.start > READ_PER_ROW * found.len() as u64 {
        return Ok(());
    }
    let others = other.values(span)?;
    let mut others = others.iter().copied().peekable();
    found.retain(|serial| {
        while others.next_if(|other| other < serial).is_some() {}
        others.peek() == Some(serial)
    });
    Ok(())
}
