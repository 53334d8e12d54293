//! `admin statistics`: what the venue traded over time.

use api::terms::{Currency, StatisticsInterval};
use api::{Timestamp, Word};
use clap::Args;

use super::desk::{CommandError, Desk, query};
use super::values::{time, word};

#[derive(Debug, Args)]
pub(super) struct Span {
    #[arg(long, value_parser = word::<Currency>, default_value = "USD")]
    currency: Currency,
    /// Length of a bucket: 1h or 1d
    #[arg(long, value_parser = word::<StatisticsInterval>, default_value = "1h")]
    interval: StatisticsInterval,
    /// A time in the first bucket; without it, 24 hours or 30 days before the last one
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<Timestamp>,
    /// A time in the last bucket; without it, now
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<Timestamp>,
}

impl Span {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        let query = query(&[
            ("currency", Some(self.currency.as_str().to_owned())),
            ("interval", Some(self.interval.as_str().to_owned())),
            ("from", self.from.map(|time| time.to_string())),
            ("to", self.to.map(|time| time.to_string())),
        ]);
        let columns = [
            "start",
            "volume",
            "fees",
            "trades",
            "traders",
            "poolResult",
            "eventTitle",
            "marketTitle",
            "result",
        ];
        desk.show(&format!("/admin/v1/statistics?{query}"), &columns)
    }
}
