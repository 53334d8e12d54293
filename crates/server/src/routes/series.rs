//! Series, and the recent events of one.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::SeriesQuery;
use api::response::{LeanEvent, SeriesList};

use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::reading::Reading;
use crate::view;

pub(super) struct SeriesEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl SeriesEndpoints {
    pub(super) fn list_series(
        &self,
        call: &Call<'_>,
        query: SeriesQuery,
    ) -> Result<Next<SeriesList>, Failure> {
        call.meter.charge_rows(query.pages().size as usize)?;
        Ok(view::series::series_list(&self.reading.read_state(), &query).into())
    }

    pub(super) fn list_lean_events(&self, call: &Call<'_>) -> Result<Next<Vec<LeanEvent>>, Failure> {
        let wanted = view::series::recent_events(&self.reading.read_state(), call.path(0));
        let wanted = wanted.ok_or_else(|| ErrorBody::not_found("Series not found"))?;
        let (reading, meter) = (self.reading.clone(), call.meter.clone());
        Ok(Next::later(async move {
            let found = reading.find_events(&wanted, |events| meter.charge_comparisons(events)).await?;
            Ok(view::series::lean_events(&reading.with_page_events(&found).await?, &found))
        }))
    }
}
