//! A request of an operator on its way: who asks, its body, and the command that comes of it. The exchange decides whether
//! the operator may; nothing here does.

use std::sync::Arc;

use api::error::ErrorBody;
use api::read::read;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use exchange::command::Command;
use exchange::reject::Reject;
use exchange::reply::Reply;
use serde::de::DeserializeOwned;

use super::access::Operating;
use crate::app::App;
use crate::http::Failure;
use crate::http::writing::read_body;

/// A request whose token was recognised.
pub(super) struct Asked {
    pub(super) app: Arc<App>,
    operating: Operating,
    body: Bytes,
}

impl FromRequest<Arc<App>> for Asked {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Asked, Failure> {
        let (parts, body) = request.into_parts();
        // Whoever has no token did not get here.
        let operating = *parts.extensions.get::<Operating>().ok_or_else(ErrorBody::internal)?;
        Ok(Asked { app: app.clone(), operating, body: read_body(&parts.headers, body).await? })
    }
}

impl Asked {
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        Ok(read(&self.body)?)
    }

    /// A body that may be left out.
    pub(super) fn read_or_default<T: DeserializeOwned + Default>(&self) -> Result<T, Failure> {
        if self.body.is_empty() { Ok(T::default()) } else { self.read() }
    }

    /// Takes a command to the writer under the operator's name.
    pub(super) async fn operate(&self, command: Command) -> Result<Reply, Failure> {
        let answer = self.app.submit(self.operating.actor(), None, command).await?;
        self.app.reply(answer)
    }

    /// The same, with a second command for what one operator may not do alone. Says whether that was it.
    pub(super) async fn operate_or_propose(
        &self,
        command: Command,
        proposal: impl FnOnce() -> Command,
    ) -> Result<bool, Failure> {
        let answer = self.app.submit(self.operating.actor(), None, command).await?;
        if answer.result == Err(Reject::NeedsProposal) {
            return self.operate(proposal()).await.map(|_| true);
        }
        self.app.reply(answer).map(|_| false)
    }
}
