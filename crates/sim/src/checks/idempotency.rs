//! Rule 14 for repeated keys: the results must agree with a simple independent record of keys.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::command::Request;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::{Span, Time};

use crate::failure::{Failure, ensure};

pub const REPEATED: &str = "14 a repeated key is answered from memory, a new one is not";
const REMEMBERED_FOR: Span = Span::hours(24);

#[derive(Clone, Copy, Debug)]
struct First {
    body: u64,
    seq: u64,
    until: Time,
}

#[derive(Clone, Debug, Default)]
pub struct KeyBook {
    firsts: BTreeMap<(u64, u64), First>,
}

impl KeyBook {
    /// Call it after `exchange` has applied the request.
    pub fn follow(
        &mut self,
        exchange: &Exchange,
        request: &Request,
        result: &Result<Reply, Reject>,
    ) -> Result<(), Failure> {
        let Some(key) = request.idempotency else { return Ok(()) };
        if let Err(Reject::UnknownKey | Reject::StaleKey | Reject::UnknownSession) = result {
            return Ok(());
        }
        if let Err(Reject::UserSuspended | Reject::UserFrozen | Reject::NotAllowed) = result {
            return Ok(());
        }
        if let Err(Reject::UnknownOperator | Reject::OperatorSuspended) = result {
            return Ok(());
        }
        let scope = (key.scope, key.scope_low);
        let is_alive = |first: &&First| first.until > exchange.now();
        let first = self.firsts.get(&scope).filter(is_alive).copied();
        let answered = match result {
            Ok(Reply::Replayed { seq }) => Some(Ok(*seq)),
            Err(Reject::IdempotencyMismatch) => Some(Err(())),
            _ => None,
        };
        let expected = first.map(|first| if first.body == key.body { Ok(first.seq) } else { Err(()) });
        ensure(answered == expected, REPEATED, || {
            format!("{key:?} was answered {result:?}, known: {first:?}")
        })?;
        let is_kept = answered.is_none() && request.is_remembered(result);
        if is_kept {
            let window =
                key.window.map_or(REMEMBERED_FOR, |window| Span::seconds(i64::from(window.seconds())));
            let until = exchange.now() + window;
            self.firsts.insert(scope, First { body: key.body, seq: exchange.seq(), until });
        }
        Ok(())
    }
}
