//! `admin users`: accounts and their money. USER is a tag or an id; the house is `house`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use api::admin::request;
use api::decimal::Money;
use api::terms::Currency;
use clap::{Args, Subcommand};

use super::client::Method;
use super::desk::{CommandError, Desk, query, segment};
use super::values::{money, word};
use crate::variables::PASSWORD;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List accounts
    List {
        /// Part of the tag, a complete email address, or an id
        #[arg(long)]
        keyword: Option<String>,
        /// Only suspended accounts, or only those that are not
        #[arg(long)]
        suspended: Option<bool>,
        #[arg(long)]
        page: Option<u32>,
        #[arg(long)]
        size: Option<u32>,
    },
    /// Show an account with its wallets, keys, positions and open orders
    Show { user: String },
    /// Create an account
    Create {
        #[arg(long)]
        email: String,
        /// The name that others see: 3 to 30 letters, digits or underscores
        #[arg(long)]
        tag: String,
        /// A file with the password; otherwise BELLWETHER_PASSWORD, or no password
        #[arg(long)]
        password_file: Option<PathBuf>,
    },
    /// Lock an account and cancel its open orders
    Suspend {
        user: String,
        /// Keep the open orders
        #[arg(long)]
        keep_orders: bool,
    },
    /// Unlock an account; proposed where two persons are required
    Resume { user: String },
    /// Freeze an account completely: only settlement changes it
    Freeze { user: String },
    /// End a freeze; proposed where two persons are required
    Release { user: String },
    /// Erase the person of an empty account, permanently; proposed where two persons are required
    Erase { user: String },
    /// Cancel an account's open orders: all, or those of an event, a market, a currency
    CancelOrders {
        user: String,
        #[arg(long)]
        event: Option<String>,
        #[arg(long)]
        market: Option<String>,
        #[arg(long, value_parser = word::<Currency>)]
        currency: Option<Currency>,
    },
    /// List requests for new passwords, with their codes
    PasswordResets,
    /// Approve a request for a new password, by the code that the person reads from their page
    ApproveReset {
        user: String,
        #[arg(long)]
        code: String,
    },
    /// Credit a wallet
    Credit(Transfer),
    /// Debit a wallet
    Debit(Transfer),
}

#[derive(Debug, Args)]
pub(super) struct Transfer {
    /// A tag or an id; `house` is the house
    user: String,
    #[arg(long, value_parser = word::<Currency>)]
    currency: Currency,
    #[arg(long, value_parser = money)]
    amount: Money,
    /// Your reference for this payment; each is accepted once, so a retry is safe
    #[arg(long)]
    reference: String,
}

impl Transfer {
    fn send(&self, desk: &Desk, action: &str) -> Result<(), CommandError> {
        let path = format!("/admin/v1/users/{}/{action}", segment(&self.user));
        let body = request::Transfer {
            currency: self.currency,
            amount: self.amount,
            reference: self.reference.clone(),
        };
        desk.send(Method::Post, &path, &body, &[])
    }
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        let act =
            |user: &String, action: &str| desk.act(&format!("/admin/v1/users/{}/{action}", segment(user)));
        match self {
            Command::List { keyword, suspended, page, size } => {
                let query = query(&[
                    ("keyword", keyword.clone()),
                    ("suspended", suspended.map(|suspended| suspended.to_string())),
                    ("page", page.map(|page| page.to_string())),
                    ("size", size.map(|size| size.to_string())),
                ]);
                let columns = [
                    "userId",
                    "tag",
                    "email",
                    "suspended",
                    "frozen",
                    "erased",
                    "hasPassword",
                    "openOrders",
                    "createdAt",
                ];
                desk.show(&format!("/admin/v1/users?{query}"), &columns)
            }
            Command::Show { user } => desk.show(&format!("/admin/v1/users/{}", segment(user)), &[]),
            Command::Create { email, tag, password_file } => {
                let password = new_password(password_file.as_deref())?;
                let body = request::CreateUser { email: email.clone(), tag: tag.clone(), password };
                desk.send(Method::Post, "/admin/v1/users", &body, &[])
            }
            Command::Suspend { user, keep_orders } => {
                let path = format!("/admin/v1/users/{}/suspend", segment(user));
                desk.send(Method::Post, &path, &request::SuspendUser { keep_orders: *keep_orders }, &[])
            }
            Command::Resume { user } => act(user, "resume"),
            Command::Freeze { user } => act(user, "freeze"),
            Command::Release { user } => act(user, "release"),
            Command::Erase { user } => act(user, "erase"),
            Command::CancelOrders { user, event, market, currency } => {
                let path = format!("/admin/v1/users/{}/cancel-orders", segment(user));
                let (event, market) = (event.clone(), market.clone());
                let body = request::CancelOrdersOf { event, market, currency: *currency };
                desk.send(Method::Post, &path, &body, &[])
            }
            Command::PasswordResets => {
                let columns = ["tag", "email", "code", "approved", "requestedAt", "expiresAt"];
                desk.show("/admin/v1/password-resets", &columns)
            }
            Command::ApproveReset { user, code } => {
                let path = format!("/admin/v1/users/{}/password-reset", segment(user));
                desk.send(Method::Post, &path, &request::ApproveReset { code: code.clone() }, &[])
            }
            Command::Credit(transfer) => transfer.send(desk, "credit"),
            Command::Debit(transfer) => transfer.send(desk, "debit"),
        }
    }
}

/// Never on the command line, which every user of the machine can read.
fn new_password(file: Option<&Path>) -> Result<Option<String>, CommandError> {
    match file {
        Some(file) => {
            let text = fs::read_to_string(file)
                .map_err(|cause| CommandError::File { path: file.display().to_string(), cause })?;
            Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
        }
        None => Ok(env::var(PASSWORD).ok()),
    }
}
