//! The beginning of every run: users with keys and money, one event of each kind and engine, a series and its prices.

use std::collections::VecDeque;

use exchange::Exchange;
use exchange::catalogue::{Engine, EventKind};
use exchange::command::{
    Command, CreateApiKey, CreateOperator, CreateUser, CreditWallet, OpenSession, Request, UpgradeRules,
};
use exchange::governance::Policy;
use exchange::id::{Hash32, KeyId, OperatorId, RowId, SessionId, UserId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::{Generator, START};

impl Generator {
    pub(super) fn opening(&mut self) -> VecDeque<(Time, Request)> {
        let mut script = VecDeque::new();
        let mut system =
            |command| script.push_back(Request { actor: Actor::System, idempotency: None, command });
        // Half of the runs start with the newest rules. The others upgrade at some time, or never.
        if self.random.chance(50) {
            system(Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION }));
        }
        system(Command::CreateOperator(CreateOperator {
            id: OperatorId::new(1),
            name: Text::from("operator"),
            role: Role::Operator,
            token_hash: Hash32::of("operator"),
        }));
        for number in [2, 3, 4] {
            system(Command::CreateOperator(CreateOperator {
                id: OperatorId::new(number),
                name: Text::from("approver"),
                role: Role::Approver,
                token_hash: Hash32::of(&format!("approver {number}")),
            }));
        }
        // In some runs, ended events retire during the run.
        let retire_after_seconds = self.random.one_of([60, 300, 1_800, 172_800]);
        let two_required = self.random.chance(35);
        if two_required || retire_after_seconds < 172_800 {
            system(Command::SetPolicy(Policy { two_required, retire_after_seconds, ..Policy::default() }));
        }
        for currency in Currency::ALL {
            let amount = Money::whole(20_000 * currency.base());
            let reference = Text::from(format!("house {}", currency.code()));
            system(Command::CreditWallet(CreditWallet {
                user: Exchange::HOUSE,
                currency,
                amount,
                reference,
            }));
        }
        let users = 4 + self.random.below(3) as u128;
        for number in 1..=users {
            script.extend(self.new_person(number));
        }
        let kinds = [
            (EventKind::Single, Engine::Clob),
            (EventKind::Single, Engine::Amm),
            (EventKind::Combined, Engine::Clob),
        ];
        for (kind, engine) in kinds {
            let commands = self.event_commands(START, kind, engine);
            script.extend(commands.into_iter().map(system_request));
        }
        script.push_back(system_request(self.new_series(1)));
        script.into_iter().map(|request| (START + Span::seconds(1), request)).collect()
    }

    /// Creates a user with a session, a key and money in both currencies.
    pub(super) fn new_person(&mut self, number: u128) -> Vec<Request> {
        let user = UserId::new(number);
        let session = SessionId::new(self.fresh_id());
        let mut requests = vec![
            system_request(Command::CreateUser(CreateUser {
                id: user,
                address: Hash32::of(&format!("user{number}@example.com")),
                tag: Text::from(format!("user{number}")),
                row: RowId::new(self.fresh_id()),
                expires_at: START + Span::minutes(5),
            })),
            system_request(Command::OpenSession(OpenSession {
                user,
                password_version: 0,
                id: session,
                token_hash: Hash32::of(&format!("token {number}")),
                device: Text::from("device"),
            })),
            Request {
                actor: Actor::Session { session },
                idempotency: None,
                command: Command::CreateApiKey(CreateApiKey {
                    id: KeyId::new(self.fresh_id()),
                    name: Text::from("first"),
                    public_key: Text::from(format!("pk_{number}")),
                }),
            },
        ];
        for currency in Currency::ALL {
            let amount = Money::whole(self.random.between(20, 2_000) * currency.base());
            let reference = Text::from(format!("start {number} {}", currency.code()));
            requests.push(system_request(Command::CreditWallet(CreditWallet {
                user,
                currency,
                amount,
                reference,
            })));
        }
        requests
    }
}

pub(super) fn system_request(command: Command) -> Request {
    Request { actor: Actor::System, idempotency: None, command }
}
