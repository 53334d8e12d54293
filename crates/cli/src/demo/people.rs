//! The six people of the demo. Bots trade as the last three; the first three are for the user.

use exchange::id::{KeyId, UserId};
use exchange::identity::Actor;
use server::app::App;

/// Names, which are also tags and the local parts of email addresses.
pub(super) const NAMES: [&str; 6] = ["ada", "bola", "chidi", "dayo", "efe", "funmi"];
/// The number of people without a bot.
pub(super) const WITHOUT_BOT: usize = 3;

/// A person with an account, money and a key.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) email: String,
    pub(super) user: UserId,
    pub(super) key: KeyId,
    pub(super) generation: u32,
    pub(super) public_key: String,
    pub(super) secret_key: String,
    pub(super) password: String,
}

impl Person {
    pub(super) const fn actor(&self) -> Actor {
        Actor::Key { key: self.key, generation: self.generation }
    }
}

pub(super) fn email(name: &str) -> String {
    format!("{name}@demo.example")
}

/// The password, derived from the master key and the name, so it is not stored. API secrets are derived likewise.
pub(super) fn password(app: &App, name: &str) -> String {
    let mut id = [0; 16];
    for (place, byte) in id.iter_mut().zip(b"demo".iter().chain(name.as_bytes())) {
        *place = *byte;
    }
    let secret = app.access().keyring().secret(KeyId::new(u128::from_be_bytes(id)), u32::MAX);
    let tail: String = secret.expose().chars().rev().take(16).collect();
    format!("{name}-{tail}")
}
