//! Writes: submits commands to the sequencer and returns their responses, once per idempotency key.
//!
//! `in_flight` refuses a second request with a key that is being processed. `closed_orders` and `retired_markets`
//! correct "not found" answers from history.

mod closed_orders;
mod in_flight;
mod retired_markets;

use std::sync::Arc;

use api::error::ErrorBody;
use bytes::Bytes;
use exchange::Request;
use exchange::command::Command;
use exchange::idempotency::IdempotencyKey;
use exchange::identity::Actor;
use exchange::index::UserIndex;
use exchange::reject::Reject;
use exchange::reply::Reply;
use uuid::Uuid;

use crate::failure::Failure;
use crate::history::HistoryError;
use crate::pipeline::clock::Clock;
use crate::pipeline::sequencer::{Answer, Sequencer, SubmitError};
use crate::pipeline::state::Shared;
use crate::reading::{Reading, note_sequence};
use crate::respond::{Shape, respond};
use crate::view;
use closed_orders::NamedOrders;
use in_flight::InFlight;
use retired_markets::RetirableSubject;

/// Writes of a node.
#[derive(Debug)]
pub struct Writing {
    shared: Arc<Shared>,
    sequencer: Sequencer,
    reading: Arc<Reading>,
    clock: Arc<dyn Clock>,
    in_flight: InFlight,
}

/// The response to a write.
#[derive(Debug)]
pub(crate) struct WriteResponse {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    /// The response is the stored one of an earlier request with the same idempotency key.
    pub(crate) is_replayed: bool,
}

impl Writing {
    pub(crate) fn new(sequencer: Sequencer, reading: Arc<Reading>, clock: Arc<dyn Clock>) -> Writing {
        let shared = reading.shared().clone();
        Writing { shared, sequencer, reading, clock, in_flight: InFlight::default() }
    }

    /// The queue of the writer, for requests that need no response.
    pub fn sequencer(&self) -> &Sequencer {
        &self.sequencer
    }

    /// Whether a request with this idempotency key has been decided.
    pub(crate) fn has_answered(&self, key: &IdempotencyKey) -> bool {
        self.shared.read().memory().find(key).is_some()
    }

    /// Submits a user's command and returns the response, or the stored response of an earlier request with this key.
    pub(crate) async fn write(
        &self,
        user: UserIndex,
        actor: Actor,
        idempotency: Option<IdempotencyKey>,
        command: Command,
    ) -> Result<WriteResponse, Failure> {
        let _reservation = match &idempotency {
            Some(key) => Some(self.in_flight.reserve(key).ok_or_else(|| {
                ErrorBody::conflict("A request with this Idempotency-Key is still in flight; retry shortly")
            })?),
            None => None,
        };
        self.check_taken(idempotency.as_ref(), &command)?;
        let (shape, named, subject) =
            (Shape::of(&command), NamedOrders::by(&command), RetirableSubject::of(&command));
        let answer = self.submit(actor, idempotency, command).await?;
        // These rejections carry `Retry-After`, which a stored body cannot.
        if let Err(
            reject @ (Reject::TooManyIdempotencyKeys | Reject::LimitReached { .. } | Reject::CancelOnly),
        ) = &answer.result
        {
            return Err(view::refusal(reject, answer.at.micros()).into());
        }
        let replayed = match answer.result {
            Ok(Reply::Replayed { seq }) => Some(seq),
            _ => None,
        };
        if replayed.is_none() {
            note_sequence(answer.seq);
        }
        let (status, body) = match (replayed, answer.written) {
            (Some(first), _) => self.first_answer(first, answer.seq).await?,
            (None, Some(written)) => (written.status, written.body),
            (None, None) => {
                let (status, body) = respond(&self.shared.read(), shape, &answer.result);
                (status, body.into())
            }
        };
        let (status, body) = self.correct_closed_orders(user, answer.seq, &named, status, body).await?;
        let (status, body) = self.correct_retired(&subject, shape, status, body).await?;
        Ok(WriteResponse { status, body, is_replayed: replayed.is_some() })
    }

    /// In cancel-only mode, refuses commands that the rules would reject, without journaling them. Replays still pass.
    fn check_taken(&self, idempotency: Option<&IdempotencyKey>, command: &Command) -> Result<(), Failure> {
        if !self.shared.is_cancel_only() || !command.adds_risk() {
            return Ok(());
        }
        if idempotency.is_some_and(|key| self.has_answered(key)) {
            return Ok(());
        }
        Err(self.refuse(&Reject::CancelOnly))
    }

    /// The stored response of the first request with this key.
    async fn first_answer(&self, first: u64, now: u64) -> Result<(u16, Bytes), Failure> {
        let unavailable = |error: HistoryError| {
            tracing::error!(%error, "cannot read a stored response");
            Failure::from(ErrorBody::unavailable("The first answer cannot be read right now", 1))
        };
        self.reading.history().wait_for(now).await.map_err(unavailable)?;
        let stored = self.reading.history().reply(first).await.map_err(unavailable)?;
        let (status, body) =
            stored.ok_or_else(|| ErrorBody::unavailable("The first answer is not there yet", 1))?;
        Ok((status, body.into()))
    }

    /// Submits a command and returns its decision; a rejection by the rules is a decision too.
    pub async fn submit(
        &self,
        actor: Actor,
        idempotency: Option<IdempotencyKey>,
        command: Command,
    ) -> Result<Answer, Failure> {
        let named = view::command::id(&command);
        match self.sequencer.submit(Request { actor, idempotency, command }).await {
            Ok(answer) => Ok(answer),
            Err(SubmitError::Busy) => Err(ErrorBody::unavailable("Too many requests are waiting", 1).into()),
            Err(SubmitError::LogUnavailable) => {
                let message = "The log's database is away: nothing was written";
                Err(ErrorBody::unavailable(message, 1).into())
            }
            Err(SubmitError::NewerRules) => {
                let message = "This needs newer rules than the log has: an operator upgrades them first. Nothing was written";
                Err(ErrorBody::conflict(message).into())
            }
            Err(SubmitError::WrongClock) => {
                let message = "The machine's clock has run ahead: nothing was written";
                Err(ErrorBody::unavailable(message, 5).into())
            }
            Err(SubmitError::Stopping) => {
                let message = "The exchange takes no writes right now: nothing was written";
                Err(ErrorBody::unavailable(message, 5).into())
            }
            Err(SubmitError::Unknown) => {
                let command_id = named.unwrap_or_else(Uuid::now_v7);
                tracing::error!(%command_id, "the outcome of a request is unknown");
                Err(ErrorBody::outcome_unknown(command_id).into())
            }
        }
    }

    /// Converts a rejection to an error response.
    pub fn refuse(&self, reject: &Reject) -> Failure {
        view::refusal(reject, self.clock.now()).into()
    }

    /// The reply, or the rejection as an error response. `Retry-After` is computed from the journal's time of the
    /// decision.
    pub fn reply(&self, answer: Answer) -> Result<Reply, Failure> {
        answer.result.map_err(|reject| view::refusal(&reject, answer.at.micros()).into())
    }

    /// Like `reply`, for a request's last command: sets `x-sequence`, so that the client can wait for it on another
    /// node.
    pub fn written(&self, answer: Answer) -> Result<Reply, Failure> {
        note_sequence(answer.seq);
        self.reply(answer)
    }
}
