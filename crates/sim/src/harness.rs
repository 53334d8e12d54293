//! Applies requests to one exchange with all checks enabled: state, changes, books, money.
//!
//! Due timers are fired by a separate `Tick` first, so that a command's changes are only its own.

use std::borrow::Cow;

use exchange::Exchange;
use exchange::codec::{decode_request, decode_snapshot, encode_request, encode_snapshot};
use exchange::command::{Command, DoOrPropose, Propose, Request};
use exchange::governance::{Evidence, Subject};
use exchange::identity::Actor;
use exchange::invariants;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;

use crate::checks::{
    Before, CashBook, ErasedBook, FrozenBook, KeyBook, OperatorBook, PriceBook, check_transition,
};
use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};
use crate::quotes::Quotes;
use crate::shadow::Shadow;

const REFUSAL: &str = "14 a refused or repeated command changes nothing but its own record";
const TWIN: &str = "13 a restored exchange behaves like the original";
const REPLAY: &str = "13 the journal replays to the same digest";

#[derive(Clone, Debug, Default)]
pub struct Harness {
    pub exchange: Exchange,
    pub shadow: Shadow,
    pub counts: Counts,
    /// All applied requests, including ticks.
    pub journal: Vec<(Time, Request)>,
    before: Before,
    cash: CashBook,
    recount: invariants::Recount,
    prices: PriceBook,
    keys: KeyBook,
    operators: OperatorBook,
    frozen: FrozenBook,
    erased: ErasedBook,
    /// A copy restored from a snapshot, which applies the same requests.
    twin: Option<Box<Exchange>>,
}

fn tick() -> Request {
    Request { actor: Actor::System, idempotency: None, command: Command::Tick }
}

/// The request for which `DoOrPropose` stands: its command, or the proposal that it led to. The checks know only those.
fn as_done<'a>(request: &'a Request, result: &Result<Reply, Reject>) -> Cow<'a, Request> {
    let Command::DoOrPropose(DoOrPropose { proposal, command }) = &request.command else {
        return Cow::Borrowed(request);
    };
    let command = match result {
        Ok(Reply::Proposed(_)) => Command::Propose(Propose {
            id: *proposal,
            subject: Subject::Command(command.clone()),
            evidence: Evidence::default(),
        }),
        _ => Command::clone(command),
    };
    Cow::Owned(Request { command, ..request.clone() })
}

fn as_answered(result: Result<Reply, Reject>) -> Result<Reply, Reject> {
    match result {
        Ok(Reply::Proposed(_)) => Ok(Reply::Done),
        result => result,
    }
}

impl Harness {
    pub fn step(&mut self, at: Time, request: &Request) -> Result<Result<Reply, Reject>, Failure> {
        if request.command != Command::Tick && self.is_due(at) {
            // A tick is never refused, and its checks ran in `one`.
            let _ = self.one(at, &tick())?;
        }
        self.one(at, request)
    }

    fn is_due(&self, at: Time) -> bool {
        self.exchange.next_due().is_some_and(|due| due <= at.max(self.exchange.now()))
    }

    fn one(&mut self, at: Time, request: &Request) -> Result<Result<Reply, Reject>, Failure> {
        self.journal.push((at, request.clone()));
        self.before.look(&self.exchange);
        let purse = self.shadow.purse(&self.exchange, request);
        let quotes = Quotes::ask(&self.exchange, request);
        let peer = (self.journal.len().is_multiple_of(8) && !self.is_due(at)).then(|| self.exchange.clone());
        let result = self.exchange.apply(at, request).expect("a request of this build");
        self.counts.answered(&request.command, result.is_ok());
        self.follow_twin(at, request, &result)?;
        let answered = result.clone();
        let (request, result) = (&as_done(request, &result), as_answered(result));
        invariants::check_all(&self.exchange)?;
        check_transition(&self.before, &self.exchange, &self.shadow, request, &result)?;
        self.shadow.follow(&self.exchange, request, &result, purse, &mut self.counts)?;
        self.cash.follow(&self.exchange)?;
        self.recount.follow(self.exchange.changes());
        self.recount.check(&self.exchange)?;
        self.prices.follow(&self.exchange, request)?;
        self.operators.follow(&self.exchange, &self.prices, request, &result, &mut self.counts)?;
        self.frozen.follow(&self.before, &self.exchange, request, &result, &mut self.counts)?;
        self.erased.follow(&self.before, &self.exchange, request, &result, &mut self.counts)?;
        self.keys.follow(&self.exchange, request, &result)?;
        quotes.compare(&result, &mut self.counts)?;
        if let Some(peer) = peer {
            self.compare_refusal(peer, at, request, &result)?;
        }
        crate::rare::note_rare(&mut self.counts, &self.exchange, &self.before, request, &result);
        Ok(answered)
    }

    /// After a refusal, the state must equal that of a copy that only received the time.
    fn compare_refusal(
        &mut self,
        mut peer: Exchange,
        at: Time,
        request: &Request,
        result: &Result<Reply, Reject>,
    ) -> Result<(), Failure> {
        let spends_allowance = matches!(
            request.command,
            Command::CreateApiKey(_) | Command::RevokeApiKey(_) | Command::RotateApiKey(_)
        );
        let changes_nothing = match result {
            Ok(Reply::Replayed { .. }) => true,
            Ok(Reply::Repeated { .. }) => request.idempotency.is_none(),
            Ok(_) => false,
            Err(_) => !spends_allowance && !request.is_remembered(result),
        };
        if !changes_nothing {
            return Ok(());
        }
        self.counts.note(Rare::RefusalCompared);
        let told = peer.apply(at, &tick()).expect("a request of this build");
        let same =
            told.is_ok() && peer.digest() == self.exchange.digest() && self.exchange.changes().is_empty();
        ensure(same, REFUSAL, || format!("{request:?} was answered {result:?}"))
    }

    fn follow_twin(
        &mut self,
        at: Time,
        request: &Request,
        result: &Result<Reply, Reject>,
    ) -> Result<(), Failure> {
        let Some(twin) = &mut self.twin else { return Ok(()) };
        let answer = twin.apply(at, request).expect("a request of this build");
        ensure(answer == *result, TWIN, || format!("answered {answer:?}, not {result:?}"))?;
        // Timers are not part of a snapshot; they must follow from the rest.
        let (due, twin_due) = (self.exchange.next_due(), twin.next_due());
        ensure(twin_due == due, TWIN, || format!("is due at {twin_due:?}, not {due:?}"))?;
        ensure(twin.changes() == self.exchange.changes(), TWIN, || {
            format!("did {:?}, not {:?}", twin.changes(), self.exchange.changes())
        })
    }

    /// Encodes and restores a snapshot and compares; the restored copy then applies the same requests.
    pub fn restore(&mut self) -> Result<(), Failure> {
        let digest = self.exchange.digest();
        if let Some(twin) = &self.twin {
            ensure(twin.digest() == digest, TWIN, || "the digests differ".to_owned())?;
        }
        let bytes = encode_snapshot(&self.exchange);
        let restored = decode_snapshot(&bytes).map_err(|error| Failure::new(TWIN, error))?;
        ensure(restored.digest() == digest, TWIN, || "a restored snapshot has another digest".to_owned())?;
        ensure(encode_snapshot(&restored) == bytes, TWIN, || {
            "a restored snapshot encodes differently".to_owned()
        })?;
        invariants::check_all(&restored)?;
        self.twin = Some(Box::new(restored));
        self.counts.note(Rare::Restored);
        Ok(())
    }

    /// Decodes and applies the whole journal again.
    pub fn replay(&self) -> Result<(), Failure> {
        let mut replayed = Exchange::new();
        let mut bytes = Vec::new();
        for (at, request) in &self.journal {
            bytes.clear();
            encode_request(request, &mut bytes);
            let decoded = decode_request(&bytes).map_err(|error| Failure::new(REPLAY, error))?;
            ensure(decoded == *request, REPLAY, || format!("{request:?} was read as {decoded:?}"))?;
            // The results were checked before; only the state matters here.
            let _ = replayed.apply(*at, &decoded).expect("a request of this build");
        }
        ensure(replayed.digest() == self.exchange.digest(), REPLAY, || "the digests differ".to_owned())
    }
}
