//! Query strings of the operators' lists. Unknown parameters are ignored, as in the public API.

use crate::schema::IntoParams;

use crate::Timestamp;
use crate::error::BadRequest;
use crate::query::{PageQuery, RawQuery};
use crate::terms::{Currency, StatisticsInterval, Status};

const SIZE_MAX: u32 = 100;
/// Buckets of one answer.
const BUCKETS_MAX: i64 = 200;

fn pages(query: &RawQuery, size_default: u32) -> Result<PageQuery, BadRequest> {
    Ok(PageQuery {
        page: query.integer("page", 1, u32::MAX)?.unwrap_or(1),
        size: query.integer("size", 1, SIZE_MAX)?.unwrap_or(size_default),
    })
}

/// `GET /admin/v1/events`.
#[derive(Clone, Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct AdminEventsQuery {
    /// Part of the title or slug, in any case.
    #[param(max_length = 100)]
    pub keyword: Option<String>,
    /// In any case.
    #[param(max_length = 100)]
    pub category: Option<String>,
    pub status: Option<Status>,
    /// Counts from 1.
    #[param(minimum = 1, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 50, required = false)]
    pub size: u32,
}

impl AdminEventsQuery {
    pub fn parse(raw: &str) -> Result<AdminEventsQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = pages(&query, 50)?;
        Ok(AdminEventsQuery {
            keyword: query.bounded("keyword", 100)?,
            category: query.bounded("category", 100)?,
            status: query.word("status")?,
            page,
            size,
        })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}

/// `GET /admin/v1/users`.
#[derive(Clone, Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct UsersQuery {
    /// Part of the tag, a whole email address, in any case, or an id.
    #[param(max_length = 254)]
    pub keyword: Option<String>,
    pub suspended: Option<bool>,
    /// Counts from 1.
    #[param(minimum = 1, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 50, required = false)]
    pub size: u32,
}

impl UsersQuery {
    pub fn parse(raw: &str) -> Result<UsersQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = pages(&query, 50)?;
        Ok(UsersQuery {
            keyword: query.bounded("keyword", 254)?,
            suspended: query.boolean("suspended")?,
            page,
            size,
        })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}

/// `GET /admin/v1/audit`.
#[derive(Clone, Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct AuditQuery {
    /// Entries about this user: an id or a tag.
    pub user: Option<String>,
    /// Entries about this event: an id or a slug.
    pub event: Option<String>,
    /// Entries about this market: an id, or `slug` or `slug:2`.
    pub market: Option<String>,
    /// Entries by or about this operator: an id or a name.
    pub operator: Option<String>,
    /// At or after.
    pub from: Option<Timestamp>,
    /// At or before.
    pub to: Option<Timestamp>,
    /// The `nextCursor` of an earlier page.
    pub after: Option<u64>,
    #[param(minimum = 1, maximum = 100, default = 50, required = false)]
    pub size: u32,
}

impl AuditQuery {
    pub fn parse(raw: &str) -> Result<AuditQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        Ok(AuditQuery {
            user: query.bounded("user", 200)?,
            event: query.bounded("event", 200)?,
            market: query.bounded("market", 200)?,
            operator: query.bounded("operator", 200)?,
            from: query.timestamp("from")?,
            to: query.timestamp("to")?,
            after: query
                .read("after", |text| text.parse().map_err(|_| "must be a nextCursor of an earlier page"))?,
            size: query.integer("size", 1, SIZE_MAX)?.unwrap_or(50),
        })
    }
}

/// `GET /admin/v1/statistics`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct StatisticsQuery {
    #[param(default = "USD", required = false)]
    pub currency: Currency,
    #[param(default = "1h", required = false)]
    pub interval: StatisticsInterval,
    /// In the first bucket. Without it: 24 hours or 30 days before the last one. At most 200 buckets.
    pub from: Option<Timestamp>,
    /// In the last bucket. Without it: now.
    pub to: Option<Timestamp>,
}

impl StatisticsQuery {
    pub fn parse(raw: &str) -> Result<StatisticsQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        Ok(StatisticsQuery {
            currency: query.currency_or_default()?,
            interval: query.word("interval")?.unwrap_or(StatisticsInterval::OneHour),
            from: query.timestamp("from")?,
            to: query.timestamp("to")?,
        })
    }

    /// The start of each bucket and the end of the last one, all in UTC.
    pub fn bounds(&self, now: Timestamp) -> Result<Vec<Timestamp>, BadRequest> {
        let (length, usual) = match self.interval {
            StatisticsInterval::OneHour => (3_600_000_000, 24),
            StatisticsInterval::OneDay => (86_400_000_000, 30),
        };
        let place = |at: Timestamp| at.micros().div_euclid(length);
        let last = place(self.to.unwrap_or(now));
        let first = self.from.map_or(last - usual + 1, place);
        if first > last {
            return Err(BadRequest::at("from", "must not be after to"));
        }
        if last - first >= BUCKETS_MAX {
            return Err(BadRequest::at("from", "must be at most 200 buckets before to"));
        }
        Ok((first..=last + 1).map(|bucket| Timestamp::from_micros(bucket * length)).collect())
    }
}
