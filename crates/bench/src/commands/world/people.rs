//! Users with a session, a key and money, one user with as much of everything as is kept, and idempotency keys.

use exchange::Request;
use exchange::catalogue::AssetPrice;
use exchange::command::{
    CancelAfter, Command, CreateApiKey, CreateUser, CreditWallet, OpenSession, RecordPrice,
    RequestPasswordReset, SetWatchlist,
};
use exchange::id::{RowId, UserId};
use exchange::idempotency::IdempotencyKey;
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use exchange::time::Time;

use super::{Script, Sizes};
use crate::ids::{self, Kind};

/// The most that one command credits.
const RICH: i64 = 900_000_000;

pub fn users(script: &mut Script, sizes: &Sizes) {
    let makers = ids::SPECIAL..ids::SPECIAL + sizes.makers;
    for number in 0..ids::SPECIAL + sizes.holders.max(sizes.makers) {
        add(script, number);
        let whole = match number {
            ids::POOR => 100,
            ids::IDLER => 50_000,
            0..ids::SPECIAL => RICH,
            number if makers.contains(&number) => 1_000_000,
            _ => 100,
        };
        credit(script, ids::user(number), Currency::Usd, whole);
    }
}

fn add(script: &mut Script, number: u32) {
    let user = ids::user(number);
    script.system(Command::CreateUser(CreateUser {
        id: user,
        address: ids::hash("address", number),
        tag: Text::from(format!("user{number}")),
        row: RowId::new(user.as_u128()),
        expires_at: Time::NEVER,
    }));
    script.system(open_session(number, 0));
    let create = CreateApiKey {
        id: ids::key(number),
        name: Text::from("bench"),
        public_key: Text::from(format!("pk_{number}")),
    };
    script.by(ids::by_session(number), Command::CreateApiKey(create));
}

pub fn open_session(number: u32, place: u32) -> Command {
    Command::OpenSession(OpenSession {
        user: ids::user(number),
        password_version: 0,
        id: ids::session(number, place),
        token_hash: ids::hash(&format!("token {place}"), number),
        device: Text::from("bench"),
    })
}

pub fn credit(script: &mut Script, user: UserId, currency: Currency, whole: i64) {
    let reference = Text::from(format!("{user} {}", currency.code()));
    let amount = Money::whole(whole);
    script.system(Command::CreditWallet(CreditWallet { user, currency, amount, reference }));
}

/// Twenty sessions and fifty password resets of one user, and the longest watchlist of another.
pub fn guarded(script: &mut Script) {
    for place in 1..20 {
        script.system(open_session(ids::GUARDED, place));
    }
    for number in 0..50 {
        script.system(Command::RequestPasswordReset(RequestPasswordReset {
            user: ids::user(ids::GUARDED),
            token_hash: ids::hash("reset", number),
            code: Text::from(format!("A{number:05}")),
            network: ids::hash("network", number),
            address: None,
        }));
    }
    for number in 0..999 {
        // History has them.
        let event = ids::event(Kind::Fresh, 1_000 + number);
        script.user(
            ids::TRADER,
            Command::SetWatchlist(SetWatchlist { event, watched: true, is_retired: true }),
        );
    }
}

/// Keys of the makers that live for a day.
pub fn idempotency_keys(script: &mut Script, sizes: &Sizes) {
    for number in 0..sizes.idempotency_keys {
        script.send(Request {
            actor: ids::by_key(ids::SPECIAL + number % sizes.makers),
            idempotency: Some(key(number, 1)),
            command: Command::CancelAfter(CancelAfter { seconds: 0 }),
        });
    }
}

/// The keys with numbers below that of the world's keys are in use, with body 1.
pub fn key(number: u32, body: u64) -> IdempotencyKey {
    let scope = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    IdempotencyKey { scope, scope_low: number.into(), body, window: None }
}

/// A price of an asset, observed now.
pub fn price_of(symbol: &str, value: i64, source: &str, at: Time) -> Command {
    Command::RecordPrice(RecordPrice {
        symbol: Text::from(symbol),
        value: AssetPrice(value),
        source: Text::from(source),
        source_time: at,
    })
}
