//! Users of the sandbox: an account, a key and money. Virtual traders are users without a password.

use exchange::command::{Command, CreateApiKey, CreateUser, CreditWallet, OpenSession};
use exchange::id::{Hash32, KeyId, OperatorId, SessionId, UserId};
use exchange::identity::{Actor, ApiKey, Operator};
use exchange::numbers::{Currency, Money};
use exchange::reply::Reply;
use exchange::text::Text;
use server::access::passwords;
use server::identifiers::new_id;
use server::people::{Address, Person};
use server::secrets::random_bytes;
use server::view::words::ToApi;

use crate::error::{Refusal, SandboxError};
use crate::venue::Venue;

/// A user with a key.
#[derive(Clone, Debug)]
pub(crate) struct NewUser {
    pub(crate) id: UserId,
    pub(crate) tag: String,
    pub(crate) email: String,
    pub(crate) key: ApiKey,
    pub(crate) secret_key: String,
}

impl Venue {
    /// Creates a user with a key. Without a password the user cannot log in.
    pub(crate) fn add_user(&mut self, tag: &str, password: Option<&str>) -> Result<NewUser, Refusal> {
        let email = format!("{tag}@sandbox.example");
        let app = self.app()?.clone();
        let address = Address::normalised(&email);
        let hash = app.access().people().address_hash(&address);
        let id = UserId::new(new_id().as_u128());
        let person = Person::new(&address, password.map(passwords::hash));
        let row = app.access().people().write_blocking(id, &person).map_err(SandboxError::from)?;
        let create =
            CreateUser { id, address: hash, tag: Text::from(tag), row: row.id, expires_at: row.expires_at };
        self.submit(Actor::System, Command::CreateUser(create))?;
        let key = self.add_key(id)?;
        // Only users of the sandbox log in where a journal is relived.
        app.access().admit(id);
        let secret_key = app.access().keyring().secret(key.id, key.generation).expose().to_owned();
        Ok(NewUser { id, tag: tag.to_owned(), email, key, secret_key })
    }

    /// Creates a key as its owner would: with a session, which is ended at once.
    fn add_key(&self, user: UserId) -> Result<ApiKey, Refusal> {
        let id = SessionId::new(new_id().as_u128());
        let open = OpenSession {
            user,
            password_version: 0,
            id,
            token_hash: Hash32::new(random_bytes()),
            device: Text::from("sandbox"),
        };
        self.submit(Actor::System, Command::OpenSession(open))?;
        let create = CreateApiKey {
            id: KeyId::new(new_id().as_u128()),
            name: Text::from("sandbox"),
            public_key: Text::from(self.app()?.access().keyring().new_public_key()),
        };
        let session = Actor::Session { session: id };
        let made = self.submit(session, Command::CreateApiKey(create))?;
        self.submit(session, Command::EndSession)?;
        match made {
            Reply::ApiKey(key) => Ok(key),
            _ => Err(SandboxError::Stage("no key was made".to_owned()).into()),
        }
    }

    /// Credits money. Each credit has its own reference.
    pub(crate) fn credit(
        &self,
        actor: Actor,
        user: UserId,
        currency: Currency,
        amount: Money,
    ) -> Result<Reply, Refusal> {
        let reference = Text::from(format!("sandbox {}", new_id()));
        self.submit(actor, Command::CreditWallet(CreditWallet { user, currency, amount, reference }))
    }

    /// The user with this id, tag or public key.
    pub(crate) fn find_user(&self, name: &str) -> Result<UserId, Refusal> {
        let exchange = self.app()?.reading().state();
        let directory = exchange.directory();
        let by_id = uuid::Uuid::parse_str(name).ok().map(|id| UserId::new(id.as_u128()));
        let found = by_id.and_then(|id| directory.find(id)).or_else(|| directory.find_by_tag(name));
        let found = found.or_else(|| Some(directory.find_by_public_key(&Text::from(name))?.0));
        let user = found.ok_or_else(|| Refusal::missing("No such user"))?;
        Ok(directory.user(user).id)
    }

    /// The actor of a user's first key.
    pub(crate) fn actor_of(&self, user: UserId) -> Result<Actor, Refusal> {
        let exchange = self.app()?.reading().state();
        let index = exchange.directory().find(user).ok_or_else(|| Refusal::missing("No such user"))?;
        let key = exchange.directory().user(index).keys.first();
        let key = key.ok_or_else(|| Refusal::missing("This user has no key"))?;
        Ok(Actor::Key { key: key.id, generation: key.generation })
    }

    /// The operator who acts for requests to the sandbox: the first active approver, as long as it stays one. The policy
    /// of a past may bind its operators, so there the system acts.
    pub(crate) fn operator(&mut self) -> Result<Actor, Refusal> {
        if self.fixed.is_past {
            return Ok(Actor::System);
        }
        let kept = self.record.operator.map(|operator| OperatorId::new(operator.as_u128()));
        let found = {
            let exchange = self.app()?.reading().state();
            choose_operator(exchange.directory().operators(), kept)
        };
        let none = || Refusal::conflict("No operator is an active approver");
        let operator = found.ok_or_else(none)?;
        self.record.operator = Some(operator.to_api());
        Ok(Actor::Operator { operator })
    }
}

/// The first active approver, or the one that acted before if it still is one.
fn choose_operator<'a>(
    operators: impl Iterator<Item = &'a Operator>,
    kept: Option<OperatorId>,
) -> Option<OperatorId> {
    let approvers = operators.filter(|operator| operator.is_active_approver()).map(|operator| operator.id);
    approvers.min_by_key(|id| (Some(*id) != kept, *id))
}

#[cfg(test)]
mod tests {
    use exchange::identity::Role;
    use exchange::numbers::PerCurrency;
    use exchange::time::Time;

    use super::*;

    fn operator(id: u128, role: Role, suspended: bool) -> Operator {
        Operator {
            id: OperatorId::new(id),
            name: Text::from("operator"),
            role,
            token_hash: Hash32::new([id as u8; 32]),
            created_at: Time::from_seconds(0),
            revoked: false,
            moved_on: 0,
            moved: PerCurrency::default(),
            sessions: Vec::new(),
            suspended,
            suspended_until: None,
            holders: Vec::new(),
            break_glass_at: None,
        }
    }

    #[test]
    fn the_first_active_approver_acts_as_long_as_it_is_one() {
        let operators = |third_is_suspended| {
            [
                operator(1, Role::Viewer, false),
                operator(2, Role::Approver, true),
                operator(3, Role::Approver, third_is_suspended),
                operator(4, Role::Approver, false),
            ]
        };
        let choose = |third_is_suspended, kept: Option<u128>| {
            let chosen = choose_operator(operators(third_is_suspended).iter(), kept.map(OperatorId::new));
            chosen.map(OperatorId::as_u128)
        };
        assert_eq!(choose(false, None), Some(3));
        assert_eq!(choose(false, Some(4)), Some(4));
        assert_eq!(choose(true, Some(3)), Some(4));
        assert_eq!(choose_operator([operator(1, Role::Viewer, false)].iter(), None), None);
    }
}
