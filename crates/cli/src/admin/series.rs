//! `admin series` and `admin feeds`: recurring events, and the prices that decide them.

use std::path::PathBuf;

use api::Timestamp;
use api::admin::request::{CreateSeries, PushPrice};
use api::decimal::AssetPrice;
use api::terms::{Currency, Engine, IntervalType, SeriesCategory};
use clap::{Args, Subcommand};

use super::client::Method;
use super::description::{Terms, or_usd};
use super::desk::{CommandError, Desk, segment, text};
use super::files;
use super::values::{Amount, amount, amounts, asset_price, time, word};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List all series
    List,
    /// Create a series, starting with the next full interval; from a TOML or JSON file or from flags
    Create {
        /// The description; `-` is JSON on standard input
        file: Option<PathBuf>,
        #[command(flatten)]
        series: Box<Described>,
    },
    /// Stop creating events
    Pause {
        /// A slug or an id
        series: String,
    },
    /// Create events again
    Resume {
        /// A slug or an id
        series: String,
    },
    /// Finalise up to a hundred results that wait because operators pushed the prices
    Finalise {
        /// A slug or an id
        series: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct Described {
    #[arg(long)]
    slug: Option<String>,
    /// The display name
    #[arg(long)]
    name: Option<String>,
    #[arg(long)]
    description: Option<String>,
    #[arg(long, value_parser = word::<SeriesCategory>, default_value = "CRYPTO")]
    category: SeriesCategory,
    #[arg(long, value_parser = word::<IntervalType>, default_value = "HOURLY")]
    interval: IntervalType,
    /// The asset's symbol, such as BTC
    #[arg(long)]
    asset: Option<String>,
    /// CLOB: an order book; AMM: a pool
    #[arg(long, value_parser = word::<Engine>, default_value = "CLOB")]
    engine: Engine,
    /// A currency to trade in; repeatable [default: USD]
    #[arg(long = "currency", value_parser = word::<Currency>)]
    currencies: Vec<Currency>,
    /// AMM: the house's money for each new pool, such as USD=500
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    seed: Vec<Amount>,
    /// A source whose prices count: a feed's name, or `push:NAME` for prices pushed by operators; twice for two that must
    /// agree [default: any source]
    #[arg(long = "source", value_name = "NAME")]
    sources: Vec<String>,
    /// The largest difference between two sources, in millionths of the first
    #[arg(long, value_name = "N")]
    tolerance_ppm: Option<u32>,
    #[command(flatten)]
    terms: Terms,
}

impl Described {
    fn create(&self) -> Result<CreateSeries, CommandError> {
        let (Some(slug), Some(name), Some(asset)) = (&self.slug, &self.name, &self.asset) else {
            return Err(CommandError::input(
                "A series is described by a file, or by --slug, --name and --asset",
            ));
        };
        Ok(CreateSeries {
            slug: slug.clone(),
            display_name: name.clone(),
            description: self.description.clone(),
            category: self.category,
            interval: self.interval,
            asset_symbol: asset.clone(),
            icon_url: None,
            engine: self.engine,
            currencies: or_usd(&self.currencies),
            yes_label: None,
            no_label: None,
            rules: self.terms.rules.clone(),
            fee_percentage: self.terms.fee,
            minimum_order_amount: self.terms.minimum_order_amount()?,
            seed: amounts(&self.seed)?,
            sources: Some(self.sources.clone()),
            tolerance_ppm: self.tolerance_ppm,
        })
    }
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        match self {
            Command::List => {
                let columns = [
                    "slug",
                    "displayName",
                    "category",
                    "interval",
                    "assetSymbol",
                    "engine",
                    "paused",
                    "nextStart",
                    "alerts",
                ];
                desk.show("/admin/v1/series", &columns)
            }
            Command::Create { file, series } => {
                let body = match file {
                    Some(file) => files::description(file)?,
                    None => text(&series.create()?),
                };
                desk.print(&desk.request(Method::Post, "/admin/v1/series", &body)?, &[]);
                Ok(())
            }
            Command::Pause { series } => desk.act(&format!("/admin/v1/series/{}/pause", segment(series))),
            Command::Resume { series } => desk.act(&format!("/admin/v1/series/{}/resume", segment(series))),
            Command::Finalise { series } => {
                desk.act(&format!("/admin/v1/series/{}/finalise", segment(series)))
            }
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum FeedCommand {
    /// Show each feed with its last price and error, and the last price of each asset
    List,
    /// Record a price
    Push {
        /// The asset's symbol, such as BTC
        symbol: String,
        #[arg(value_parser = asset_price)]
        value: AssetPrice,
        /// The source's name [default: push]
        #[arg(long)]
        source: Option<String>,
        /// The time of the price [default: now]
        #[arg(long, value_parser = time)]
        time: Option<Timestamp>,
    },
}

impl FeedCommand {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        match self {
            FeedCommand::List => desk.show("/admin/v1/feeds", &[]),
            FeedCommand::Push { symbol, value, source, time } => {
                let body = PushPrice { value: *value, source: source.clone(), source_time: *time };
                desk.send(Method::Post, &format!("/admin/v1/feeds/{}/push", segment(symbol)), &body, &[])
            }
        }
    }
}
