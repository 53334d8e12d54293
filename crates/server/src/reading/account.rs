//! Reads of all positions of a user and of the titles of all events of a user's results, in short looks.

use api::query::PortfolioQuery;
use api::response::Portfolio;
use exchange::id::EventId;
use exchange::index::UserIndex;

use super::{Reading, note_sequence};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::pipeline::gathering::{GatheredRow, gather};
use crate::view::pnl::{Titles, titles};
use crate::view::portfolio::{PortfolioPage, held, listings};

/// Titles that one look reads.
const TITLES_AT_ONCE: usize = 128;

impl Reading {
    /// The titles of events, in memory or in history, read in short looks.
    pub(crate) async fn find_titles(&self, events: &[EventId]) -> Result<Titles, Failure> {
        let mut found = Titles::new();
        for some in events.chunks(TITLES_AT_ONCE) {
            let names = some.iter().map(|id| RetiredName::Event(*id)).collect();
            found.extend(titles(&self.with_retired(names).await?, some));
        }
        Ok(found)
    }

    /// A page of holdings, and the totals of all, as of one sequence.
    pub(crate) fn portfolio(&self, user: UserIndex, query: &PortfolioQuery) -> Portfolio {
        let (rows, page) = gather(
            &self.shared,
            |exchange| listings(exchange, user, query),
            |exchange, listing| held(exchange, user, listing),
            |exchange, rows| {
                note_sequence(exchange.seq());
                PortfolioPage::of(exchange, user, rows.iter().map(GatheredRow::value), query)
            },
        );
        page.into_portfolio(rows.iter().map(GatheredRow::value), query)
    }
}
