//! `drill_upgrade`: the command that the next version adds, so that a rolling upgrade can be tested before there is a next
//! version (`next.rs`).
//!
//! The rules after the newest ones include the command. It stores a number, which only the next form of the state encodes
//! and the next digest hashes.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DrillUpgrade {
    #[n(0)]
    pub number: u64,
}

impl Exchange {
    pub(crate) fn drill_upgrade(&mut self, _: Caller, command: &DrillUpgrade) -> Result<Reply, Reject> {
        self.drill = command.number;
        Ok(Reply::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{
        decode_request, decode_snapshot, encode_request, encode_snapshot, encode_snapshot_in_first_form,
    };
    use crate::command::{Command, Request, UpgradeRules};
    use crate::identity::Actor;
    use crate::time::Time;
    use crate::undecidable::Undecidable;

    const NOW: u32 = Exchange::RULES_VERSION;
    const NEXT: u32 = NOW + 1;

    fn give(exchange: &mut Exchange, command: Command) -> Result<Result<Reply, Reject>, Undecidable> {
        exchange.apply(Time::from_seconds(1), &Request { actor: Actor::System, idempotency: None, command })
    }

    fn upgrade(exchange: &mut Exchange, version: u32) {
        let upgraded = give(exchange, Command::UpgradeRules(UpgradeRules { version }));
        upgraded.expect("rules of this build").expect("newer rules");
    }

    fn drill(number: u64) -> Command {
        Command::DrillUpgrade(DrillUpgrade { number })
    }

    #[test]
    fn a_command_of_newer_rules_cannot_be_decided_before_the_upgrade() {
        let mut exchange = Exchange::new();
        upgrade(&mut exchange, NOW);
        let (seq, digest) = (exchange.seq(), exchange.digest());
        let undecided = give(&mut exchange, drill(7));
        let expected = Undecidable::NewerCommand { name: "drill_upgrade", rules: NEXT, current: NOW };
        assert_eq!(
            undecided.expect_err("the newest rules do not include it").to_string(),
            expected.to_string()
        );
        assert_eq!((exchange.seq(), exchange.digest()), (seq, digest), "nothing changed");
        upgrade(&mut exchange, NEXT);
        give(&mut exchange, drill(7)).expect("the next rules include it").expect("it is done");
        assert_eq!(exchange.drill, 7);
    }

    #[test]
    fn the_digest_moves_with_the_rules_and_not_with_the_build() {
        let mut exchange = Exchange::new();
        upgrade(&mut exchange, NOW);
        assert_eq!(exchange.digest_version(), 1);
        let before = exchange.digest();
        // State that only newer rules can fill is not part of the older digest.
        let mut filled = exchange.clone();
        filled.drill = 7;
        assert_eq!(filled.digest(), before);
        upgrade(&mut exchange, NEXT);
        assert_eq!(exchange.digest_version(), 2);
        let before = exchange.digest();
        exchange.drill = 7;
        assert_ne!(exchange.digest(), before);
    }

    #[test]
    fn a_snapshot_of_the_build_before_is_read_and_has_the_digest_it_had() {
        let mut exchange = Exchange::new();
        upgrade(&mut exchange, NOW);
        let older = encode_snapshot_in_first_form(&exchange);
        assert_eq!(
            older[8] + 1,
            encode_snapshot(&exchange)[8],
            "the previous build writes the previous form"
        );
        let read = decode_snapshot(&older).expect("a snapshot in the previous form");
        assert_eq!((read.digest(), read.drill), (exchange.digest(), 0));
        let again = decode_snapshot(&encode_snapshot(&read)).expect("a snapshot in the newest form");
        assert_eq!(again.digest(), exchange.digest());
    }

    #[test]
    fn drill_upgrade_comes_back_from_its_bytes() {
        let request = Request { actor: Actor::System, idempotency: None, command: drill(9) };
        let mut bytes = Vec::new();
        encode_request(&request, &mut bytes);
        assert_eq!(decode_request(&bytes).expect("a request"), request);
    }
}
