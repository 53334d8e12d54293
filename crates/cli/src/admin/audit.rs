//! `admin audit`: who did what, when, and to which user, event or operator.

use api::Timestamp;
use clap::Args;

use super::desk::{CommandError, Desk, query};
use super::values::time;

#[derive(Debug, Args)]
pub(super) struct Filter {
    /// About this user: a tag or an id
    #[arg(long)]
    user: Option<String>,
    /// About this event: a slug or an id
    #[arg(long)]
    event: Option<String>,
    /// About this market: an id, a slug or `slug:2`
    #[arg(long)]
    market: Option<String>,
    /// By or about this operator: a name or an id
    #[arg(long)]
    operator: Option<String>,
    /// At or after, such as 2026-07-28T00:00:00Z
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<Timestamp>,
    /// At or before
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<Timestamp>,
    /// Continue after this entry: `nextCursor` of an earlier page
    #[arg(long, value_name = "CURSOR")]
    after: Option<u64>,
    /// Number of entries, at most 100
    #[arg(long)]
    size: Option<u32>,
}

impl Filter {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        let query = query(&[
            ("user", self.user.clone()),
            ("event", self.event.clone()),
            ("market", self.market.clone()),
            ("operator", self.operator.clone()),
            ("from", self.from.map(|time| time.to_string())),
            ("to", self.to.map(|time| time.to_string())),
            ("after", self.after.map(|after| after.to_string())),
            ("size", self.size.map(|size| size.to_string())),
        ]);
        let columns = ["sequence", "at", "by", "role", "action", "summary", "refused"];
        desk.show(&format!("/admin/v1/audit?{query}"), &columns)
    }
}
