//! Accounts, sessions, keys, resets and money of people.

use exchange::command::{
    ApprovePasswordReset, Command, CreateApiKey, CreateUser, CreditWallet, DebitWallet, EraseUser, FeesTo,
    FreezeUser, MoveFees, RequestPasswordReset, ResetPassword, RevokeApiKey, RotateApiKey, SetWatchlist,
    SuspendUser,
};
use exchange::id::RowId;
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use exchange::time::Time;

use super::{ADA, Form, SYSTEM, Work};
use crate::ids::{self, Kind};
use crate::world::{Sizes, open_session};

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    [accounts(sizes), access(), resets(), restraints(), erasures(), money()].into_iter().flatten().collect()
}

fn create(number: u32, address: u32) -> Command {
    Command::CreateUser(CreateUser {
        id: ids::user(number),
        address: ids::hash("address", address),
        tag: Text::from(format!("user{number}")),
        row: RowId::new(u128::from(number)),
        expires_at: Time::NEVER,
    })
}

fn accounts(sizes: &Sizes) -> Vec<Form> {
    let new = ids::SPECIAL + sizes.holders + 1;
    vec![
        Form::plain("one more", SYSTEM, create(new, new)),
        Form::refused("address taken", SYSTEM, create(new, 7)),
    ]
}

fn access() -> Vec<Form> {
    let (trader, guarded) = (ids::by_session(ids::TRADER), ids::by_session(ids::GUARDED));
    let key = ids::key(ids::TRADER);
    let new_key = |name: &str| {
        Command::CreateApiKey(CreateApiKey {
            id: ids::key(u32::MAX),
            name: Text::from(name),
            public_key: Text::from("pk_new"),
        })
    };
    let watch = |number, watched| {
        Command::SetWatchlist(SetWatchlist {
            event: ids::event(Kind::Shelf, number),
            watched,
            is_retired: false,
        })
    };
    let watcher = ids::by_key(ids::TRADER);
    vec![
        Form::plain("the twenty-first: the oldest ends", SYSTEM, open_session(ids::GUARDED, 20)),
        Form::refused("a known id", SYSTEM, open_session(ids::GUARDED, 19)),
        Form::plain("of twenty", guarded, Command::EndSession),
        Form::plain("the second", trader, new_key("second")),
        Form::refused("a name twice", trader, new_key("bench")),
        Form::plain("one of one", trader, Command::RevokeApiKey(RevokeApiKey { key })),
        Form::refused(
            "an unknown key",
            trader,
            Command::RevokeApiKey(RevokeApiKey { key: ids::key(u32::MAX) }),
        ),
        Form::plain("one of one", trader, Command::RotateApiKey(RotateApiKey { key })),
        Form::plain("the thousandth", watcher, watch(0, true)),
        Form::refused("one too many", watcher, watch(1, true))
            .after(move |script| script.user(ids::TRADER, watch(0, true))),
        Form::plain("not watched", watcher, watch(0, false)),
    ]
}

fn resets() -> Vec<Form> {
    let user = ids::user(ids::GUARDED);
    let request = |number: u32| {
        Command::RequestPasswordReset(RequestPasswordReset {
            user,
            token_hash: ids::hash("reset", number),
            code: Text::from(format!("A{number:05}")),
            network: ids::hash("network", number),
            address: None,
        })
    };
    let token_hash = ids::hash("reset", 0);
    let approve = Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash });
    let reset = Command::ResetPassword(ResetPassword {
        token_hash,
        row: RowId::new(77),
        expires_at: Time::NEVER,
        keep_keys: false,
    });
    let approved = approve.clone();
    vec![
        Form::plain("the fifty-first: the oldest ends", SYSTEM, request(50)),
        Form::refused("a known code", SYSTEM, request(49)),
        Form::plain("one of fifty", SYSTEM, approve.clone()),
        Form::refused("by one of two persons", ADA, approve),
        Form::plain("ends twenty sessions and fifty resets", SYSTEM, reset.clone())
            .after(move |script| script.system(approved.clone())),
        Form::refused("not approved", SYSTEM, reset),
    ]
}

fn restraints() -> Vec<Form> {
    let (trader, guarded) = (ids::user(ids::TRADER), ids::user(ids::GUARDED));
    let suspend =
        |user, keep_orders| Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders });
    let freeze = |user, frozen| Command::FreezeUser(FreezeUser { user, frozen });
    vec![
        Form::with("all orders are cancelled", ADA, suspend(trader, false), Work::CancellingAll),
        Form::plain("the orders stay", ADA, suspend(trader, true)),
        Form::plain("ends twenty sessions and fifty resets", ADA, suspend(guarded, false)),
        Form::with("all orders are cancelled", ADA, freeze(trader, true), Work::CancellingAll),
        Form::refused("released by one of two persons", ADA, freeze(trader, false)),
    ]
}

fn erasures() -> Vec<Form> {
    let erase = |number| Command::EraseUser(EraseUser { user: ids::user(number) });
    vec![
        Form::refused("has orders and shares", SYSTEM, erase(ids::TRADER)),
        Form::plain("empty positions in all markets", SYSTEM, erase(ids::IDLER)).after(|script| {
            script.system(debit(ids::IDLER, 50_000, "all"));
        }),
        Form::plain("twenty sessions and fifty resets", SYSTEM, erase(ids::GUARDED)).after(|script| {
            script.system(debit(ids::GUARDED, 900_000_000, "all"));
        }),
    ]
}

fn credit(whole: i64, reference: &str) -> Command {
    Command::CreditWallet(CreditWallet {
        user: ids::user(ids::POOR),
        currency: Currency::Usd,
        amount: Money::whole(whole),
        reference: Text::from(reference),
    })
}

fn debit(user: u32, whole: i64, reference: &str) -> Command {
    Command::DebitWallet(DebitWallet {
        user: ids::user(user),
        currency: Currency::Usd,
        amount: Money::whole(whole),
        reference: Text::from(reference),
    })
}

fn money() -> Vec<Form> {
    let fees = |amount, reference: &str| {
        Command::MoveFees(MoveFees {
            currency: Currency::Usd,
            amount,
            to: FeesTo::House,
            reference: Text::from(reference),
        })
    };
    vec![
        Form::plain("one more", ADA, credit(1, "new")),
        Form::refused("above the caps", ADA, credit(500_000_000, "large")),
        Form::plain("one more", ADA, debit(ids::POOR, 1, "out")),
        Form::refused("unfunded", ADA, debit(ids::POOR, 10_000, "more")),
        Form::plain("by the node", SYSTEM, fees(Money::new(1), "fees")),
        Form::refused("unfunded", SYSTEM, fees(Money::whole(10_000_000), "many")),
        Form::refused("by one person", ADA, fees(Money::new(1), "fees")),
    ]
}
