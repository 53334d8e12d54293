//! The operators' listener: a module for each group of its routes, `roles` for access, `audit` for the audit trail.
//! `Office` has one operator of each role, and a revoked one.

mod audit;
mod erasing;
mod events;
mod markets;
mod meanwhile;
mod news;
mod page;
mod people;
mod pictures;
mod proposals;
mod repeating;
mod roles;
mod sequence;
mod series;
mod sports;
mod statistics;

use std::sync::Arc;

use exchange::command::{Command, CreateOperator, RevokeOperator};
use exchange::id::{Hash32, OperatorId};
use exchange::identity::Role;
use exchange::text::Text;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stage::node::{self, Answered, Draft, Gate, Stage, draft, get};
use uuid::Uuid;

/// An operator with a token.
#[derive(Clone, Debug)]
struct Operator {
    id: Uuid,
    name: &'static str,
    token: String,
}

struct Office {
    stage: Stage,
    viewer: Operator,
    operator: Operator,
    approver: Operator,
    second: Operator,
    revoked: Operator,
}

/// The token of a new approver.
pub(crate) async fn approver_token(stage: &Stage) -> String {
    appoint(stage, "approver", Role::Approver).await.token
}

impl Office {
    async fn open() -> Office {
        Office::on(Stage::open().await).await
    }

    /// Like `open`, with a gate before its journal.
    async fn open_behind(gate: &Arc<Gate>) -> Office {
        Office::on(Stage::open_behind(gate).await).await
    }

    async fn on(stage: Stage) -> Office {
        let viewer = appoint(&stage, "vera", Role::Viewer).await;
        let operator = appoint(&stage, "otto", Role::Operator).await;
        let approver = appoint(&stage, "anna", Role::Approver).await;
        let second = appoint(&stage, "axel", Role::Approver).await;
        let revoked = appoint(&stage, "gone", Role::Approver).await;
        let operator_id = OperatorId::new(revoked.id.as_u128());
        stage.operate(Command::RevokeOperator(RevokeOperator { operator: operator_id })).await;
        Office { stage, viewer, operator, approver, second, revoked }
    }

    /// Sends a request to the operators' router.
    async fn ask(&self, draft: Draft) -> Answered {
        // One request a second, so that no limit applies here.
        self.stage.clock.advance_seconds(1);
        node::ask(server::admin::router(self.stage.app().clone()), draft).await
    }

    async fn get(&self, path: &str) -> Answered {
        self.ask(with_token(get(path), &self.viewer)).await
    }

    async fn send(&self, by: &Operator, method: &str, path: &str, body: Value) -> Answered {
        let bare = draft(method, path);
        let bare = if body.is_null() { bare } else { bare.json(&body) };
        self.ask(with_token(bare, by)).await
    }

    /// Sends a request as the operator.
    #[track_caller]
    fn post<'a>(&'a self, path: &'a str, body: Value) -> impl Future<Output = Answered> + 'a {
        self.send(&self.operator, "POST", path, body)
    }

    async fn two_required(&self) {
        let policy = json!({"twoRequired": true});
        self.send(&self.approver, "PUT", "/admin/v1/policy", policy).await.expect(200);
    }

    /// A draft on the book, with one market for each title.
    async fn draft(&self, slug: &str, kind: &str, titles: &[&str]) -> Value {
        let markets: Vec<Value> = titles.iter().map(|title| json!({"title": title})).collect();
        let description = json!({
            "slug": slug, "title": "Does it?", "type": kind, "engine": "CLOB", "currencies": ["USD"],
            "category": "tests", "markets": markets,
        });
        self.post("/admin/v1/events", description).await.expect(201)
    }
}

fn with_token(draft: Draft, operator: &Operator) -> Draft {
    draft.header("authorization", format!("Bearer {}", operator.token))
}

async fn appoint(stage: &Stage, name: &'static str, role: Role) -> Operator {
    let (id, token) = (Uuid::now_v7(), format!("op_{}", Uuid::new_v4()));
    let create = Command::CreateOperator(CreateOperator {
        id: OperatorId::new(id.as_u128()),
        name: Text::from(name),
        role,
        token_hash: Hash32::new(Sha256::digest(token.as_bytes()).into()),
    });
    stage.operate(create).await;
    Operator { id, name, token }
}
