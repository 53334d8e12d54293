//! Proposals: propose a verdict with evidence, preview its payout, finalise or withdraw it.

use std::sync::Arc;

use api::admin::request::{GivenVerdict, ProposeResult, ProposeVerdict, Withdraw};
use api::admin::response::{Proposals, Proposed};
use api::error::ErrorBody;
use axum::extract::{Path, State};
use exchange::command::{self, Command, Finalise, Propose};
use exchange::governance::{Evidence, Subject};
use exchange::id::ProposalId;
use exchange::reject::Reject;
use exchange::text::Text;
use http::StatusCode;

use super::operator_request::{OperatorRequest, render};
use super::{answers, finding, requests};
use crate::access::people_failure;
use crate::app::App;
use crate::http::{Answered, Failure, json, ok};
use crate::respond::Shown;
use crate::view::words::ToExchange;

const PROPOSED: &str = "Everyone can see it now; nothing is paid before it is finalised";

pub(super) async fn list_proposals(State(app): State<Arc<App>>) -> Answered {
    let proposals = answers::proposals(&app.reading().read_state());
    ok(&Proposals { proposals })
}

pub(super) async fn propose_verdict(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    let given: ProposeVerdict = request.read()?;
    let event = finding::event_in_memory(&request.app, &event).await;
    let subject = event.and_then(|event| {
        let verdict = requests::verdict(given.outcomes.as_deref(), given.yes_price)?;
        Ok(Subject::Resolution { event, verdict })
    });
    propose(&request, subject, requests::evidence(given.evidence)).await
}

pub(super) async fn propose_result(Path(game): Path<String>, request: OperatorRequest) -> Answered {
    let given: ProposeResult = request.read()?;
    let game = finding::game_id(&request.app.reading().read_state(), &game);
    let subject = game.map(|game| Subject::GameResult { game, score: given.score.to_exchange() });
    propose(&request, subject, requests::evidence(given.evidence)).await
}

async fn propose(
    request: &OperatorRequest,
    subject: Result<Subject, Failure>,
    evidence: Evidence,
) -> Answered {
    let id = ProposalId::new(request.new_id().as_u128());
    let command = subject.map(|subject| Command::Propose(Propose { id, subject, evidence }));
    let Shown::Proposed { proposal: proposal_id, final_from } = request.operate(command).await? else {
        return Err(ErrorBody::internal().into());
    };
    let proposed = Proposed { proposal_id, final_from, message: PROPOSED.to_owned() };
    Ok(json(StatusCode::CREATED, &proposed))
}

pub(super) async fn finalise(Path(proposal): Path<String>, request: OperatorRequest) -> Answered {
    let proposal = finding::proposal_id(&proposal)?;
    let shown = request.operate(Ok(Command::Finalise(Finalise { proposal }))).await?;
    if let Shown::Proposals { erases: true, .. } = shown {
        request.app.access().sweeps().sweep(None).await.map_err(people_failure)?;
    }
    render(StatusCode::OK, shown)
}

pub(super) async fn withdraw(Path(proposal): Path<String>, request: OperatorRequest) -> Answered {
    let Withdraw { reason } = request.read()?;
    let proposal = finding::proposal_id(&proposal)?;
    let command = Command::Withdraw(command::Withdraw { proposal, reason: Text::from(reason) });
    request.answer(StatusCode::OK, Ok(command)).await
}

pub(super) async fn preview_verdict(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    let given: GivenVerdict = request.read()?;
    let event = finding::event_in_memory(&request.app, &event).await?;
    let verdict = requests::verdict(given.outcomes.as_deref(), given.yes_price)?;
    preview(&request.app, &Subject::Resolution { event, verdict })
}

pub(super) async fn preview_result(Path(game): Path<String>, request: OperatorRequest) -> Answered {
    let score: api::response::Score = request.read()?;
    let game = finding::game_id(&request.app.reading().read_state(), &game)?;
    preview(&request.app, &Subject::GameResult { game, score: score.to_exchange() })
}

pub(super) async fn preview_proposal(State(app): State<Arc<App>>, Path(proposal): Path<String>) -> Answered {
    let id = finding::proposal_id(&proposal)?;
    let found = app.reading().read_state().governance().proposal(id).map(|proposal| proposal.subject.clone());
    let missing = || Failure::from(ErrorBody::not_found("Proposal not found"));
    preview(&app, &found.ok_or_else(missing)?)
}

fn preview(app: &App, subject: &Subject) -> Answered {
    let exchange = app.reading().read_state();
    let refuse = |reject: Reject| app.writing().refuse(&reject);
    let preview = exchange.preview_subject(subject).map_err(refuse)?;
    let preview = answers::payout_preview(&exchange, &preview);
    drop(exchange);
    ok(&preview)
}
