//! Finding another user.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::UserLookupQuery;
use api::response::UserProfile;

use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::reading::Reading;
use crate::view;

pub(super) struct UserEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl UserEndpoints {
    pub(super) fn lookup_user(
        &self,
        _: &Call<'_>,
        query: UserLookupQuery,
    ) -> Result<Next<UserProfile>, Failure> {
        let profile = view::user::profile(&self.reading.read_state(), &query);
        Ok(profile.ok_or_else(|| ErrorBody::not_found("User not found"))?.into())
    }
}
