//! `admin fees`: fees collected by the exchange.

use api::admin::request::MoveFees;
use api::decimal::Money;
use api::terms::{Currency, FeesTo};
use clap::Subcommand;

use super::client::Method;
use super::desk::{CommandError, Desk};
use super::values::{money, word};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Propose to move collected fees to the house or out of the exchange; an approver finalises it
    Move {
        #[arg(long, value_parser = word::<Currency>)]
        currency: Currency,
        #[arg(long, value_parser = money)]
        amount: Money,
        /// house: the house's wallet; outside: out of the exchange
        #[arg(long, value_parser = word::<FeesTo>)]
        to: FeesTo,
        /// Your reference for this payment; each is accepted once
        #[arg(long)]
        reference: String,
    },
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        let Command::Move { currency, amount, to, reference } = self;
        let body = MoveFees { currency: *currency, amount: *amount, to: *to, reference: reference.clone() };
        desk.send(Method::Post, "/admin/v1/fees/move", &body, &[])
    }
}
