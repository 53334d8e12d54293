//! An operator's request: its author, its body, its `Idempotency-Key` and the command that it becomes. The exchange decides
//! on permission; it is asked before any work for the command begins.

use std::sync::Arc;

use api::admin::response::Proposed;
use api::error::ErrorBody;
use api::read::read;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use exchange::command::{Command, DoOrPropose, Propose};
use exchange::governance::{Evidence, Subject};
use exchange::id::ProposalId;
use exchange::idempotency::IdempotencyKey;
use exchange::reject::Reject;
use exchange::reply::Reply;
use http::StatusCode;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::access::OperatorCaller;
use super::pictures;
use crate::app::App;
use crate::edge::idempotency::{Canonical, operator_key};
use crate::edge::meter::{self, Meter};
use crate::http::body;
use crate::http::{Answered, Failure, json};
use crate::identifiers::{new_id, repeatable_id};
use crate::view;
use crate::view::resolution::final_from;
use crate::view::words::ToApi;
use crate::writing::Operated;

/// A request with an authenticated operator.
pub(super) struct OperatorRequest {
    pub(super) app: Arc<App>,
    operator: OperatorCaller,
    body: Bytes,
    idempotency: Option<IdempotencyKey>,
}

impl FromRequest<Arc<App>> for OperatorRequest {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<OperatorRequest, Failure> {
        let (parts, body) = request.into_parts();
        // `require_operator` has already refused requests without a token.
        let operator = *parts.extensions.get::<OperatorCaller>().ok_or_else(ErrorBody::internal)?;
        let body = body::read(&parts.headers, body).await?;
        let canonical = parts.extensions.get::<Canonical>();
        let idempotency = operator_key(&parts.headers, canonical, operator.0, &body)?;
        Ok(OperatorRequest { app: app.clone(), operator, body, idempotency })
    }
}

/// Refuses an operator who may not send a command, before any work for the command begins.
pub(super) async fn require_permission(
    app: &App,
    operator: OperatorCaller,
    attempt: &Command,
) -> Result<(), Failure> {
    if app.reading().read_state().may_send(operator.actor(), attempt.authority()) {
        return Ok(());
    }
    // The exchange refuses it too, and so the audit log has the attempt.
    let answer = app.writing().submit(operator.actor(), None, attempt.clone()).await?;
    app.writing().written(answer).map(drop)
}

impl OperatorRequest {
    /// Like the function of this name, for the author of this request.
    pub(super) async fn require_permission(&self, attempt: &Command) -> Result<(), Failure> {
        require_permission(&self.app, self.operator, attempt).await
    }

    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        Ok(read(&self.body)?)
    }

    /// Deserializes an optional body.
    pub(super) fn read_or_default<T: DeserializeOwned + Default>(&self) -> Result<T, Failure> {
        if self.body.is_empty() { Ok(T::default()) } else { self.read() }
    }

    /// The id of what the request creates. A repetition with the same key has the same id, so it names what the first one
    /// created.
    pub(super) fn new_id(&self) -> Uuid {
        match self.idempotency {
            Some(key) => repeatable_id(&key),
            None => new_id(),
        }
    }

    /// Whether the request has a key, and so may repeat an earlier one.
    pub(super) fn may_repeat(&self) -> bool {
        self.idempotency.is_some()
    }

    /// Submits a command in the operator's name. The pictures that it names are kept from then on.
    pub(super) async fn operate(&self, command: Command) -> Result<Reply, Failure> {
        self.require_permission(&command).await?;
        self.submit(command).await
    }

    /// Carries out a command, or proposes it if one person may not give it alone.
    pub(super) async fn operate_or_propose(&self, command: Command) -> Result<Outcome, Failure> {
        self.require_permission(&command).await?;
        let proposal = ProposalId::new(self.new_id().as_u128());
        if !self.has_rules(4) {
            return self.operate_then_propose(proposal, command).await;
        }
        let command = Box::new(command);
        match self.submit(Command::DoOrPropose(DoOrPropose { proposal, command })).await? {
            Reply::Proposed(proposal) => Ok(Outcome::Proposed(proposal)),
            reply => Ok(Outcome::Done(reply)),
        }
    }

    /// Whether the log has these rules or newer ones, to know which commands it takes.
    pub(super) fn has_rules(&self, rules: u32) -> bool {
        self.app.writing().sequencer().writer_status().rules() >= rules
    }

    async fn submit(&self, command: Command) -> Result<Reply, Failure> {
        pictures::name(&self.app, &command).await?;
        note(|meter| meter.note_command(view::command::id(&command)));
        let Operated { reply, is_replayed } =
            self.app.writing().operate(self.operator.0, self.idempotency, command).await?;
        if is_replayed {
            note(Meter::note_replayed);
        }
        Ok(reply)
    }

    /// Under the first rules an operator's command is tried, and proposed once it is refused for the want of another person.
    async fn operate_then_propose(&self, id: ProposalId, command: Command) -> Result<Outcome, Failure> {
        note(|meter| meter.note_command(view::command::id(&command)));
        let answer = self.app.writing().submit(self.operator.actor(), None, command.clone()).await?;
        let needs_another = matches!(
            answer.result,
            Err(Reject::NeedsProposal | Reject::OverEntryCap { .. } | Reject::OverDayCap { .. })
        );
        // Verdicts are proposed with evidence, on a separate route.
        if !needs_another || !self.app.reading().read_state().is_proposable(&command) {
            return self.app.writing().written(answer).map(Outcome::Done);
        }
        let subject = Subject::Command(Box::new(command));
        self.operate(Command::Propose(Propose { id, subject, evidence: Evidence::default() })).await?;
        Ok(Outcome::Proposed(id))
    }

    /// The response to a command that became a proposal.
    pub(super) fn proposed(&self, id: ProposalId) -> Answered {
        let from = {
            let exchange = self.app.reading().read_state();
            // A repetition may come after its end.
            let pending = exchange.governance().proposal(id);
            pending.map_or_else(|| exchange.now(), |proposal| final_from(&exchange, proposal))
        };
        let (proposal_id, message) = (id.to_api(), PROPOSED.to_owned());
        let proposed = Proposed { proposal_id, final_from: from.to_api(), message };
        Ok(json(StatusCode::ACCEPTED, &proposed))
    }
}

fn note(note: impl FnOnce(&Meter)) {
    if let Some(meter) = meter::current() {
        note(&meter);
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
