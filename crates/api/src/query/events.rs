//! Filters of events.

use crate::schema::IntoParams;

use super::pages::PageQuery;
use super::raw::RawQuery;
use super::search;
use crate::error::BadRequest;
use crate::terms::{Currency, Engine, EventType, EventsOrder, Status};

/// `GET /v1/pm/events`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct EventsQuery {
    /// Part of the title, in any case.
    #[param(max_length = 100)]
    pub keyword: Option<String>,
    /// Words in any order in the title, the description, the outcomes and the hashtags, best matches first. The last word may
    /// be unfinished. A word that is found nowhere is taken for a typo.
    #[param(value_type = Option<String>, max_length = 100)]
    pub q: Vec<String>,
    /// In any case.
    #[param(max_length = 100)]
    pub category: Option<String>,
    /// In any case.
    #[param(max_length = 100)]
    pub subcategory: Option<String>,
    pub status: Option<Status>,
    #[param(rename = "type")]
    pub event_type: Option<EventType>,
    pub engine: Option<Engine>,
    /// First those with the most traded in the last 24 hours, then those with the most orders, then as without it: by status
    /// (open, paused, closed, resolved, cancelled), the newest first.
    #[param(default = false, required = false)]
    pub trending: bool,
    /// `closing`: the next to close first, then those without a closing date. `volume`: the most traded since they opened
    /// first, in `currency` or in both; ended events that have left memory come last. Counts before `trending`.
    pub order: Option<EventsOrder>,
    /// Only the caller's watchlist; needs `X-Public-Key`.
    #[param(default = false, required = false)]
    pub watchlist: bool,
    /// Only events of this series.
    #[param(max_length = 100)]
    pub series_slug: Option<String>,
    /// Only the events of this game.
    #[param(max_length = 100)]
    pub sport_game_slug: Option<String>,
    /// Only events that trade in it, and which currency's prices, volumes and minimums are shown. Left out: all events,
    /// shown in USD where they have it.
    pub currency: Option<Currency>,
    /// Counts from 1.
    #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 20, required = false)]
    pub size: u32,
}

impl EventsQuery {
    pub fn parse(raw: &str) -> Result<EventsQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = PageQuery::read(&query, 20)?;
        Ok(EventsQuery {
            keyword: query.bounded("keyword", 100)?,
            q: search::read(&query, "q")?,
            category: query.bounded("category", 100)?,
            subcategory: query.bounded("subcategory", 100)?,
            status: query.word("status")?,
            event_type: query.word("type")?,
            engine: query.word("engine")?,
            trending: query.boolean("trending")?.unwrap_or(false),
            order: query.word("order")?,
            watchlist: query.boolean("watchlist")?.unwrap_or(false),
            series_slug: query.bounded("seriesSlug", 100)?,
            sport_game_slug: query.bounded("sportGameSlug", 100)?,
            currency: query.word("currency")?,
            page,
            size,
        })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}

/// `GET /v1/pm/events/{eventId}` and `GET /v1/pm/events/slug/{slug}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct EventQuery {
    /// Which currency's prices, volumes and minimums are shown.
    #[param(default = "USD", required = false)]
    pub currency: Currency,
}

impl EventQuery {
    pub fn parse(raw: &str) -> Result<EventQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        Ok(EventQuery { currency: query.currency_or_default()? })
    }
}
