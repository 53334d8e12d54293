//! Writes: submits commands to the sequencer and returns their responses, once per idempotency key.
//!
//! `in_flight` refuses a second request with a key that is being processed. `closed_orders` and `retired_markets`
//! correct "not found" answers from history.

mod closed_orders;
mod in_flight;
mod retired_markets;

use std::sync::Arc;

use api::error::ErrorBody;
use api::json::Decimals;
use bytes::Bytes;
use exchange::Request;
use exchange::command::Command;
use exchange::id::OperatorId;
use exchange::idempotency::IdempotencyKey;
use exchange::identity::Actor;
use exchange::index::UserIndex;
use exchange::reject::Reject;
use exchange::reply::Reply;
use uuid::Uuid;

use crate::failure::Failure;
use crate::history::HistoryError;
use crate::identifiers::new_id;
use crate::pipeline::clock::Clock;
use crate::pipeline::sequencer::{Answer, Sequencer, SubmitError, Submitted};
use crate::pipeline::state::Shared;
use crate::reading::{Reading, note_own_write, note_sequence};
use crate::respond::stored::OperatorsAnswer;
use crate::respond::{Content, Shape, Shown, stored};
use crate::signals::refusals::{RefusalCounters, RefusalReason};
use crate::view;
use in_flight::{InFlight, Reservation};

/// Writes of a node.
#[derive(Debug)]
pub struct Writing {
    shared: Arc<Shared>,
    sequencer: Sequencer,
    reading: Arc<Reading>,
    clock: Arc<dyn Clock>,
    in_flight: InFlight,
    refusals: Arc<RefusalCounters>,
}

/// The response to a write.
#[derive(Debug)]
pub(crate) struct WriteResponse {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
    /// The response is the stored one of an earlier request with the same idempotency key.
    pub(crate) is_replayed: bool,
}

/// A checked write, before it is submitted.
#[derive(Debug)]
pub(crate) struct OpenWrite {
    pub(crate) request: Request,
    pub(crate) receipt: WriteReceipt,
}

/// The part of a write that stays with its caller until the response. It reserves the idempotency key.
#[derive(Debug)]
pub(crate) struct WriteReceipt {
    user: UserIndex,
    command_id: Option<Uuid>,
    decimals: Decimals,
    _reservation: Option<Reservation>,
}

impl WriteReceipt {
    /// The id of the order or other object that the command creates or changes.
    pub(crate) fn command_id(&self) -> Option<Uuid> {
        self.command_id
    }
}

/// The answer to an operator's command.
#[derive(Debug)]
pub(crate) struct Operated {
    /// The state right after the command.
    pub(crate) shown: Shown,
    /// The answer is the stored one of an earlier request with the same idempotency key.
    pub(crate) is_replayed: bool,
}

/// The first rules under which operators' requests have idempotency keys.
const KEYS_OF_OPERATORS_SINCE: u32 = 4;

/// What follows from an answer.
#[derive(Debug)]
pub(crate) enum Decided {
    Response(WriteResponse),
    Incomplete(Box<IncompleteResponse>),
}

/// A response that needs history.
#[derive(Debug)]
pub(crate) struct IncompleteResponse {
    seq: u64,
    command: Command,
    /// `Err`: the sequence of the first request with this idempotency key, whose response is repeated.
    content: Result<Content, u64>,
}

impl Writing {
    pub(crate) fn new(sequencer: Sequencer, reading: Arc<Reading>, clock: Arc<dyn Clock>) -> Writing {
        let shared = reading.shared().clone();
        let (in_flight, refusals) = (InFlight::default(), Arc::default());
        Writing { shared, sequencer, reading, clock, in_flight, refusals }
    }

    /// The queue of the writer, for requests that need no response.
    pub fn sequencer(&self) -> &Sequencer {
        &self.sequencer
    }

    /// Refusals of all requests of the node.
    pub(crate) fn refusals(&self) -> &Arc<RefusalCounters> {
        &self.refusals
    }

    /// Whether a request with this idempotency key has been decided.
    pub(crate) fn has_answered(&self, key: &IdempotencyKey) -> bool {
        self.shared.read().memory().find(key).is_some()
    }

    /// Checks a user's command. `decimals` is their form in the response.
    pub(crate) fn begin(
        &self,
        user: UserIndex,
        actor: Actor,
        idempotency: Option<IdempotencyKey>,
        command: Command,
        decimals: Decimals,
    ) -> Result<OpenWrite, Failure> {
        let reservation = self.reserve(idempotency.as_ref())?;
        self.check_taken(idempotency.as_ref(), &command)?;
        let rules = self.sequencer.writer_status().rules();
        let idempotency = idempotency.map(|key| within_rules(key, rules));
        let command_id = view::command::id(&command);
        let receipt = WriteReceipt { user, command_id, decimals, _reservation: reservation };
        Ok(OpenWrite { request: Request { actor, idempotency, command }, receipt })
    }

    /// At most one request with a key is open on this node.
    fn reserve(&self, key: Option<&IdempotencyKey>) -> Result<Option<Reservation>, Failure> {
        let Some(key) = key else { return Ok(None) };
        let conflict = "A request with this Idempotency-Key is still in flight; retry shortly";
        self.in_flight.reserve(key).map(Some).ok_or_else(|| ErrorBody::conflict(conflict).into())
    }

    /// Submits a command and returns the response, or the stored response of an earlier request with its key.
    pub(crate) async fn carry_out(&self, open: OpenWrite) -> Result<WriteResponse, Failure> {
        let (submitted, decided_at) = self.sequencer.submit_timed(open.request).await;
        let response = match self.decide_response(&open.receipt, submitted) {
            Ok(Decided::Response(response)) => Ok(response),
            Ok(Decided::Incomplete(incomplete)) => self.complete(&open.receipt, incomplete).await,
            Err(failure) => Err(failure),
        };
        let stages = self.sequencer.writer_status().stages();
        if let Some(decided_at) = decided_at.filter(|_| stages.is_on()) {
            stages.answer.record_duration(decided_at.elapsed());
        }
        response
    }

    /// The response to a submitted command, if it follows from the answer alone.
    pub(crate) fn decide_response(
        &self,
        receipt: &WriteReceipt,
        submitted: Submitted,
    ) -> Result<Decided, Failure> {
        let Answer { seq, at, command, result, shown: _ } =
            submitted.map_err(|error| submit_failure(error, receipt.command_id))?;
        // These rejections carry `Retry-After`, which a stored body cannot.
        if let Err(
            reject @ (Reject::TooManyIdempotencyKeys | Reject::LimitReached { .. } | Reject::CancelOnly),
        ) = &result
        {
            return Err(view::refusal(reject, at.micros()).into());
        }
        let content = match result {
            Ok(Reply::Replayed { seq: first }) => {
                note_sequence(first);
                let incomplete = IncompleteResponse { seq, command, content: Err(first) };
                return Ok(Decided::Incomplete(Box::new(incomplete)));
            }
            Err(reject) => {
                let body = view::refusal(&reject, at.micros());
                self.refusals.record(RefusalReason::from(&body));
                Content::refusal(&body)
            }
            reply => Content::of(Shape::of(&command), reply, at),
        };
        note_sequence(seq);
        if content.may_be_corrected() {
            let incomplete = IncompleteResponse { seq, command, content: Ok(content) };
            return Ok(Decided::Incomplete(Box::new(incomplete)));
        }
        let (status, body) = content.render(receipt.decimals);
        Ok(Decided::Response(WriteResponse { status, body: body.into(), is_replayed: false }))
    }

    /// Completes a response from history.
    pub(crate) async fn complete(
        &self,
        receipt: &WriteReceipt,
        incomplete: Box<IncompleteResponse>,
    ) -> Result<WriteResponse, Failure> {
        let IncompleteResponse { seq, command, content } = *incomplete;
        let is_replayed = content.is_err();
        let content = match content {
            Ok(content) => content,
            Err(first) => self.first_answer(first, seq).await?,
        };
        let content = self.correct_closed_orders(receipt.user, seq, &command, content).await?;
        let content = self.correct_retired(&command, content).await?;
        let (status, body) = content.render(receipt.decimals);
        Ok(WriteResponse { status, body: body.into(), is_replayed })
    }

    /// Whether only cancels are accepted: by the rules, or because the clock is far behind the journal.
    pub(crate) fn is_cancel_only(&self) -> bool {
        self.shared.is_cancel_only() || self.sequencer.writer_status().is_clock_behind()
    }

    /// While only cancels are accepted, refuses commands that add risk, without journaling them. Replays still pass.
    fn check_taken(&self, idempotency: Option<&IdempotencyKey>, command: &Command) -> Result<(), Failure> {
        if !command.adds_risk() || !self.is_cancel_only() {
            return Ok(());
        }
        if idempotency.is_some_and(|key| self.has_answered(key)) {
            return Ok(());
        }
        Err(self.refuse(&Reject::CancelOnly))
    }

    /// The stored response of the first request with this key.
    async fn first_answer(&self, first: u64, now: u64) -> Result<Content, Failure> {
        stored::decode(&self.stored_answer(first, now).await?).map_err(|error| unreadable(error.into()))
    }

    async fn stored_answer(&self, first: u64, now: u64) -> Result<Vec<u8>, Failure> {
        self.reading.history().wait_for(now).await.map_err(unreadable)?;
        let stored = self.reading.history().answer(first).await.map_err(unreadable)?;
        stored.ok_or_else(|| ErrorBody::unavailable("The first answer is not there yet", 1).into())
    }

    /// Refuses an operator's idempotency key under rules without them.
    pub(crate) fn check_operators_keys(&self) -> Result<(), Failure> {
        match self.sequencer.writer_status().rules() {
            KEYS_OF_OPERATORS_SINCE.. => Ok(()),
            _ => Err(submit_failure(SubmitError::NewerRules, None)),
        }
    }

    /// Submits an operator's command and returns its answer, or that of an earlier request with its key.
    pub(crate) async fn operate(
        &self,
        operator: OperatorId,
        idempotency: Option<IdempotencyKey>,
        command: Command,
    ) -> Result<Operated, Failure> {
        let _reservation = self.reserve(idempotency.as_ref())?;
        let answer = self.submit(Actor::Operator { operator }, idempotency, command).await?;
        let Ok(Reply::Replayed { seq: first }) = answer.result else {
            return Ok(Operated { shown: self.shown(answer)?, is_replayed: false });
        };
        note_own_write(answer.seq);
        let shown = match self.first_operators_answer(first, answer.seq).await? {
            OperatorsAnswer::Shown(shown) => Some(shown),
            OperatorsAnswer::Reply(reply) => Shown::of(&self.shared.read(), &answer.command, &reply),
        };
        Ok(Operated { shown: shown.ok_or_else(ErrorBody::internal)?, is_replayed: true })
    }

    /// What the answer to an operator's command shows, or the rejection as an error response. For a request's last command.
    pub(crate) fn shown(&self, mut answer: Answer) -> Result<Shown, Failure> {
        let shown = answer.shown.take();
        self.written(answer)?;
        shown.map(|shown| *shown).ok_or_else(|| ErrorBody::internal().into())
    }

    /// The answer to the first request with this key and body, if there was one.
    pub(crate) async fn find_operators_answer(&self, key: &IdempotencyKey) -> Result<Option<Shown>, Failure> {
        let (first, now) = {
            let exchange = self.shared.read();
            match exchange.memory().find(key) {
                Some((body, first)) if body == key.body => (first, exchange.seq()),
                _ => return Ok(None),
            }
        };
        match self.first_operators_answer(first, now).await? {
            OperatorsAnswer::Shown(shown) => {
                note_own_write(now);
                Ok(Some(shown))
            }
            OperatorsAnswer::Reply(_) => Ok(None),
        }
    }

    async fn first_operators_answer(&self, first: u64, now: u64) -> Result<OperatorsAnswer, Failure> {
        stored::decode_operators(&self.stored_answer(first, now).await?)
            .map_err(|error| unreadable(error.into()))
    }

    /// Submits a command and returns its decision; a rejection by the rules is a decision too.
    pub async fn submit(
        &self,
        actor: Actor,
        idempotency: Option<IdempotencyKey>,
        command: Command,
    ) -> Result<Answer, Failure> {
        let command_id = view::command::id(&command);
        let submitted = self.sequencer.submit(Request { actor, idempotency, command }).await;
        submitted.map_err(|error| submit_failure(error, command_id))
    }

    /// The reply to a submitted command.
    pub(crate) fn decided(&self, submitted: Submitted, command_id: Option<Uuid>) -> Result<Reply, Failure> {
        self.written(submitted.map_err(|error| submit_failure(error, command_id))?)
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
        note_own_write(answer.seq);
        self.reply(answer)
    }
}

fn unreadable(error: HistoryError) -> Failure {
    tracing::error!(%error, "cannot read a stored response");
    ErrorBody::unavailable("The first answer cannot be read right now", 1).into()
}

/// The key as a log at these rules can have it. Without its window it lives for a day, which is as safe.
fn within_rules(key: IdempotencyKey, rules: u32) -> IdempotencyKey {
    if rules >= 3 { key } else { IdempotencyKey { window: None, ..key } }
}

/// The response to a request without an answer. `command_id` is the id of the object that the command creates.
fn submit_failure(error: SubmitError, command_id: Option<Uuid>) -> Failure {
    let (message, seconds) = match error {
        SubmitError::Busy => ("Too many requests are waiting", 1),
        SubmitError::LogUnavailable => ("The log's database is away: nothing was written", 1),
        SubmitError::WrongClock => ("The machine's clock has run ahead: nothing was written", 5),
        SubmitError::Stopping => ("The exchange takes no writes right now: nothing was written", 5),
        SubmitError::NewerRules => {
            let message = "This needs newer rules than the log has: an operator upgrades them first. Nothing was written";
            return ErrorBody::conflict(message).into();
        }
        SubmitError::Unknown => {
            let command_id = command_id.unwrap_or_else(new_id);
            tracing::error!(%command_id, "the outcome of a request is unknown");
            return ErrorBody::outcome_unknown(command_id).into();
        }
    };
    ErrorBody::unavailable(message, seconds).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use exchange::idempotency::KeyWindow;

    #[test]
    fn under_older_rules_a_key_lives_for_a_day_whatever_its_window() {
        let key = IdempotencyKey { scope: 1, scope_low: 2, body: 3, window: KeyWindow::new(600) };
        assert_eq!(within_rules(key, 3), key);
        for rules in [1, 2] {
            let lived = within_rules(key, rules);
            assert_eq!(lived, IdempotencyKey { window: None, ..key });
            let request = Request { actor: Actor::System, idempotency: Some(lived), command: Command::Tick };
            assert_eq!(request.rules(), 1, "such a log takes it");
        }
    }
}
