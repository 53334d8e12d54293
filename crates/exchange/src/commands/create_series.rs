//! `CreateSeries`: creates one event per interval, from the next full interval on.

use crate::authority::Caller;
use crate::catalogue::checks::{
    check_currencies, check_name, check_prose, check_slug, check_symbol, check_url, check_word, invalid,
    require,
};
use crate::catalogue::{Engine, NewSeries, Series};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::numbers::{Money, Price, Shares};
use crate::pool::Pool;
use crate::reject::Reject;
use crate::reply::Reply;

/// Shorter than an event's: the slug of an event is the series' slug followed by the start.
const SERIES_SLUG_CHARACTERS_MAX: usize = 100;
/// A tenth: prices further apart are not prices of the same asset.
const TOLERANCE_PPM_MAX: u32 = 100_000;

impl Exchange {
    pub(crate) fn create_series(&mut self, caller: Caller, new: &NewSeries) -> Result<Reply, Reject> {
        self.check_new_series(new)?;

        let mut series = Series::new(new.clone(), self.now);
        series.creator = caller.acts_alone().filter(|_| self.since(4));
        self.catalogue.series.insert(new.id, series);
        self.arm_series(new.id);
        self.changes.push(Change::SeriesCreated { series: new.id });
        Ok(Reply::Done)
    }
}

impl Exchange {
    /// Whether this series could be created now.
    pub(crate) fn check_new_series(&self, new: &NewSeries) -> Result<(), Reject> {
        check_terms(new)?;
        self.check_prop(&new.market)?;
        if self.catalogue.series.contains_key(&new.id) {
            return Err(Reject::DuplicateId);
        }
        if self.catalogue.series().any(|series| series.terms.slug == new.slug) {
            return Err(Reject::DuplicateSlug);
        }
        Ok(())
    }
}

fn check_terms(new: &NewSeries) -> Result<(), Reject> {
    check_slug(&new.slug, SERIES_SLUG_CHARACTERS_MAX)?;
    check_name("display_name", &new.display_name)?;
    check_prose("description", &new.description)?;
    check_symbol("asset_symbol", &new.asset_symbol)?;
    check_url("icon_url", &new.icon_url)?;
    check_currencies(&new.currencies)?;
    new.market.check_terms()?;
    check_sources(new)?;
    if new.engine == Engine::Amm { check_seeds(new) } else { Ok(()) }
}

/// A single source decides alone. Two must agree, so only two have a tolerance.
fn check_sources(new: &NewSeries) -> Result<(), Reject> {
    new.sources.iter().try_for_each(|source| check_word("sources", source))?;
    match new.sources.as_slice() {
        [] | [_] => require(new.tolerance_ppm == 0, "tolerance_ppm", "is for two sources"),
        [leading, other] => {
            require(leading != other, "sources", "names each once")?;
            require(new.tolerance_ppm <= TOLERANCE_PPM_MAX, "tolerance_ppm", "is at most 100000")
        }
        _ => Err(invalid("sources", "names at most two")),
    }
}

/// Checks that every pool can be seeded, given enough money: automatic creation must not be refused later.
fn check_seeds(new: &NewSeries) -> Result<(), Reject> {
    for currency in &new.currencies {
        let seed = *new.seed.get(*currency);
        if seed <= Money::ZERO {
            return Err(invalid("seed", "is positive in each currency of an AMM series"));
        }
        Pool::seed(Shares::sets(seed, *currency), Price::clamp(50))?;
    }
    Ok(())
}
