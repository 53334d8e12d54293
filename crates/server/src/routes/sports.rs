//! Leagues, teams and games.

use std::sync::Arc;

use api::query::{GamesQuery, TeamsQuery};
use api::response::{Games, Leagues, Teams};

use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::reading::Reading;
use crate::view;

pub(super) struct SportEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl SportEndpoints {
    pub(super) fn list_leagues(&self, call: &Call<'_>) -> Result<Next<Leagues>, Failure> {
        let sports = self.reading.sports();
        call.meter.charge_rows(sports.leagues.len())?;
        Ok(view::sport::leagues(&sports).into())
    }

    pub(super) fn list_teams(&self, call: &Call<'_>, query: TeamsQuery) -> Result<Next<Teams>, Failure> {
        call.meter.charge_rows(query.pages().size as usize)?;
        Ok(view::sport::teams(&self.reading.sports(), &query).into())
    }

    pub(super) fn list_games(&self, call: &Call<'_>, query: GamesQuery) -> Result<Next<Games>, Failure> {
        call.meter.charge_rows(query.pages().size as usize)?;
        Ok(view::sport::games(&self.reading.sports(), &query).into())
    }
}
