//! `RecordNews`: attaches a note about news to an event, changes it, or removes it.
//!
//! The exchange keeps no notes: it checks one and reports it, and history stores it. A note with a known id replaces the
//! earlier one. History shows the newest 50 of an event.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::Status;
use crate::catalogue::checks::{check_date, check_name, require};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::{EventId, NewsId};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RecordNews {
    #[n(0)]
    pub event: EventId,
    #[n(1)]
    pub news: NewsId,
    /// Without it the note is removed.
    #[n(2)]
    pub note: Option<NewsNote>,
}

/// A note about news.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct NewsNote {
    /// When the news came out.
    #[n(0)]
    pub at: Time,
    #[n(1)]
    pub title: Text,
    /// Where to read it: an address that begins with `https://`.
    #[n(2)]
    pub link: Text,
}

impl NewsNote {
    pub const LINK_BYTES_MAX: usize = 500;
    const SCHEME: &str = "https://";

    fn check(&self, now: Time) -> Result<(), Reject> {
        check_date("at", self.at)?;
        require(self.at <= now, "at", "does not lie in the future")?;
        check_name("title", &self.title)?;
        let is_sized = (NewsNote::SCHEME.len() + 1..=NewsNote::LINK_BYTES_MAX).contains(&self.link.len());
        require(is_sized && self.link.starts_with(NewsNote::SCHEME), "link", "is an https:// address")?;
        let is_plain = self.link.bytes().all(|byte| byte.is_ascii_graphic());
        require(is_plain, "link", "consists of visible ASCII characters")
    }
}

impl Exchange {
    pub(crate) fn record_news(&mut self, _: Caller, command: &RecordNews) -> Result<Reply, Reject> {
        let &RecordNews { event, news, ref note } = command;
        note.as_ref().map_or(Ok(()), |note| note.check(self.now))?;
        let index = self.catalogue.find_event(event).ok_or(Reject::EventNotFound)?;
        let status = self.catalogue.event(index).status;
        // A draft is not public, and its texts can still be edited.
        if status == Status::Draft {
            return Err(Reject::StatusNotAllowed { status });
        }

        self.changes.push(Change::EventNews { event, news, note: note.clone() });
        Ok(Reply::Done)
    }
}
