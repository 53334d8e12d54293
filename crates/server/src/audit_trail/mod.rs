//! The audit trail: an entry for each request of an operator, and for each of the node's own requests that does an
//! operator's work. Refused requests are recorded too, because attempts matter.
//!
//! `summary` describes a command; history stores the entries (`history/audit.rs`). Secrets are never recorded: no
//! passwords, no tokens, and no hashes of them.

mod summary;

use exchange::Exchange;
use exchange::authority::Authority;
use exchange::command::{Command, DoOrPropose};
use exchange::identity::Actor;
use exchange::reply::Reply;

use crate::applied::Applied;
pub use crate::history::{EntryAuthor, EntrySubject, TrailEntry};
use crate::view::refusal;

/// A summary is for skimming; evidence may be a page long and can be read in the proposal.
const SUMMARY_CHARACTERS_MAX: usize = 400;

/// The name of `Command::Propose`.
const PROPOSE: &str = "propose";

/// The entry of a request just decided; `None` if it does not belong in the audit trail.
pub fn entry(applied: &Applied<'_>) -> Option<TrailEntry> {
    let (command, exchange) = (&applied.request.command, applied.exchange);
    let by = author(exchange, applied.request.actor, command)?;
    let (action, summary::Summary { text, mut names }) = match (command, applied.result) {
        // It has an entry already.
        (_, Ok(Reply::Replayed { .. })) => return None,
        (Command::DoOrPropose(DoOrPropose { proposal, command }), Ok(Reply::Proposed(_))) => {
            (PROPOSE, summary::summarise_proposal(exchange, *proposal, command))
        }
        (Command::DoOrPropose(DoOrPropose { command, .. }), _) => {
            (command.name(), summary::summarise(exchange, command))
        }
        _ => (command.name(), summary::summarise(exchange, command)),
    };
    let already =
        if matches!(applied.result, Ok(Reply::Repeated { .. })) { ", already done before" } else { "" };
    if let EntryAuthor::Operator { id, .. } = by {
        names.push(EntrySubject::Operator(id));
    }
    Some(TrailEntry {
        sequence: applied.seq,
        at: applied.at,
        by,
        action: action.to_owned(),
        refusal: applied.result.as_ref().err().map(|reject| refusal::word(reject).to_owned()),
        summary: shortened(text + already),
        names,
    })
}

/// A short description of a command.
pub(crate) fn summary(exchange: &Exchange, command: &Command) -> String {
    shortened(summary::summarise(exchange, command).text)
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(SUMMARY_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn author(exchange: &Exchange, actor: Actor, command: &Command) -> Option<EntryAuthor> {
    match actor {
        Actor::Operator { operator } => {
            let mut operators = exchange.directory().operators();
            let known = operators.find(|known| known.id == operator);
            let known = known.map(|known| (known.name.to_string(), known.role));
            Some(EntryAuthor::Operator { id: operator, known })
        }
        Actor::System => is_operators_work(command).then_some(EntryAuthor::Node),
        Actor::Key { .. } | Actor::Session { .. } => None,
    }
}

/// Whether a request of the node belongs in the audit trail. Ticks, logins and prices of feeds do not.
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
