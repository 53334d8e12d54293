//! An event described by flags instead of a file.

use api::Timestamp;
use api::admin::Amounts;
use api::admin::request::{CreateEvent, CreateMarket, EditEvent};
use api::decimal::Percent;
use api::terms::{Currency, Engine, EventType};
use clap::Args;

use super::desk::CommandError;
use super::values::{Amount, amount, amounts, percent, time, word};

/// Texts and dates of a new event or a draft.
#[derive(Debug, Args)]
pub(super) struct Details {
    /// The question
    #[arg(long)]
    pub(super) title: Option<String>,
    #[arg(long)]
    category: Option<String>,
    #[arg(long)]
    subcategory: Option<String>,
    #[arg(long)]
    description: Option<String>,
    /// Who reports what happened
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// Anything else that a trader should know
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,
    /// When trading closes automatically, such as 2031-01-01T00:00:00Z
    #[arg(long, value_name = "TIME", value_parser = time)]
    closing_date: Option<Timestamp>,
    /// When the answer is known
    #[arg(long, value_name = "TIME", value_parser = time)]
    resolution_date: Option<Timestamp>,
}

impl Details {
    pub(super) fn edit(&self) -> EditEvent {
        EditEvent {
            title: self.title.clone(),
            category: self.category.clone(),
            subcategory: self.subcategory.clone(),
            description: self.description.clone(),
            resolution_source: self.source.clone(),
            additional_context: self.context.clone(),
            closing_date: self.closing_date,
            resolution_date: self.resolution_date,
            ..EditEvent::default()
        }
    }
}

/// Fields that all markets of the event share.
#[derive(Debug, Args)]
pub(super) struct Terms {
    /// The rules that decide it
    #[arg(long, value_name = "TEXT")]
    pub(super) rules: Option<String>,
    /// The taker's fee in percent, 0 to 10
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(super) fee: Option<Percent>,
    /// The smallest order, such as USD=5; once for each currency
    #[arg(long, value_name = "AMOUNT", value_parser = amount)]
    minimum: Vec<Amount>,
}

impl Terms {
    pub(super) fn minimum_order_amount(&self) -> Result<Option<Amounts>, CommandError> {
        amounts(&self.minimum)
    }
}

/// A complete event.
#[derive(Debug, Args)]
pub(super) struct Event {
    /// Its name in URLs: lower-case letters, digits, hyphens
    #[arg(long)]
    slug: Option<String>,
    /// single: one market; combined: one of several markets wins; grouped: independent markets
    #[arg(long = "type", value_parser = word::<EventType>, default_value = "single")]
    event_type: EventType,
    /// CLOB: an order book; AMM: a pool
    #[arg(long, value_parser = word::<Engine>, default_value = "CLOB")]
    engine: Engine,
    /// A currency to trade in; repeatable [default: USD]
    #[arg(long = "currency", value_parser = word::<Currency>)]
    currencies: Vec<Currency>,
    /// The title of a market; repeatable. Default: the event's title
    #[arg(long = "market", value_name = "TITLE")]
    markets: Vec<String>,
    #[command(flatten)]
    details: Details,
    #[command(flatten)]
    terms: Terms,
}

impl Event {
    pub(super) fn create(&self) -> Result<CreateEvent, CommandError> {
        let Details { title, category, .. } = &self.details;
        let (Some(slug), Some(title), Some(category)) = (&self.slug, title, category) else {
            return Err(CommandError::input(
                "An event is described by a file, or by --slug, --title and --category",
            ));
        };
        let titles = if self.markets.is_empty() { std::slice::from_ref(title) } else { &self.markets };
        let minimum_order_amount = self.terms.minimum_order_amount()?;
        let market = |title: &String| CreateMarket {
            title: title.clone(),
            yes_label: None,
            no_label: None,
            rules: self.terms.rules.clone(),
            image_url: None,
            image128_url: None,
            fee_percentage: self.terms.fee,
            minimum_order_amount,
        };
        Ok(CreateEvent {
            slug: slug.clone(),
            title: title.clone(),
            event_type: self.event_type,
            engine: self.engine,
            currencies: or_usd(&self.currencies),
            category: category.clone(),
            subcategory: self.details.subcategory.clone(),
            description: self.details.description.clone(),
            resolution_source: self.details.source.clone(),
            additional_context: self.details.context.clone(),
            image_url: None,
            image128_url: None,
            hashtags: Vec::new(),
            country_codes: Vec::new(),
            opening_date: None,
            closing_date: self.details.closing_date,
            resolution_date: self.details.resolution_date,
            markets: titles.iter().map(market).collect(),
        })
    }
}

/// The given currencies; US dollars if none is given.
pub(super) fn or_usd(given: &[Currency]) -> Vec<Currency> {
    if given.is_empty() { vec![Currency::Usd] } else { given.to_vec() }
}
