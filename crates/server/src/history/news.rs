//! Notes about news on events. A later record of a note replaces the earlier one, or removes it.

use std::collections::HashSet;

use exchange::codec::{decode_news, encode_news};
use exchange::command::NewsNote;
use exchange::id::{EventId, NewsId};
use exchange::time::Time;
use segments::{Store, Version};

use super::families::{Index, Log};
use super::{HistoryError, list_key, lists};

/// Notes of an event that are shown, the newest ones.
pub const NEWS_MAX: usize = 50;
/// Records of an event that one read looks at.
const WALKED_MAX: u64 = 500;

/// A note about news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredNews {
    pub news: NewsId,
    pub note: NewsNote,
}

/// A request records one note, so its sequence is the number of the record.
pub(super) fn store(
    store: &mut Store,
    (seq, at): (u64, Time),
    event: EventId,
    (news, note): (NewsId, Option<&NewsNote>),
) {
    store.append(Log::News as usize, seq, at.micros(), &encode_news(news, note));
    store.add(Index::Lists as usize, list_key::news(event), seq);
}

/// The notes of an event at a sequence, newest news first.
pub(super) fn news(version: &Version, event: EventId, up_to: u64) -> Result<Vec<StoredNews>, HistoryError> {
    let list = lists::list(version, list_key::news(event))?;
    let end = list.below(up_to.saturating_add(1))?;
    let numbers = list.values(end.saturating_sub(WALKED_MAX)..end)?;
    let (mut known, mut found) = (HashSet::new(), Vec::new());
    for number in numbers.into_iter().rev() {
        let record = version.record(Log::News as usize, number)?.ok_or(HistoryError::Missing("news"))?;
        let (news, note) = decode_news(&record.bytes)?;
        if known.insert(news) {
            found.extend(note.map(|note| StoredNews { news, note }));
        }
    }
    found.sort_by_key(|stored| (std::cmp::Reverse(stored.note.at), stored.news));
    found.truncate(NEWS_MAX);
    Ok(found)
}
