//! Notes about news on an event.

use api::response::{News, NewsList};

use super::words::ToApi;
use crate::history::StoredNews;

pub fn news_list(stored: &[StoredNews]) -> NewsList {
    NewsList { news: stored.iter().map(news).collect() }
}

pub fn news(stored: &StoredNews) -> News {
    News {
        id: stored.news.to_api(),
        title: stored.note.title.to_string(),
        link: stored.note.link.to_string(),
        published_at: stored.note.at.to_api(),
    }
}
