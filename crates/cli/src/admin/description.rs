//! An event described by flags, for those who do not want a file for one question.

use api::Timestamp;
use api::decimal::Percent;
use api::terms::{Currency, Engine, EventType};
use clap::Args;
use serde_json::value::RawValue;

use super::desk::{Body, Trouble};
use super::values::{Amount, amount, amounts, percent, time, word};

/// Words and dates, of a new event or of a draft.
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
    /// Who says what happened
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// What else a trader should know
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,
    /// When trading stops by itself, such as 2031-01-01T00:00:00Z
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

/// What every market of the event has.
#[derive(Debug, Args)]
pub(super) struct Terms {
    /// What decides it
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

/// A whole event.
#[derive(Debug, Args)]
pub(super) struct Event {
    /// Its name in addresses: lower-case letters, digits, hyphens
    #[arg(long)]
    slug: Option<String>,
    /// single: one market; combined: one of them wins; grouped: each on its own
    #[arg(long = "type", value_parser = word::<EventType>, default_value = "single")]
    event_type: EventType,
    /// CLOB is an order book, AMM a pool
    #[arg(long, value_parser = word::<Engine>, default_value = "CLOB")]
    engine: Engine,
    /// What it trades in; once for each currency [default: USD]
    #[arg(long = "currency", value_parser = word::<Currency>)]
    currencies: Vec<Currency>,
    /// The title of a market; once for each. Without one it is the event's
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
