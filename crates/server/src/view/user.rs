//! A user as others see them.

use api::query::UserLookupQuery;
use api::response::UserProfile;
use exchange::Exchange;
use exchange::id::UserId;
use exchange::index::UserIndex;

use super::words::{ToApi, ToExchange};

/// The user with this tag, whatever its case, or this id. The house is nobody's to look up.
pub fn profile(exchange: &Exchange, query: &UserLookupQuery) -> Option<UserProfile> {
    let directory = exchange.directory();
    let found = match query {
        UserLookupQuery::Tag(tag) => directory.find_by_tag(tag),
        UserLookupQuery::UserId(id) => directory.find(ToExchange::<UserId>::to_exchange(*id)),
    };
    let user = directory.user(found.filter(|index| *index != UserIndex::HOUSE)?);
    // An erased user's tag stays taken, and finds nobody.
    if user.erased {
        return None;
    }
    // Nobody can give themselves an image yet.
    Some(UserProfile { id: user.id.to_api(), tag: user.tag.to_string(), image_url: String::new() })
}
