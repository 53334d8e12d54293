//! A user's public profile.

use api::query::UserLookupQuery;
use api::response::UserProfile;
use exchange::Exchange;
use exchange::id::UserId;
use exchange::index::UserIndex;

use super::words::{ToApi, ToExchange};

/// The user with this tag (case-insensitive) or this id. The house is never found.
pub fn profile(exchange: &Exchange, query: &UserLookupQuery) -> Option<UserProfile> {
    let directory = exchange.directory();
    let found = match query {
        UserLookupQuery::Tag(tag) => directory.find_by_tag(tag),
        UserLookupQuery::UserId(id) => directory.find(ToExchange::<UserId>::to_exchange(*id)),
    };
    let user = directory.user(found.filter(|index| *index != UserIndex::HOUSE)?);
    // The tag of an erased user stays reserved but finds no profile.
    if user.erased {
        return None;
    }
    // User images are not supported yet.
    Some(UserProfile { id: user.id.to_api(), tag: user.tag.to_string(), image_url: String::new() })
}
