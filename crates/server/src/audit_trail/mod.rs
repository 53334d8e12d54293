//! Who did what to the venue: an entry for each request of an operator, and for each of the node's own that does an
//! operator's work. Refused ones too: trying is worth knowing.
//!
//! `summary` finds the words; history keeps the entries (`history/audit.rs`). No secret gets here: neither
//! passwords nor tokens nor their hashes.

mod summary;

use exchange::Exchange;
use exchange::authority::Authority;
use exchange::command::Command;
use exchange::id::{EventId, MarketId, OperatorId, ProposalId, UserId};
use exchange::identity::{Actor, Role};
use exchange::time::Time;

use crate::sequencer::Applied;
use crate::view::refusal;

/// A line is for looking over; evidence may be a page long, and stands where everyone can read it.
const SUMMARY_CHARACTERS_MAX: usize = 400;

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub sequence: u64,
    pub at: Time,
    pub by: By,
    /// The command's name.
    pub action: String,
    /// Why it was refused, in a word, if it was.
    pub refusal: Option<String>,
    /// What was asked for, in words.
    pub summary: String,
    pub names: Vec<Name>,
}

/// Who asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    Node,
    /// Name and role at the time; none of an operator whom the exchange does not know.
    Operator {
        id: OperatorId,
        known: Option<(String, Role)>,
    },
}

/// What an entry is about: it is found under each of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    User(UserId),
    Event(EventId),
    Market(MarketId),
    /// Who asked, or who was meant.
    Operator(OperatorId),
    Proposal(ProposalId),
}

impl Entry {
    /// The entry of a request that was just decided; none if it is no operator's business.
    pub fn of(applied: &Applied<'_>) -> Option<Entry> {
        let (command, exchange) = (&applied.request.command, applied.exchange);
        let by = author(exchange, applied.request.actor, command)?;
        let summary::Told { text, mut names } = summary::told(exchange, command);
        if let By::Operator { id, .. } = by {
            names.push(Name::Operator(id));
        }
        Some(Entry {
            sequence: applied.seq,
            at: applied.at,
            by,
            action: command.name().to_owned(),
            refusal: applied.result.as_ref().err().map(|reject| refusal::word(reject).to_owned()),
            summary: shortened(text),
            names,
        })
    }
}

/// What a command does, in a few words.
pub(crate) fn summary(exchange: &Exchange, command: &Command) -> String {
    shortened(summary::told(exchange, command).text)
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(SUMMARY_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn author(exchange: &Exchange, actor: Actor, command: &Command) -> Option<By> {
    match actor {
        Actor::Operator { operator } => {
            let mut operators = exchange.directory().operators();
            let known = operators.find(|known| known.id == operator);
            let known = known.map(|known| (known.name.to_string(), known.role));
            Some(By::Operator { id: operator, known })
        }
        Actor::System => is_operators_work(command).then_some(By::Node),
        Actor::Key { .. } | Actor::Session { .. } => None,
    }
}

/// What the node does in an operator's place. The clock, logins and prices of feeds are its own.
const fn is_operators_work(command: &Command) -> bool {
    match command {
        Command::RecordPrice(_) => false,
        Command::UpgradeRules(_)
        | Command::BreakGlass(_)
        | Command::ReplaceMasterKey(_)
        | Command::RecordSkip(_) => true,
        _ => matches!(command.authority(), Authority::Operator | Authority::Approver),
    }
}
