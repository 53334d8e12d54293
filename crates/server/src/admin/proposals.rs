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

use super::operator_request::OperatorRequest;
use super::{answers, finding, requests};
use crate::access::people_failure;
use crate::app::App;
use crate::http::{Answered, Failure, json, ok};
use crate::view::resolution::final_from;
use crate::view::words::{ToApi, ToExchange};

const PROPOSED: &str = "Everyone can see it now; nothing is paid before it is finalised";

pub(super) async fn list_proposals(State(app): State<Arc<App>>) -> Answered {
    let proposals = {
        let exchange = app.reading().read_state();
        let mut pending: Vec<_> = exchange.governance().proposals().collect();
        pending.sort_by_key(|proposal| (proposal.at, proposal.id));
        pending.into_iter().map(|found| answers::proposal_state(&exchange, found)).collect()
    };
    ok(&Proposals { proposals })
}

pub(super) async fn propose_verdict(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    let given: ProposeVerdict = request.read()?;
    finding::require_event_in_memory(&request.app, &event).await?;
    let event = finding::event_id(&request.app.reading().read_state(), &event)?;
    let verdict = requests::verdict(given.outcomes.as_deref(), given.yes_price)?;
    let subject = Subject::Resolution { event, verdict };
    propose(&request, subject, requests::evidence(given.evidence)).await
}

pub(super) async fn propose_result(Path(game): Path<String>, request: OperatorRequest) -> Answered {
    let given: ProposeResult = request.read()?;
    let game = finding::game_id(&request.app.reading().read_state(), &game)?;
    let subject = Subject::GameResult { game, score: given.score.to_exchange() };
    propose(&request, subject, requests::evidence(given.evidence)).await
}

async fn propose(request: &OperatorRequest, subject: Subject, evidence: Evidence) -> Answered {
    let id = ProposalId::new(request.new_id().as_u128());
    request.operate(Command::Propose(Propose { id, subject, evidence })).await?;
    let exchange = request.app.reading().read_state();
    let proposal = exchange.governance().proposal(id);
    let from = proposal.map_or_else(|| exchange.now(), |proposal| final_from(&exchange, proposal));
    let proposed =
        Proposed { proposal_id: id.to_api(), final_from: from.to_api(), message: PROPOSED.to_owned() };
    Ok(json(StatusCode::CREATED, &proposed))
}

pub(super) async fn finalise(Path(proposal): Path<String>, request: OperatorRequest) -> Answered {
    let proposal = finding::proposal_id(&proposal)?;
    let erased = request.app.reading().read_state().directory().erased().len();
    request.operate(Command::Finalise(Finalise { proposal })).await?;
    if request.app.reading().read_state().directory().erased().len() > erased {
        request.app.access().sweeps().sweep(None).await.map_err(people_failure)?;
    }
    list_proposals(State(request.app.clone())).await
}

pub(super) async fn withdraw(Path(proposal): Path<String>, request: OperatorRequest) -> Answered {
    let Withdraw { reason } = request.read()?;
    let proposal = finding::proposal_id(&proposal)?;
    request.operate(Command::Withdraw(command::Withdraw { proposal, reason: Text::from(reason) })).await?;
    list_proposals(State(request.app.clone())).await
}

pub(super) async fn preview_verdict(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    let given: GivenVerdict = request.read()?;
    finding::require_event_in_memory(&request.app, &event).await?;
    let event = finding::event_id(&request.app.reading().read_state(), &event)?;
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
