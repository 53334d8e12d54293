//! One request is decided and whoever observes is told, live and in a replay alike. If the rules break on it, the log names it:
//! a restart will meet it at the same place.

use std::thread;

use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Exchange, Request};

use crate::sequencer::Applied;

/// What is being decided. Dropped by a panic, it says so.
struct Deciding<'a> {
    sequence: u64,
    request: &'a Request,
}

/// `observe` learns what came of it, and what changed.
pub fn decide(
    exchange: &mut Exchange,
    at: Time,
    request: &Request,
    observe: impl FnOnce(&Applied<'_>),
) -> Result<Reply, Reject> {
    let _deciding = Deciding { sequence: exchange.seq() + 1, request };
    let result = exchange.apply(at, request);
    observe(&Applied {
        seq: exchange.seq(),
        at: exchange.now(),
        request,
        result: &result,
        changes: exchange.changes(),
        exchange,
    });
    result
}

impl Deciding<'_> {
    /// The command's name alone: what it carries may be nobody else's business.
    fn name(&self) -> String {
        let all = format!("{:?}", self.request.command);
        all.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default().to_owned()
    }
}

impl Drop for Deciding<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            tracing::error!(
                sequence = self.sequence,
                command = self.name(),
                "this build cannot decide this command, which is in the journal: nothing behind it was decided or answered"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use exchange::command::Command;
    use exchange::id::{OrderId, UserId};
    use exchange::identity::Actor;
    use exchange::text::Text;

    use super::*;

    #[test]
    fn a_command_is_named_without_what_it_carries() {
        let named = |command| {
            let request = Request { actor: Actor::System, idempotency: None, command };
            Deciding { sequence: 1, request: &request }.name()
        };
        let user = Command::CreateUser {
            id: UserId::new(1),
            email: Text::from("ada@example.com"),
            tag: Text::from("ada"),
            password_hash: None,
        };
        assert_eq!(named(user), "CreateUser");
        assert_eq!(named(Command::Tick), "Tick");
        assert_eq!(named(Command::CancelOrder { order: OrderId::new(1) }), "CancelOrder");
    }
}
