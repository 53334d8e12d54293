//! The `changes` channel over HTTP: a page of the changes after a sequence, at once or as soon as there are any.

use std::sync::atomic::Ordering;
use std::time::Duration;

use api::json::Decimals;
use api::query::ChangesQuery;
use exchange::Shelf;
use tokio::time::{Instant, timeout_at};

use super::super::frames::EncodedMessage;
use super::super::room::Room;
use super::Changes;
use super::change_log::{CatchUp, ChangeLog};

/// How long to wait for a hub that lags behind the applied state.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a waiting read checks whether it should end.
const POLL_EVERY: Duration = Duration::from_millis(500);
/// The maximum number of waiting reads; further ones return at once.
const WAITING_MAX: usize = 1_024;

/// A page of the changes that a client lacks.
#[derive(Debug)]
pub(crate) struct ChangesPage {
    pub(crate) room: String,
    pub(crate) sequence: u64,
    pub(crate) head: u64,
    frames: Vec<EncodedMessage>,
    /// More changes follow the last one.
    is_cut: bool,
}

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoChanges {
    NoSubject,
    /// The hub lags too far behind, or has ended.
    Behind,
}

impl ChangesPage {
    /// The number of messages on the page.
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// The response body; its messages have the same bytes as on the stream.
    pub(crate) fn into_json(self, decimals: Decimals) -> Vec<u8> {
        let ChangesPage { room, sequence, head, frames, .. } = self;
        let beginning =
            format!("{{\"room\":\"{room}\",\"sequence\":{sequence},\"head\":{head},\"changes\":[");
        let contents = || frames.iter().map(|frame| frame.content(decimals));
        let bytes: usize = contents().map(|content| content.len() + 1).sum();
        let mut json = Vec::with_capacity(beginning.len() + bytes + 2);
        json.extend_from_slice(beginning.as_bytes());
        for (index, content) in contents().enumerate() {
            if index > 0 {
                json.push(b',');
            }
            json.extend_from_slice(content);
        }
        json.extend_from_slice(b"]}");
        json
    }

    fn of(log: &mut ChangeLog, room: &Room, query: &ChangesQuery, published: u64) -> ChangesPage {
        let (room, last, head) = (room.to_string(), log.last, log.head(published));
        match log.catch_up(query.after, published, usize::MAX) {
            CatchUp::Snapshot(frame) => {
                ChangesPage { room, sequence: last, head, frames: vec![frame], is_cut: false }
            }
            CatchUp::Deltas(mut deltas) => {
                let is_cut = deltas.len() > query.limit as usize;
                deltas.truncate(query.limit as usize);
                // A client ahead of the room's last change keeps its position.
                let sequence = match deltas.last() {
                    Some((sequence, _)) => *sequence,
                    None => query.after.unwrap_or(last),
                };
                let head = if is_cut { sequence } else { head };
                let frames = deltas.into_iter().map(|(_, frame)| frame).collect();
                ChangesPage { room, sequence, head, frames, is_cut }
            }
        }
    }
}

impl Changes {
    /// The changes of a room after `query.after`. The page includes everything applied before the call. `is_over`
    /// returns whether to stop waiting.
    pub(in crate::streams) async fn read(
        &self,
        room: &Room,
        shelf: &Shelf,
        query: &ChangesQuery,
        is_over: impl Fn() -> bool,
    ) -> Result<ChangesPage, NoChanges> {
        let applied = self.shared.read().seq();
        let mut published = self.published.subscribe();
        let patience = Instant::now() + PATIENCE;
        let place = WaitPermit::reserve(self, query.wait);
        let deadline = Instant::now() + place.as_ref().map_or(Duration::ZERO, |waiting| waiting.1);
        loop {
            let up_to = *published.borrow_and_update();
            let page = self.with_log(room, shelf, |log| ChangesPage::of(log, room, query, up_to));
            let page = page.ok_or(NoChanges::NoSubject)?;
            let now = Instant::now();
            let is_level = page.head >= applied || page.is_cut;
            if !is_level && now >= patience {
                return Err(NoChanges::Behind);
            }
            if is_level && (!page.frames.is_empty() || now >= deadline || is_over()) {
                return Ok(page);
            }
            let until = if is_level { deadline.min(now + POLL_EVERY) } else { patience };
            // Check again after a change or a timeout.
            let _ = timeout_at(until, published.changed()).await;
        }
    }
}

/// A reserved place among the waiting reads, released on drop.
struct WaitPermit<'a>(&'a Changes, Duration);

impl<'a> WaitPermit<'a> {
    fn reserve(changes: &'a Changes, seconds: u32) -> Option<WaitPermit<'a>> {
        if seconds == 0 {
            return None;
        }
        let waiting = WaitPermit(changes, Duration::from_secs(seconds.into()));
        let before = changes.waiting.fetch_add(1, Ordering::Relaxed);
        (before < WAITING_MAX).then_some(waiting)
    }
}

impl Drop for WaitPermit<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
