//! Filters of teams and games.

use crate::schema::IntoParams;

use super::pages::PageQuery;
use super::raw::RawQuery;
use crate::error::BadRequest;

/// `GET /v1/pm/sports/teams`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct TeamsQuery {
    /// Name, key or short name of the league.
    #[param(max_length = 100)]
    pub league: Option<String>,
    #[param(max_length = 100, example = "soccer")]
    pub sport: Option<String>,
    /// Counts from 1.
    #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 50, required = false)]
    pub size: u32,
}

impl TeamsQuery {
    pub fn parse(raw: &str) -> Result<TeamsQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = PageQuery::read(&query, 50)?;
        Ok(TeamsQuery {
            league: query.bounded("league", 100)?,
            sport: query.bounded("sport", 100)?,
            page,
            size,
        })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}

/// `GET /v1/pm/sports/games`.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct GamesQuery {
    /// Name, key or short name of the league.
    #[param(max_length = 100)]
    pub league: Option<String>,
    #[param(max_length = 100, example = "soccer")]
    pub sport: Option<String>,
    /// Id or slug of a team that plays.
    #[param(max_length = 100)]
    pub team: Option<String>,
    /// Only the game with this slug.
    #[param(max_length = 100)]
    pub slug: Option<String>,
    /// `true`: only games that are over or cancelled. `false`: only games that are still to come, live or postponed.
    pub ended: Option<bool>,
    /// Counts from 1.
    #[param(minimum = 1, maximum = 4294967295_u32, default = 1, required = false)]
    pub page: u32,
    #[param(minimum = 1, maximum = 100, default = 50, required = false)]
    pub size: u32,
}

impl GamesQuery {
    pub fn parse(raw: &str) -> Result<GamesQuery, BadRequest> {
        let query = RawQuery::parse(raw)?;
        let PageQuery { page, size } = PageQuery::read(&query, 50)?;
        Ok(GamesQuery {
            league: query.bounded("league", 100)?,
            sport: query.bounded("sport", 100)?,
            team: query.bounded("team", 100)?,
            slug: query.bounded("slug", 100)?,
            ended: query.boolean("ended")?,
            page,
            size,
        })
    }

    pub const fn pages(&self) -> PageQuery {
        PageQuery { page: self.page, size: self.size }
    }
}
