//! Finds the market to watch from a word on the command line, its address and the key.

use std::time::Duration;

use api::Word;
use client::{Client, ClientBuilder, Currency, Error, Event, Market, Uuid};

use super::{Options, Outcome};
use crate::key_file::DEMO_FILE;

const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, thiserror::Error)]
pub(super) enum TargetError {
    #[error("{0} is neither USD nor NGN")]
    Currency(String),
    #[error("{}", printable(&.0.to_string()))]
    Exchange(#[from] Error),
    #[error("there is no market or event {0}")]
    NotFound(String),
    #[error("the event has several markets, name one of them:\n{0}")]
    Several(String),
}

#[derive(Clone, Debug)]
pub(super) struct Target {
    /// With a key, the open orders of its owner are shown too.
    pub(super) client: Client,
    pub(super) event: Uuid,
    pub(super) market: Uuid,
    pub(super) outcome: Outcome,
    pub(super) outcome_id: Uuid,
    pub(super) currency: Currency,
    /// The event's title, and the market's if it has several.
    pub(super) title: String,
    /// YES first.
    pub(super) labels: [String; 2],
}

impl Target {
    pub(super) async fn find(options: &Options) -> Result<Target, TargetError> {
        let client = client(options)?;
        let (event, market) = find(&client, &options.market).await?;
        let outcome_id = match options.outcome {
            Outcome::Yes => market.outcome1_id,
            Outcome::No => market.outcome2_id,
        };
        Ok(Target {
            currency: client.currency(),
            client,
            event: event.id,
            market: market.id,
            outcome: options.outcome,
            outcome_id,
            title: match event.markets() {
                [_] => printable(&event.title),
                _ => format!("{}: {}", printable(&event.title), printable(&market.title)),
            },
            labels: [&market.outcome1_label, &market.outcome2_label].map(|label| printable(label)),
        })
    }

    /// Whether the owner's orders are shown too.
    pub(super) fn has_key(&self) -> bool {
        self.client.credentials().is_some()
    }
}

/// Removes control characters: texts come from other users and could manipulate the terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}

fn client(options: &Options) -> Result<Client, TargetError> {
    let word = &options.currency;
    let currency = Currency::find_in_any_case(word).ok_or_else(|| TargetError::Currency(printable(word)))?;
    let mut builder = match &options.data {
        Some(folder) => ClientBuilder::from_demo(folder.join(DEMO_FILE), 1)?,
        None => Client::builder(&options.url),
    };
    if let Some(key) = &options.public_key {
        builder = builder.public_key(key);
    }
    // A person waits for the answer, and can start the command again.
    Ok(builder.currency(currency).timeout(PATIENCE).retry(Duration::ZERO).build()?)
}

/// Finds the event and its market.
async fn find(client: &Client, wanted: &str) -> Result<(Event, Market), TargetError> {
    if !wanted.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character)) {
        return Err(TargetError::NotFound(printable(wanted)));
    }
    match (client.event(wanted).await, Uuid::parse_str(wanted)) {
        (Ok(event), _) => only_market(event),
        (Err(error), Ok(id)) if error.is_not_found() => of_market(client, id).await,
        (Err(error), _) => Err(error.into()),
    }
}

fn only_market(event: Event) -> Result<(Event, Market), TargetError> {
    let market = match event.markets() {
        [market] => market.clone(),
        several => {
            let line = |market: &Market| format!("  {}  {}", market.id, printable(&market.title));
            let lines: Vec<_> = several.iter().map(line).collect();
            return Err(TargetError::Several(lines.join("\n")));
        }
    };
    Ok((event, market))
}

async fn of_market(client: &Client, id: Uuid) -> Result<(Event, Market), TargetError> {
    match client.market(id).await {
        Ok(market) => Ok((client.event(&market.event_id().to_string()).await?, market)),
        Err(error) if error.is_not_found() => Err(TargetError::NotFound(id.to_string())),
        Err(error) => Err(error.into()),
    }
}
