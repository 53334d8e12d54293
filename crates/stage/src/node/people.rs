//! Users with money in both currencies, a session, and one key.

use std::sync::LazyLock;

use api::signing::SecretKey;
use exchange::command::{Command, CreateApiKey, CreateUser, CreditWallet, OpenSession};
use exchange::id::{Hash32, KeyId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::reply::Reply;
use exchange::text::Text;
use server::access::passwords;
use server::app::App;
use server::people::{Address, Person};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::operate;

/// The password of every user.
pub const PASSWORD: &str = "correct horse battery";
/// Computed once, because hashing is slow on purpose.
static PASSWORD_HASH: LazyLock<String> = LazyLock::new(|| passwords::hash(PASSWORD));

#[derive(Clone, Debug)]
pub struct User {
    pub id: Uuid,
    pub token: String,
    pub device: String,
    pub key: Key,
}

#[derive(Clone, Debug)]
pub struct Key {
    pub id: Uuid,
    pub public: String,
    pub secret: SecretKey,
}

pub(super) async fn join(app: &App, name: &str) -> User {
    let (id, address) = (Uuid::now_v7(), Address::normalised(&format!("{name}@example.org")));
    let user = UserId::new(id.as_u128());
    let person = Person::new(&address, Some(PASSWORD_HASH.clone()));
    let row = app.access().people().write(user, person).await.expect("a row");
    let create = Command::CreateUser(CreateUser {
        id: user,
        address: app.access().people().address_hash(&address),
        tag: Text::from(name),
        row: row.id,
        expires_at: row.expires_at,
    });
    operate(app, Actor::System, create).await;
    for (currency, amount) in [(Currency::Usd, 1_000), (Currency::Ngn, 100_000)] {
        let reference = Text::from(format!("{name} {}", currency.code()));
        let credit =
            Command::CreditWallet(CreditWallet { user, currency, amount: Money::whole(amount), reference });
        operate(app, Actor::System, credit).await;
    }
    let (token, device, session) = open_session(app, id).await;
    let key = create_key(app, session, "first").await;
    User { id, token, device, key }
}

/// A session like that of a login: token, device, id.
pub async fn open_session(app: &App, user: Uuid) -> (String, String, SessionId) {
    let (token, device) = (format!("token-{}", Uuid::new_v4()), format!("d_{}", Uuid::new_v4().simple()));
    let session = SessionId::new(Uuid::now_v7().as_u128());
    let open = Command::OpenSession(OpenSession {
        user: UserId::new(user.as_u128()),
        password_version: 0,
        id: session,
        token_hash: Hash32::new(Sha256::digest(token.as_bytes()).into()),
        device: Text::from(device.as_str()),
    });
    operate(app, Actor::System, open).await;
    (token, device, session)
}

async fn create_key(app: &App, session: SessionId, name: &str) -> Key {
    let public = format!("pk_live_{}", Uuid::new_v4().simple());
    let create = Command::CreateApiKey(CreateApiKey {
        id: KeyId::new(Uuid::now_v7().as_u128()),
        name: Text::from(name),
        public_key: Text::from(public.as_str()),
    });
    let Reply::ApiKey(key) = operate(app, Actor::Session { session }, create).await else { panic!("a key") };
    let secret = app.access().keyring().secret(key.id, key.generation);
    Key { id: Uuid::from_u128(key.id.as_u128()), public, secret }
}

impl Key {
    /// A copy of the key with another secret.
    pub fn with_secret(&self, secret: &str) -> Key {
        Key { secret: SecretKey::from_text(secret), ..self.clone() }
    }
}

impl User {
    /// A copy of the user in another session.
    pub async fn elsewhere(&self, app: &App) -> User {
        let (token, device, _) = open_session(app, self.id).await;
        User { token, device, ..self.clone() }
    }
}
