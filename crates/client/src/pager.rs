//! Lists that are longer than a page.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use futures_util::{Stream, stream};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::client::Client;
use crate::error::Result;
use crate::query::Query;
use crate::request::{Access, Request};
use crate::wire::Answer;

type Build<T> = Arc<dyn Fn(&str, &Answer) -> serde_json::Result<T> + Send + Sync>;

/// Where a list is, and how its rows are read.
pub(crate) struct Source<T> {
    pub(crate) path: &'static str,
    /// The field of the answer with the rows.
    pub(crate) key: &'static str,
    pub(crate) query: Query,
    pub(crate) access: Access,
    /// Rows of a page.
    pub(crate) size: u32,
    pub(crate) build: Build<T>,
}

/// A list of the exchange, read page by page: `while let Some(row) = list.next().await? { … }`.
///
/// Lists that grow have a cursor, so no row is skipped or repeated. Others have page numbers: there, a row that moved to
/// the next page in the meantime is still returned once.
pub struct Pager<T> {
    client: Client,
    source: Source<T>,
    place: Place,
    rows: VecDeque<T>,
    seen: HashSet<Uuid>,
}

/// Where the next page is.
enum Place {
    First,
    Cursor(String),
    Page(u64),
    End,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pagination {
    last_page: u64,
}

#[derive(Deserialize)]
struct Named {
    id: Option<Uuid>,
}

impl<T> Pager<T> {
    pub(crate) fn new(client: Client, source: Source<T>) -> Pager<T> {
        Pager { client, source, place: Place::First, rows: VecDeque::new(), seen: HashSet::new() }
    }

    /// Rows of a page: 1 to 100.
    #[must_use]
    pub fn page_size(mut self, size: u32) -> Pager<T> {
        self.source.size = size;
        self
    }

    /// The next row; none after the last.
    pub async fn next(&mut self) -> Result<Option<T>> {
        loop {
            if let Some(row) = self.rows.pop_front() {
                return Ok(Some(row));
            }
            match self.next_page().await? {
                Some(rows) => self.rows = rows.into(),
                None => return Ok(None),
            }
        }
    }

    /// The next page; none after the last. A page may be empty.
    pub async fn next_page(&mut self) -> Result<Option<Vec<T>>> {
        let query = self.source.query.clone().with("size", self.source.size);
        let query = match &self.place {
            Place::First => query,
            Place::Cursor(cursor) => query.with("after", cursor),
            Place::Page(number) => query.with("page", number),
            Place::End => return Ok(None),
        };
        let request = Request::get(self.source.path.to_owned(), &query, self.source.access);
        let answer = self.client.send(&request).await?;
        self.read(&answer).map(Some).map_err(|error| answer.unreadable(&error))
    }

    /// Reads a page and moves on.
    fn read(&mut self, answer: &Answer) -> serde_json::Result<Vec<T>> {
        let fields: BTreeMap<String, &RawValue> = serde_json::from_str(&answer.body)?;
        let field = |name: &str| fields.get(name).map_or("null", |value| value.get());
        let raw: Vec<&RawValue> = serde_json::from_str(field(self.source.key))?;
        let cursor: Option<String> = serde_json::from_str(field("nextCursor"))?;
        let pagination: Option<Pagination> = serde_json::from_str(field("pagination"))?;
        let has_cursors = cursor.is_some() || matches!(self.place, Place::Cursor(_));
        let mut rows = Vec::with_capacity(raw.len());
        for row in raw {
            let id = if has_cursors { None } else { serde_json::from_str::<Named>(row.get())?.id };
            if id.is_none_or(|id| self.seen.insert(id)) {
                rows.push((self.source.build)(row.get(), answer)?);
            }
        }
        let next = match self.place {
            Place::Page(number) => number + 1,
            _ => 2,
        };
        self.place = match cursor {
            Some(cursor) => Place::Cursor(cursor),
            // A list with a cursor has none on its last page, whatever its page numbers say.
            None if has_cursors => Place::End,
            None if pagination.is_some_and(|pages| next <= pages.last_page) => Place::Page(next),
            None => Place::End,
        };
        Ok(rows)
    }

    /// Every row.
    pub async fn all(mut self) -> Result<Vec<T>> {
        let mut rows = Vec::from(std::mem::take(&mut self.rows));
        while let Some(page) = self.next_page().await? {
            rows.extend(page);
        }
        Ok(rows)
    }

    /// The first rows, at most `count`, without reading further pages.
    pub async fn first(mut self, count: usize) -> Result<Vec<T>> {
        // A page costs by its rows.
        self.source.size = u32::try_from(count).unwrap_or(u32::MAX).min(self.source.size).max(1);
        let mut rows = Vec::new();
        while rows.len() < count {
            match self.next().await? {
                Some(row) => rows.push(row),
                None => break,
            }
        }
        Ok(rows)
    }

    /// The rows as a stream, for the combinators of `futures`.
    pub fn into_stream(self) -> impl Stream<Item = Result<T>> {
        stream::try_unfold(self, |mut pager| async move {
            pager.next().await.map(|row| row.map(|row| (row, pager)))
        })
    }
}

impl<T> fmt::Debug for Pager<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pager").field("path", &self.source.path).finish_non_exhaustive()
    }
}
