//! Those who run the venue, and what they may do alone. Where two are required, what one approver asks for becomes a
//! proposal for another one.

use std::sync::Arc;

use axum::extract::{Path, State};
use exchange::command::Command;
use exchange::governance::{Evidence, Subject};
use exchange::id::{OperatorId, ProposalId};
use exchange::text::Text;
use http::StatusCode;
use uuid::Uuid;

use super::answers::{CreatedOperator, OperatorState, Operators, PolicyState, Proposed};
use super::asking::Asked;
use super::finding;
use super::requests::{CreateOperator, SetPolicy};
use crate::app::App;
use crate::http::{Answered, Failure, json, ok};
use crate::secrets::{random_token, token_hash};
use crate::view::words::{ToApi, ToExchange};

const CREATED: &str = "Hand the token over in private: it is not shown again";
const PROPOSED_APPROVER: &str = "Two are required: the token is good once another approver finalises the proposal. It is not \
    shown again";
const PROPOSED_POLICY: &str = "Two are required: another approver finalises the proposal";

pub(super) async fn list_operators(State(app): State<Arc<App>>) -> Answered {
    let exchange = app.shared.read();
    let operators = exchange.directory().operators().map(|operator| OperatorState::of(&exchange, operator));
    ok(&Operators { operators: operators.collect() })
}

pub(super) async fn create_operator(asked: Asked) -> Answered {
    let CreateOperator { name, role } = asked.read()?;
    let token = format!("op_{}", random_token());
    let id = OperatorId::new(Uuid::now_v7().as_u128());
    let (hash, text) = (token_hash(token.as_bytes()), Text::from(name.as_str()));
    let proposal = ProposalId::new(Uuid::now_v7().as_u128());
    let create =
        Command::CreateOperator { id, name: text.clone(), role: role.to_exchange(), token_hash: hash };
    let propose = || {
        let subject = Subject::Approver { id, name: text, token_hash: hash };
        Command::Propose { id: proposal, subject, evidence: Evidence::default() }
    };
    let is_proposed = asked.operate_or_propose(create, propose).await?;
    let (status, message) = match is_proposed {
        true => (StatusCode::ACCEPTED, PROPOSED_APPROVER),
        false => (StatusCode::CREATED, CREATED),
    };
    let proposal_id = is_proposed.then(|| proposal.to_api());
    let created = CreatedOperator { operator_id: id.to_api(), name, role, token, proposal_id, message };
    Ok(json(status, &created))
}

pub(super) async fn revoke_operator(Path(operator): Path<String>, asked: Asked) -> Answered {
    let operator = finding::operator_id(&asked.app.shared.read(), &operator)?;
    asked.operate(Command::RevokeOperator { operator }).await?;
    let exchange = asked.app.shared.read();
    let mut operators = exchange.directory().operators();
    let found = operators.find(|known| known.id == operator);
    let found = found.ok_or_else(|| Failure::from(api::error::ErrorBody::internal()))?;
    ok(&OperatorState::of(&exchange, found))
}

pub(super) async fn get_policy(State(app): State<Arc<App>>) -> Answered {
    ok(&PolicyState::of(&app.shared.read().governance().policy))
}

pub(super) async fn set_policy(asked: Asked) -> Answered {
    let given: SetPolicy = asked.read()?;
    let policy = given.over(&asked.app.shared.read().governance().policy);
    let id = ProposalId::new(Uuid::now_v7().as_u128());
    let propose = || {
        let subject = Subject::Policy(policy);
        Command::Propose { id, subject, evidence: Evidence::default() }
    };
    if !asked.operate_or_propose(Command::SetPolicy(policy), propose).await? {
        return ok(&PolicyState::of(&asked.app.shared.read().governance().policy));
    }
    let proposed = Proposed {
        proposal_id: id.to_api(),
        final_from: asked.app.shared.read().now().to_api(),
        message: PROPOSED_POLICY,
    };
    Ok(json(StatusCode::ACCEPTED, &proposed))
}
