//! Reads of all positions of a user, of the account's value over time, and of the titles of all events of a user's results, in short looks.

use api::query::{AccountValueQuery, PortfolioQuery};
use api::response::{AccountValue, Portfolio};
use exchange::id::EventId;
use exchange::index::{ListingIndex, UserIndex};
use exchange::time::Time;

use super::{Reading, history_failure, note_sequence};
use crate::failure::Failure;
use crate::history::RetiredName;
use crate::pipeline::gathering::{GatheredRow, gather};
use crate::view::account_value::{self, AccountNow, MOVEMENTS_MAX, held_now};
use crate::view::pnl::{Titles, titles};
use crate::view::portfolio::{PortfolioPage, held, listings};
use crate::view::words::ToExchange;

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

    /// An account's value over time in one currency.
    pub(crate) async fn account_value(
        &self,
        user: UserIndex,
        query: &AccountValueQuery,
        now: Time,
    ) -> Result<AccountValue, Failure> {
        let currency = query.currency.to_exchange();
        let (rows, (seq, cash, id)) = gather(
            &self.shared,
            |exchange| {
                let of_currency = |listing: &ListingIndex| listing.currency() == currency;
                exchange.listings_of(user).filter(of_currency).collect()
            },
            |exchange, listing| held_now(exchange, user, listing),
            |exchange, _| {
                note_sequence(exchange.seq());
                let cash = exchange.ledger().wallet(user, currency).total();
                (exchange.seq(), cash, exchange.directory().user(user).id)
            },
        );
        let held = rows.iter().map(|row| *row.value()).collect();
        let account = AccountNow { seq, cash, held };
        let from = account_value::start(query, now);
        self.history.wait_for(seq).await.map_err(history_failure)?;
        let latest = self.history.latest_movements(id, currency, from, MOVEMENTS_MAX);
        let latest = latest.await.map_err(history_failure)?;
        let plan = account_value::plan(query, &account, &latest, (from, now));
        let found = self.history.candles(plan.ranges.clone()).await.map_err(history_failure)?;
        Ok(plan.answer(&found))
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
