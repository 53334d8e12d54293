//! Users with keys and money, and money for them.

use api::decimal;
use axum::extract::State;
use bytes::Bytes;
use exchange::numbers::{Currency, Money};
use exchange::reply::Reply;
use serde::{Deserialize, Serialize};
use server::view::words::{ToApi, ToExchange};
use uuid::Uuid;

use super::{Answered, Shared, created, ok, read};
use crate::error::Refusal;
use crate::moves::currency;

/// Money of a new user, in USD; a naira wallet gets a hundred times as much.
const MONEY: i64 = 10_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Create {
    #[serde(default)]
    tag: Option<String>,
    /// For a login on the page; without one the user has a key only.
    #[serde(default)]
    password: Option<String>,
    #[serde(default, rename = "USD")]
    usd: Option<decimal::Money>,
    #[serde(default, rename = "NGN")]
    ngn: Option<decimal::Money>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    user_id: Uuid,
    tag: String,
    email: String,
    public_key: String,
    secret_key: String,
}

pub(super) async fn create(State(control): Shared, body: Bytes) -> Answered {
    let Create { tag, password, usd, ngn } = read(&body)?;
    let money = move |currency: Currency| {
        let given = if currency == Currency::Usd { usd } else { ngn };
        given.map_or_else(|| Money::whole(MONEY * currency.base()), ToExchange::to_exchange)
    };
    let user = control.with_venue(move |venue| {
        let tag = tag.unwrap_or_else(|| format!("trader_{}", venue.record.take_number()));
        let user = venue.add_user(&tag, password.as_deref())?;
        for currency in Currency::ALL {
            let (operator, amount) = (venue.operator()?, money(currency));
            if amount != Money::ZERO {
                venue.credit(operator, user.id, currency, amount)?;
            }
        }
        Ok(user)
    });
    let user = user.await?;
    created(&Created {
        user_id: user.id.to_api(),
        tag: user.tag,
        email: user.email,
        public_key: user.key.public_key.to_string(),
        secret_key: user.secret_key,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    user_id: Uuid,
    tag: String,
    public_keys: Vec<String>,
}

#[derive(Serialize)]
struct Users {
    users: Vec<Listed>,
}

pub(super) async fn list(State(control): Shared) -> Answered {
    let users = control.with_venue(|venue| {
        let exchange = venue.app()?.reading().state();
        // The house is no trader.
        let traders = exchange.directory().users().filter(|(_, user)| user.id.as_u128() != 0);
        let listed = traders.map(|(_, user)| Listed {
            user_id: user.id.to_api(),
            tag: user.tag.to_string(),
            public_keys: user.keys.iter().map(|key| key.public_key.to_string()).collect(),
        });
        Ok(listed.collect())
    });
    ok(&Users { users: users.await? })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Credit {
    /// An id, a tag or a public key.
    user: String,
    amount: decimal::Money,
    #[serde(default)]
    currency: Option<String>,
}

#[derive(Serialize)]
struct Wallet {
    currency: &'static str,
    available: decimal::Money,
}

pub(super) async fn credit(State(control): Shared, body: Bytes) -> Answered {
    let Credit { user, amount, currency: code } = read(&body)?;
    let money = currency(code.as_deref())?;
    let reply = control.with_venue(move |venue| {
        let (operator, user) = (venue.operator()?, venue.find_user(&user)?);
        venue.credit(operator, user, money, amount.to_exchange())
    });
    match reply.await? {
        Reply::Wallet { currency, free, .. } => {
            ok(&Wallet { currency: currency.code(), available: free.to_api() })
        }
        _ => Err(Refusal::bad("The money was credited without a wallet")),
    }
}
