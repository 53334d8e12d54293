//! `admin events`: the life of an event, from draft to payout. EVENT is a slug or an id.

use std::path::PathBuf;

use api::Word;
use api::admin::request::{CancelMarkets, GivenVerdict, ProposeVerdict, ResolveMarket};
use api::admin::response::{EventDetail, EventState};
use api::decimal::Money;
use api::terms::{OutcomeSide, Status};
use clap::Subcommand;
use uuid::Uuid;

use super::client::Method;
use super::description::{Details, Event};
use super::desk::{CommandError, Desk, PAYOUT_COLUMNS, query, segment, text};
use super::files;
use super::proposals;
use super::values::{Evidence, Ruling, money, ruling, word};
use super::verdict::{self, Verdict};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List events, drafts included
    List {
        #[arg(long, value_parser = word::<Status>)]
        status: Option<Status>,
        #[arg(long)]
        category: Option<String>,
        /// Part of the title or slug
        #[arg(long)]
        keyword: Option<String>,
        #[arg(long)]
        page: Option<u32>,
        #[arg(long)]
        size: Option<u32>,
    },
    /// Show all details of an event
    Show { event: String },
    /// Create a draft, from a TOML or JSON file or from flags
    Create {
        /// The description; `-` is JSON on standard input
        file: Option<PathBuf>,
        #[command(flatten)]
        event: Box<Event>,
    },
    /// Change a draft; omitted fields stay unchanged
    Edit {
        event: String,
        /// The changes, as TOML or JSON; otherwise flags
        #[arg(long)]
        file: Option<PathBuf>,
        #[command(flatten)]
        details: Box<Details>,
    },
    /// Open a draft for trading
    Open { event: String },
    /// Pause trading
    Pause { event: String },
    /// Resume trading
    Resume { event: String },
    /// Close trading permanently; resting orders are refunded
    Close { event: String },
    /// Cancel the event and pay every share at a fixed price, regardless of the outcome
    Cancel {
        event: String,
        /// The payout of a YES share, 0 to 1; NO pays the rest
        #[arg(long, value_name = "PRICE", value_parser = money, default_value = "0.5")]
        yes_price: Money,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Resolve the event and pay at once, where one person may
    Resolve {
        event: String,
        /// YES or NO; with several markets `2=YES`, once for each market by its number or id
        #[arg(long = "outcome", value_name = "OUTCOME", value_parser = ruling, required = true)]
        outcomes: Vec<Ruling>,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Preview the payout of a verdict; changes nothing
    Preview {
        event: String,
        #[command(flatten)]
        verdict: Verdict,
    },
    /// Propose a verdict with evidence, which becomes public
    Propose {
        event: String,
        #[command(flatten)]
        verdict: Verdict,
        #[command(flatten)]
        evidence: Evidence,
    },
    /// Execute the proposed verdict and pay
    Finalise {
        event: String,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Withdraw the proposed verdict
    Withdraw {
        event: String,
        #[arg(long)]
        reason: String,
    },
}

/// Columns of an event's markets, then of its verdicts.
const SHOWN_COLUMNS: &[&str] = &[
    "marketId",
    "title",
    "status",
    "yesPayout",
    "feePercentage",
    "minimumOrderAmount",
    "listings",
    "verdict",
    "evidence",
    "proposedBy",
    "ending",
    "reason",
    "endedBy",
    "endedAt",
];

fn path(event: &str, action: &str) -> String {
    format!("/admin/v1/events/{}/{action}", segment(event))
}

impl Command {
    pub(super) fn run(&self, desk: &Desk) -> Result<(), CommandError> {
        match self {
            Command::List { status, category, keyword, page, size } => {
                let query = query(&[
                    ("status", status.map(|status| status.as_str().to_owned())),
                    ("category", category.clone()),
                    ("keyword", keyword.clone()),
                    ("page", page.map(|page| page.to_string())),
                    ("size", size.map(|size| size.to_string())),
                ]);
                let columns =
                    ["slug", "title", "status", "type", "engine", "category", "markets", "closingDate"];
                desk.show(&format!("/admin/v1/events?{query}"), &columns)
            }
            Command::Show { event } => {
                desk.show(&format!("/admin/v1/events/{}", segment(event)), SHOWN_COLUMNS)
            }
            Command::Create { file, event } => {
                let body = match file {
                    Some(file) => files::description(file)?,
                    None => text(&event.create()?),
                };
                desk.print(&desk.request(Method::Post, "/admin/v1/events", &body)?, &[]);
                Ok(())
            }
            Command::Edit { event, file, details } => {
                let body = match file {
                    Some(file) => files::description(file)?,
                    None => text(&details.edit()),
                };
                desk.print(&desk.request(Method::Post, &path(event, "edit"), &body)?, &[]);
                Ok(())
            }
            Command::Open { event } => desk.act(&path(event, "open")),
            Command::Pause { event } => desk.act(&path(event, "pause")),
            Command::Resume { event } => desk.act(&path(event, "resume")),
            Command::Close { event } => desk.act(&path(event, "close")),
            Command::Cancel { event, yes_price, yes } => {
                let verdict = GivenVerdict { outcomes: None, yes_price: Some(*yes_price) };
                let preview = desk.preview(&path(event, "preview"), &verdict, *yes)?;
                desk.confirm(preview.as_deref(), &format!("Cancel {event} and pay this?"), *yes)?;
                let body = CancelMarkets { yes_price: Some(*yes_price) };
                desk.send(Method::Post, &path(event, "cancel"), &body, &[])
            }
            Command::Resolve { event, outcomes, yes } => resolve(desk, event, outcomes, *yes),
            Command::Preview { event, verdict } => {
                let body = verdict.given(desk, event)?;
                desk.send(Method::Post, &path(event, "preview"), &body, PAYOUT_COLUMNS)
            }
            Command::Propose { event, verdict, evidence } => {
                let GivenVerdict { outcomes, yes_price } = verdict.given(desk, event)?;
                let body = ProposeVerdict { outcomes, yes_price, evidence: evidence.given() };
                desk.send(Method::Post, &path(event, "propose"), &body, &[])
            }
            Command::Finalise { event, yes } => proposals::finalise(desk, &pending(desk, event)?, *yes),
            Command::Withdraw { event, reason } => proposals::withdraw(desk, &pending(desk, event)?, reason),
        }
    }
}

/// The id of the pending proposal for an event.
fn pending(desk: &Desk, event: &str) -> Result<String, CommandError> {
    let shown: EventDetail = desk.get_json(&format!("/admin/v1/events/{}", segment(event)))?;
    let id = shown.proposal.map(|proposal| proposal.proposal_id.to_string());
    id.ok_or_else(|| CommandError::input(format!("Nothing is proposed for {event}")))
}

fn resolve(desk: &Desk, event: &str, given: &[Ruling], yes: bool) -> Result<(), CommandError> {
    let mut rulings = verdict::rulings(desk, event, given)?;
    let body = GivenVerdict { outcomes: Some(rulings.clone()), yes_price: None };
    let preview = desk.preview(&path(event, "preview"), &body, yes)?;
    desk.confirm(preview.as_deref(), &format!("Resolve {event} and pay this?"), yes)?;
    // YES first: a winner of a combined event resolves its siblings NO, so those given as NO need no request.
    rulings.sort_by_key(|ruling| ruling.outcome != OutcomeSide::Yes);
    let mut last = None;
    for ruling in &rulings {
        let is_done = last.as_deref().is_some_and(|event| is_resolved(event, ruling.market_id));
        if !is_done {
            let body = text(&ResolveMarket { outcome: ruling.outcome });
            let path = format!("/admin/v1/markets/{}/resolve", ruling.market_id);
            last = Some(desk.request(Method::Post, &path, &body)?);
        }
    }
    if let Some(event) = last {
        desk.print(&event, &[]);
    }
    Ok(())
}

fn is_resolved(event: &str, market: Uuid) -> bool {
    let is_resolved = |event: EventState| {
        let mut markets = event.markets.iter();
        markets.any(|shown| shown.market_id == market && shown.status == Status::Resolved)
    };
    serde_json::from_str(event).is_ok_and(is_resolved)
}
