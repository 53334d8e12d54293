//! Operators, the policy, and proposals that wait.

use exchange::command::{
    Command, CreateOperator, CreditWallet, OpenOperatorSession, Propose, RevokeOperator, SuspendOperator,
};
use exchange::governance::{Evidence, Policy, Ruling, Subject, Verdict};
use exchange::identity::Role;
use exchange::numbers::{Currency, Money};
use exchange::order::Outcome;
use exchange::text::Text;

use super::{Script, Sizes};
use crate::ids::{self, Kind};

/// Pending commands of one operator.
const OF_ONE: u32 = 100;

/// Approvers, operators and viewers. Of the last ones some are revoked. Payouts take two persons.
pub fn operators(script: &mut Script, sizes: &Sizes) {
    for number in 0..sizes.operators {
        let role = match number {
            0..ids::FIRST_OPERATOR => Role::Approver,
            number if number < sizes.operators / 2 => Role::Operator,
            _ => Role::Viewer,
        };
        script.system(Command::CreateOperator(CreateOperator {
            id: ids::operator(number),
            name: Text::from(format!("operator {number}")),
            role,
            token_hash: ids::hash("operator", number),
        }));
    }
    for number in sizes.operators - sizes.operators / 4..sizes.operators {
        script.system(Command::RevokeOperator(RevokeOperator { operator: ids::operator(number) }));
    }
    let suspended = ids::operator(ids::SUSPENDED);
    script.system(Command::SuspendOperator(SuspendOperator {
        operator: suspended,
        suspended: true,
        until: None,
    }));
    let policy = Policy { two_required: true, ..Policy::default() };
    script.system(Command::SetPolicy(policy));
}

/// As many commands as may wait, and the outcomes of the elections. Every operator is logged in as often as is kept.
pub fn proposals(script: &mut Script, sizes: &Sizes) {
    let active = sizes.operators - sizes.operators / 4;
    for number in (0..active).filter(|number| *number != ids::SUSPENDED) {
        for place in 0..20 {
            let token_hash = ids::hash(&format!("console {place}"), number);
            script.operator(number, Command::OpenOperatorSession(OpenOperatorSession { token_hash }));
        }
    }
    for number in 0..sizes.proposals {
        let credit = Command::CreditWallet(CreditWallet {
            user: ids::user(ids::POOR),
            currency: Currency::Usd,
            amount: Money::whole(1),
            reference: Text::from(format!("proposed {number}")),
        });
        let (subject, evidence) = (Subject::Command(Box::new(credit)), Evidence::default());
        let propose = Propose { id: ids::proposal(number), subject, evidence };
        script.operator(ids::FIRST_OPERATOR + number / OF_ONE, Command::Propose(propose));
    }
    for number in 0..sizes.elections {
        let outcome = |place| if place == 0 { Outcome::Yes } else { Outcome::No };
        let ruling =
            |place| Ruling { market: ids::market(Kind::Election, number, place), outcome: outcome(place) };
        let verdict = Verdict::Outcomes((0..sizes.markets).map(ruling).collect());
        let subject = Subject::Resolution { event: ids::event(Kind::Election, number), verdict };
        let evidence = Evidence { text: Text::from("The commission's final list."), link: Text::default() };
        let propose = Propose { id: ids::verdict_proposal(number), subject, evidence };
        script.operator(ids::FIRST_OPERATOR, Command::Propose(propose));
    }
}
