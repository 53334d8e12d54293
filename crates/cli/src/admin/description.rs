//! An event described by flags instead of a file.

use api::Timestamp;
use api::decimal::Percent;
use api::terms::{Currency, Engine, EventType};
use clap::Args;
use serde_json::value::RawValue;

use super::desk::{Body, Trouble};
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
    pub(super) fn body(&self) -> Body {
        Body::new()
            .maybe("title", self.title.as_deref())
            .maybe("category", self.category.as_deref())
            .maybe("subcategory", self.subcategory.as_deref())
            .maybe("description", self.description.as_deref())
            .maybe("resolutionSource", self.source.as_deref())
            .maybe("additionalContext", self.context.as_deref())
            .maybe("closingDate", self.closing_date.as_ref())
            .maybe("resolutionDate", self.resolution_date.as_ref())
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
    pub(super) minimum: Vec<Amount>,
}

impl Terms {
    pub(super) fn add_to(&self, body: Body) -> Body {
        body.maybe("rules", self.rules.as_deref())
            .maybe("feePercentage", self.fee.as_ref())
            .maybe("minimumOrderAmount", amounts(&self.minimum).as_ref())
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
    pub(super) fn body(&self) -> Result<Body, Trouble> {
        let (Some(slug), Some(title)) = (&self.slug, &self.details.title) else {
            return Err(Trouble::input(
                "An event is described by a file, or by --slug, --title and --category",
            ));
        };
        let titles = if self.markets.is_empty() { std::slice::from_ref(title) } else { &self.markets };
        let market = |title: &String| self.terms.add_to(Body::new().with("title", title)).raw();
        let markets: Vec<Box<RawValue>> = titles.iter().filter_map(market).collect();
        let currencies = if self.currencies.is_empty() { &[Currency::Usd] } else { &*self.currencies };
        let body = self.details.body().with("slug", slug);
        Ok(body
            .with("type", &self.event_type)
            .with("engine", &self.engine)
            .with("currencies", currencies)
            .with("markets", &markets))
    }
}
