//! `admin news`: notes about news on events. EVENT is a slug or an id.

use api::Timestamp;
use api::admin::request::AddNews;
use clap::Subcommand;

use super::client::Method;
use super::desk::{CommandError, Desk, segment};
use super::values::time;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the news of an event, newest first
    List { event: String },
    /// Attach a note to an event, for its page and its chart
    Add {
        event: String,
        /// 1 to 100 characters
        #[arg(long)]
        title: String,
        /// An address that begins with https://
        #[arg(long)]
        link: String,
        /// When the news came out; without it, now
        #[arg(long, value_name = "TIME", value_parser = time)]
        published_at: Option<Timestamp>,
    },
    /// Remove a note by its id
    Remove { event: String, news: String },
}

const COLUMNS: [&str; 4] = ["publishedAt", "title", "link", "id"];

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        let path = |event: &str| format!("/admin/v1/events/{}/news", segment(event));
        match self {
            Command::List { event } => desk.show(&path(event), &COLUMNS),
            Command::Add { event, title, link, published_at } => {
                let body = AddNews { title: title.clone(), link: link.clone(), published_at: *published_at };
                desk.send(Method::Post, &path(event), &body, &COLUMNS)
            }
            Command::Remove { event, news } => {
                desk.delete(&format!("{}/{}", path(event), segment(news)), &COLUMNS)
            }
        }
    }
}
