//! `admin markets`: pools, terms, and single markets without their siblings. To resolve, use `admin events resolve`.

use api::admin::request::{CancelMarkets, GrowPool, SeedPool, SetTerms};
use api::decimal::{Money, Percent, Price, UnitPrice};
use api::terms::Currency;
use clap::Subcommand;

use super::client::Method;
use super::desk::{CommandError, Desk, segment};
use super::values::{Amount, amount, amounts, money, percent, price, unit_price, word};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Seed a pool with the house's money, at a price
    Seed {
        market: String,
        #[arg(long, value_parser = word::<Currency>)]
        currency: Currency,
        #[arg(long, value_parser = money)]
        amount: Money,
        /// The price of YES, 0.01 to 0.99
        #[arg(long, value_parser = price)]
        price: Price,
    },
    /// Add money to a pool, at its current price
    Grow {
        market: String,
        #[arg(long, value_parser = word::<Currency>)]
        currency: Currency,
        #[arg(long, value_parser = money)]
        amount: Money,
        /// The lowest price of YES at which it is meant; a cent below the present one by default
        #[arg(long, value_name = "PRICE", value_parser = unit_price)]
        yes_price_min: Option<UnitPrice>,
        /// The highest; a cent above by default
        #[arg(long, value_name = "PRICE", value_parser = unit_price)]
        yes_price_max: Option<UnitPrice>,
    },
    /// Change the fee and the minimums of future orders; omitted fields stay unchanged. A raise on an open market applies
    /// an hour later
    Terms {
        market: String,
        /// In percent, 0 to 10
        #[arg(long, value_name = "PERCENT", value_parser = percent)]
        fee: Option<Percent>,
        /// The smallest order, such as USD=5; once for each currency
        #[arg(long, value_name = "AMOUNT", value_parser = amount)]
        minimum: Vec<Amount>,
    },
    /// Pause trading
    Pause { market: String },
    /// Resume trading
    Resume { market: String },
    /// Close trading permanently; resting orders are refunded
    Close { market: String },
    /// Cancel one market
    Cancel {
        market: String,
        /// The payout of a YES share, 0 to 1; NO pays the rest
        #[arg(long, value_name = "PRICE", value_parser = money, default_value = "0.5")]
        yes_price: Money,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        let path = |market: &String, action: &str| format!("/admin/v1/markets/{}/{action}", segment(market));
        match self {
            Command::Seed { market, currency, amount, price } => {
                let body = SeedPool { currency: *currency, amount: *amount, price: *price };
                desk.send(Method::Post, &path(market, "seed"), &body, &[])
            }
            Command::Grow { market, currency, amount, yes_price_min, yes_price_max } => {
                let (yes_price_min, yes_price_max) = (*yes_price_min, *yes_price_max);
                let body = GrowPool { currency: *currency, amount: *amount, yes_price_min, yes_price_max };
                desk.send(Method::Post, &path(market, "grow"), &body, &[])
            }
            Command::Terms { market, fee, minimum } => {
                let body = SetTerms { fee_percentage: *fee, minimum_order_amount: amounts(minimum)? };
                desk.send(Method::Put, &path(market, "terms"), &body, &[])
            }
            Command::Pause { market } => desk.act(&path(market, "pause")),
            Command::Resume { market } => desk.act(&path(market, "resume")),
            Command::Close { market } => desk.act(&path(market, "close")),
            Command::Cancel { market, yes_price, yes } => {
                let body = CancelMarkets { yes_price: Some(*yes_price) };
                let preview = desk.preview(&path(market, "preview"), &body, *yes)?;
                desk.confirm(preview.as_deref(), &format!("Cancel {market} and pay this?"), *yes)?;
                desk.send(Method::Post, &path(market, "cancel"), &body, &[])
            }
        }
    }
}
