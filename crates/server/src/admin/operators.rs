//! Operators, and the policy on what one of them may do alone. Where two persons are required, a request of one approver
//! becomes a proposal for another.

use std::sync::Arc;

use api::admin::request::{self, ChangeRole, CreateOperator, SetPolicy};
use api::admin::response::{CreatedOperator, Operators};
use axum::extract::{Path, State};
use exchange::command::{self, Command, ConfirmOperator, RevokeOperator, SuspendOperator};
use exchange::id::OperatorId;
use exchange::text::Text;
use http::StatusCode;

use super::operator_request::OperatorRequest;
use super::{answers, finding, requests};
use crate::app::App;
use crate::http::{Answered, json, ok};
use crate::respond::Shown;
use crate::view::words::{ToApi, ToExchange};

const CREATED: &str = "The operator's own token works from now on";
const PROPOSED: &str = "Another approver finalises the proposal; the operator's own token works from then on";

pub(super) async fn list_operators(State(app): State<Arc<App>>) -> Answered {
    let operators = {
        let exchange = app.reading().read_state();
        let operators = exchange.directory().operators();
        operators.map(|operator| answers::operator_state(&exchange, operator)).collect()
    };
    ok(&Operators { operators })
}

pub(super) async fn create_operator(request: OperatorRequest) -> Answered {
    let given: CreateOperator = request.read()?;
    let token_hash = requests::token_hash(&given)?;
    let CreateOperator { name, role, .. } = given;
    let id = OperatorId::new(request.new_id().as_u128());
    let create = Command::CreateOperator(command::CreateOperator {
        id,
        name: Text::from(name.as_str()),
        role: role.to_exchange(),
        token_hash,
    });
    let (status, proposal_id, message) = match request.operate_or_propose(Ok(create)).await? {
        Shown::Proposed { proposal, .. } => (StatusCode::ACCEPTED, Some(proposal), PROPOSED),
        _ => (StatusCode::CREATED, None, CREATED),
    };
    Ok(json(
        status,
        &CreatedOperator { operator_id: id.to_api(), name, role, proposal_id, message: message.to_owned() },
    ))
}

pub(super) async fn change_role(Path(operator): Path<String>, request: OperatorRequest) -> Answered {
    let role = request.read::<ChangeRole>()?.role.to_exchange();
    act(&operator, &request, |operator| Command::ChangeRole(command::ChangeRole { operator, role })).await
}

pub(super) async fn confirm_operator(Path(operator): Path<String>, request: OperatorRequest) -> Answered {
    act(&operator, &request, |operator| Command::ConfirmOperator(ConfirmOperator { operator })).await
}

pub(super) async fn suspend_operator(Path(operator): Path<String>, request: OperatorRequest) -> Answered {
    let until = request.read_or_default::<request::SuspendOperator>()?.until.map(ToExchange::to_exchange);
    act(&operator, &request, |operator| {
        Command::SuspendOperator(SuspendOperator { operator, suspended: true, until })
    })
    .await
}

pub(super) async fn reinstate_operator(Path(operator): Path<String>, request: OperatorRequest) -> Answered {
    act(&operator, &request, |operator| {
        Command::SuspendOperator(SuspendOperator { operator, suspended: false, until: None })
    })
    .await
}

pub(super) async fn revoke_operator(Path(operator): Path<String>, request: OperatorRequest) -> Answered {
    act(&operator, &request, |operator| Command::RevokeOperator(RevokeOperator { operator })).await
}

/// Submits or proposes a command about an operator.
async fn act(
    operator: &str,
    request: &OperatorRequest,
    command: impl FnOnce(OperatorId) -> Command,
) -> Answered {
    let operator = finding::operator_id(&request.app.reading().read_state(), operator);
    request.answer_or_propose(StatusCode::OK, operator.map(command)).await
}

pub(super) async fn get_policy(State(app): State<Arc<App>>) -> Answered {
    let policy = app.reading().read_state().governance().policy;
    ok(&answers::policy_state(&policy))
}

pub(super) async fn set_policy(request: OperatorRequest) -> Answered {
    let change = requests::policy_change(&request.read::<SetPolicy>()?);
    // The first rules have the whole policy only.
    let command = if request.has_rules(4) {
        Command::ChangePolicy(change)
    } else {
        Command::SetPolicy(change.over(&request.app.reading().read_state().governance().policy))
    };
    request.answer_or_propose(StatusCode::OK, Ok(command)).await
}
