//! An operator's request: its author, its body and the command that it becomes. Permission is checked by the exchange, not
//! here.

use std::sync::Arc;

use api::admin::response::Proposed;
use api::error::ErrorBody;
use api::read::read;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use exchange::command::{Command, Propose};
use exchange::governance::{Evidence, Subject};
use exchange::id::ProposalId;
use exchange::reject::Reject;
use exchange::reply::Reply;
use http::StatusCode;
use serde::de::DeserializeOwned;

use super::access::OperatorCaller;
use super::pictures;
use crate::app::App;
use crate::http::charged::note_command;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, json};
use crate::identifiers::new_id;
use crate::view;
use crate::view::words::ToApi;

/// A request with an authenticated operator.
pub(super) struct OperatorRequest {
    pub(super) app: Arc<App>,
    operator: OperatorCaller,
    body: Bytes,
}

impl FromRequest<Arc<App>> for OperatorRequest {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<OperatorRequest, Failure> {
        let (parts, body) = request.into_parts();
        // `require_operator` has already refused requests without a token.
        let operator = *parts.extensions.get::<OperatorCaller>().ok_or_else(ErrorBody::internal)?;
        Ok(OperatorRequest { app: app.clone(), operator, body: read_body(&parts.headers, body).await? })
    }
}

/// Refuses an operator who may not send a command, before any work for the command begins.
pub(super) async fn require_permission(
    app: &App,
    operator: OperatorCaller,
    attempt: Command,
) -> Result<(), Failure> {
    if app.reading().read_state().may_send(operator.actor(), attempt.authority()) {
        return Ok(());
    }
    // The exchange refuses it too, and so the audit log has the attempt.
    let answer = app.writing().submit(operator.actor(), None, attempt).await?;
    app.writing().written(answer).map(drop)
}

impl OperatorRequest {
    /// Like the function of this name, for the author of this request.
    pub(super) async fn require_permission(&self, attempt: Command) -> Result<(), Failure> {
        require_permission(&self.app, self.operator, attempt).await
    }

    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        Ok(read(&self.body)?)
    }

    /// Deserializes an optional body.
    pub(super) fn read_or_default<T: DeserializeOwned + Default>(&self) -> Result<T, Failure> {
        if self.body.is_empty() { Ok(T::default()) } else { self.read() }
    }

    /// Submits a command in the operator's name. The pictures that it names are kept from then on.
    pub(super) async fn operate(&self, command: Command) -> Result<Reply, Failure> {
        pictures::name(&self.app, &command).await?;
        note_command(view::command::id(&command));
        let answer = self.app.writing().submit(self.operator.actor(), None, command).await?;
        self.app.writing().written(answer)
    }

    /// Submits a command, or proposes it if one person may not give it alone.
    pub(super) async fn operate_or_propose(&self, command: Command) -> Result<Outcome, Failure> {
        note_command(view::command::id(&command));
        let answer = self.app.writing().submit(self.operator.actor(), None, command.clone()).await?;
        let needs_another = matches!(
            answer.result,
            Err(Reject::NeedsProposal | Reject::OverEntryCap { .. } | Reject::OverDayCap { .. })
        );
        // Verdicts are proposed with evidence, on a separate route.
        if !needs_another || !command.is_proposable() {
            return self.app.writing().written(answer).map(Outcome::Done);
        }
        let id = ProposalId::new(new_id().as_u128());
        let subject = Subject::Command(Box::new(command));
        self.operate(Command::Propose(Propose { id, subject, evidence: Evidence::default() })).await?;
        Ok(Outcome::Proposed(id))
    }

    /// The response to a command that became a proposal.
    pub(super) fn proposed(&self, id: ProposalId) -> Answered {
        let proposed = Proposed {
            proposal_id: id.to_api(),
            final_from: self.app.reading().read_state().now().to_api(),
            message: PROPOSED.to_owned(),
        };
        Ok(json(StatusCode::ACCEPTED, &proposed))
    }
}

const PROPOSED: &str =
    "Nothing has happened yet: an approver finalises the proposal; another person where two are required";

/// The outcome of a command.
pub(super) enum Outcome {
    Done(Reply),
    /// The command waits to be finalised.
    Proposed(ProposalId),
}
