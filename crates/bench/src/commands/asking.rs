//! Requests to a node with the same world: how long each holds the lock of the state.
//!
//! The lists that people page through are in `bench looks`. Here are the reads whose length depends on the deepest book, the
//! most holders or the most proposals.

use std::sync::Arc;

use exchange::Request;
use exchange::command::{Command, CreateOperator};
use exchange::id::OperatorId;
use exchange::identity::{Actor, Role};
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::Time;
use load::Problem;
use load::looking::{Callers, Looker, Question};
use load::stage::{rates, settle};
use server::app::App;
use server::node::Node;
use server::pipeline::clock::ManualClock;
use server::secrets::token_hash;

use crate::ids::{self, Kind};
use crate::lookups::Looked;
use crate::world::{self, START, Sizes, Venue};

/// Requests that wait at once.
const CHUNK: usize = 2_000;
const TOKEN: &str = "the token of an operator of the bench";

pub fn measure(sizes: &Sizes, only: &str) -> Result<Vec<Looked>, Problem> {
    let questions = [of_traders(), of_markets(), of_operators(sizes)].into_iter().flatten();
    let questions: Vec<Question> = questions.filter(|question| question.name.contains(only)).collect();
    if questions.is_empty() {
        return Ok(Vec::new());
    }
    let folder = tempfile::tempdir()?;
    let clock = Arc::new(ManualClock::new(START.micros()));
    let builder = Node::builder(folder.path()).rates(rates());
    let node = builder.clock(clock.clone()).journal_clock(clock.clone()).start()?;
    let callers = Callers { public_key: format!("pk_{}", ids::TRADER), token: TOKEN };
    let looker = Looker::new(&node, clock.clone(), callers)?;
    create(&node.app, &clock, sizes)?;
    settle(&node, node.app.reading().state().seq())?;
    let mut asked = Vec::new();
    for question in questions {
        let looks = looker.looks(&question)?;
        asked.push(Looked::of(format!("request: {}", question.name), looks));
    }
    drop(looker);
    node.stop()?;
    Ok(asked)
}

/// Writes the world to a node, at the times of its requests.
struct Writer<'a> {
    app: &'a App,
    clock: &'a ManualClock,
    at: Time,
    waiting: Vec<Request>,
    problem: Option<Problem>,
}

impl Writer<'_> {
    fn flush(&mut self) {
        let requests = std::mem::take(&mut self.waiting);
        if requests.is_empty() || self.problem.is_some() {
            return;
        }
        match self.app.writing().sequencer().submit_all_blocking(requests) {
            Ok(answers) => {
                let refused = answers.into_iter().find_map(|answer| answer.result.err());
                self.problem = refused.map(|reject| format!("the world cannot be made: {reject:?}").into());
            }
            Err(error) => self.problem = Some(error.into()),
        }
    }
}

impl Venue for Writer<'_> {
    fn send(&mut self, at: Time, request: Request) {
        if at != self.at {
            self.flush();
            self.clock.advance_micros(at.micros() - self.at.micros());
            self.at = at;
        }
        self.waiting.push(request);
        if self.waiting.len() == CHUNK {
            self.flush();
        }
    }
}

fn create(app: &App, clock: &ManualClock, sizes: &Sizes) -> Result<(), Problem> {
    let mut writer = Writer { app, clock, at: START, waiting: Vec::new(), problem: None };
    world::create(&mut writer, sizes);
    let operator = CreateOperator {
        id: OperatorId::new(1),
        name: Text::from("bench"),
        role: Role::Approver,
        token_hash: token_hash(TOKEN.as_bytes()),
    };
    let command = Command::CreateOperator(operator);
    writer.send(sizes.now(), Request { actor: Actor::System, idempotency: None, command });
    writer.flush();
    writer.problem.map_or(Ok(()), Err)
}

fn quote(name: &str, kind: Kind, rest: &str) -> Question {
    let path = format!("/v1/pm/events/{}/markets/{}/quote", ids::event(kind, 0), ids::market(kind, 0, 0));
    let outcome = ids::outcome(kind, 0, Outcome::Yes);
    Question::post(name, path, format!(r#"{{"side":"BUY","outcomeId":"{outcome}",{rest}}}"#))
}

fn of_traders() -> Vec<Question> {
    let last = format!("/v1/pm/orders?status=open&size=100&marketId={}", ids::market(Kind::Deep, 0, 0));
    vec![
        quote("quote of the whole book, 5,000 own orders", Kind::Deep, r#""amount":900000000"#),
        quote(
            "quote of an order, 500 own orders at the end",
            Kind::Deep,
            r#""quantity":25000000,"price":0.99,"timeInForce":"FOK","stpMode":"CANCEL_OLDEST""#,
        ),
        quote("quote on a pool", Kind::Pool, r#""amount":50"#),
        Question::get("portfolio, 5,000 own orders", "/v1/pm/portfolio?size=100"),
        Question::get("account changes", "/v1/pm/account/changes"),
        Question::get("open orders of one market", last),
        Question::get("watchlist", "/v1/pm/events?size=100&watchlist=true"),
    ]
}

fn of_markets() -> Vec<Question> {
    let (deep, cup) = (ids::market(Kind::Deep, 0, 0), ids::event(Kind::Cup, 0));
    let outcome = ids::outcome(Kind::Deep, 0, Outcome::Yes);
    vec![
        Question::get("book", format!("/v1/pm/books?depth=99&outcomeId={outcome}")),
        Question::get("ticker", format!("/v1/pm/markets/{deep}/ticker?outcome=YES")),
        Question::get("market changes", format!("/v1/pm/markets/{deep}/changes")),
        Question::get("event of 100 markets", format!("/v1/pm/events/{cup}")),
        Question::get("resolution of 100 markets", format!("/v1/pm/events/{cup}/resolution")),
        Question::get("events of games", "/v1/pm/events?size=100&category=sports"),
        Question::get("series", "/v1/pm/events/series"),
        Question::get("search", "/v1/pm/events?size=100&q=wins"),
    ]
}

fn of_operators(sizes: &Sizes) -> Vec<Question> {
    let preview = |kind| format!("/admin/v1/events/{}/preview", ids::event(kind, 0));
    let cancelled = r#"{"yesPrice":0.50}"#;
    let election = format!("/admin/v1/proposals/{}/preview", ids::verdict_proposal(sizes.elections - 1));
    vec![
        Question::post("preview: all holders", preview(Kind::Held), cancelled),
        Question::post("preview: the large book", preview(Kind::Deep), cancelled),
        Question::post("preview: 100 markets with holders and orders", preview(Kind::Cup), cancelled),
        Question::get("preview: outcomes of 100 markets without holders", election),
        Question::get("proposals", "/admin/v1/proposals"),
        Question::get("operators", "/admin/v1/operators"),
        Question::get("admin series", "/admin/v1/series"),
        Question::get("admin sports", "/admin/v1/sports"),
        Question::get("admin event of 100 markets", format!("/admin/v1/events/{}", ids::event(Kind::Cup, 0))),
        Question::get("admin user with 5,000 orders", format!("/admin/v1/users/{}", ids::user(ids::TRADER))),
        Question::get("admin status", "/admin/v1/status"),
        Question::get("metrics", "/metrics"),
    ]
}
