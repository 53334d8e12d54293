//! An operator's request: its author, its body, its `Idempotency-Key`, the command that it becomes, and the response that shows
//! the state right after that command. The exchange decides on permission; it is asked before any work for the command begins.

use std::sync::Arc;

use api::admin::response::{
    CancelledOrders, EventStates, FinalisedSeries, MovedFees, Proposals, Proposed, Transferred,
};
use api::error::ErrorBody;
use api::read::read;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use exchange::command::{Command, DoOrPropose, Propose};
use exchange::governance::{Evidence, Subject};
use exchange::id::ProposalId;
use exchange::idempotency::IdempotencyKey;
use exchange::reject::Reject;
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
use crate::respond::Shown;
use crate::view;
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
        if idempotency.is_some() {
            app.writing().check_operators_keys()?;
        }
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

    /// Submits a command in the operator's name, and returns the state right after it. The pictures that it names are kept from
    /// then on. Where the command names nothing any more, a repetition has the first answer all the same.
    pub(super) async fn operate(&self, command: Result<Command, Failure>) -> Result<Shown, Failure> {
        let command = match command {
            Ok(command) => command,
            Err(missing) => return self.first_answer().await?.ok_or(missing),
        };
        self.require_permission(&command).await?;
        self.submit(command).await
    }

    /// Carries out a command, or proposes it if one person may not give it alone.
    pub(super) async fn operate_or_propose(
        &self,
        command: Result<Command, Failure>,
    ) -> Result<Shown, Failure> {
        let command = match command {
            Ok(command) => command,
            Err(missing) => return self.first_answer().await?.ok_or(missing),
        };
        self.require_permission(&command).await?;
        let proposal = ProposalId::new(self.new_id().as_u128());
        if !self.has_rules(4) {
            return self.operate_then_propose(proposal, command).await;
        }
        let command = Box::new(command);
        self.submit(Command::DoOrPropose(DoOrPropose { proposal, command })).await
    }

    /// Submits a command, and responds with the state right after it.
    pub(super) async fn answer(&self, status: StatusCode, command: Result<Command, Failure>) -> Answered {
        render(status, self.operate(command).await?)
    }

    /// Submits or proposes a command, and responds with the state right after it or with the proposal.
    pub(super) async fn answer_or_propose(
        &self,
        status: StatusCode,
        command: Result<Command, Failure>,
    ) -> Answered {
        render(status, self.operate_or_propose(command).await?)
    }

    /// Whether the log has these rules or newer ones, to know which commands it takes.
    pub(super) fn has_rules(&self, rules: u32) -> bool {
        self.app.writing().sequencer().writer_status().rules() >= rules
    }

    /// The first answer to this request, if it repeats another.
    async fn first_answer(&self) -> Result<Option<Shown>, Failure> {
        let Some(key) = &self.idempotency else { return Ok(None) };
        let found = self.app.writing().find_operators_answer(key).await?;
        if found.is_some() {
            note(Meter::note_replayed);
        }
        Ok(found)
    }

    async fn submit(&self, command: Command) -> Result<Shown, Failure> {
        pictures::name(&self.app, &command).await?;
        note(|meter| meter.note_command(view::command::id(&command)));
        let Operated { shown, is_replayed } =
            self.app.writing().operate(self.operator.0, self.idempotency, command).await?;
        if is_replayed {
            note(Meter::note_replayed);
        }
        Ok(shown)
    }

    /// Under the first rules an operator's command is tried, and proposed once it is refused for the want of another person.
    async fn operate_then_propose(&self, id: ProposalId, command: Command) -> Result<Shown, Failure> {
        note(|meter| meter.note_command(view::command::id(&command)));
        // Verdicts are proposed with evidence, on a separate route.
        let is_proposable = self.app.reading().read_state().is_proposable(&command);
        let answer = self.app.writing().submit(self.operator.actor(), None, command.clone()).await?;
        let needs_another = matches!(
            answer.result,
            Err(Reject::NeedsProposal | Reject::OverEntryCap { .. } | Reject::OverDayCap { .. })
        );
        if !needs_another || !is_proposable {
            return self.app.writing().shown(answer);
        }
        let subject = Subject::Command(Box::new(command));
        self.submit(Command::Propose(Propose { id, subject, evidence: Evidence::default() })).await
    }
}

fn note(note: impl FnOnce(&Meter)) {
    if let Some(meter) = meter::current() {
        note(&meter);
    }
}

const PROPOSED: &str =
    "Nothing has happened yet: an approver finalises the proposal; another person where two are required";

/// The response that shows a state, for commands whose response shows nothing else. `status` is that of a command which was
/// carried out.
pub(super) fn render(status: StatusCode, shown: Shown) -> Answered {
    Ok(match shown {
        Shown::Proposed { proposal: proposal_id, final_from } => {
            json(StatusCode::ACCEPTED, &Proposed { proposal_id, final_from, message: PROPOSED.to_owned() })
        }
        Shown::Event(event) => json(status, &event),
        Shown::Events(events) => json(status, &EventStates { events }),
        Shown::Series(series) => json(status, &series),
        Shown::Operator(operator) => json(status, &operator),
        Shown::Wallet { wallet, repeated: replayed } => json(status, &Transferred { wallet, replayed }),
        Shown::FeesMoved { repeated: replayed } => json(status, &MovedFees { replayed }),
        Shown::OrdersCancelled(cancelled) => json(status, &CancelledOrders { cancelled }),
        Shown::Policy(policy) => json(status, &policy),
        Shown::CancelOnly(cancel_only) => json(status, &cancel_only),
        Shown::Proposals { pending: proposals, .. } => json(status, &Proposals { proposals }),
        Shown::ResultsFinalised(finalised) => json(status, &FinalisedSeries { finalised }),
        // Their handlers add to them.
        Shown::Nothing
        | Shown::Assets(_)
        | Shown::User(_)
        | Shown::Rules { .. }
        | Shown::News(_)
        | Shown::NewsRemoved { .. } => return Err(ErrorBody::internal().into()),
    })
}
