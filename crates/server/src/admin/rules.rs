//! The version of the rules that the log uses, and its upgrade.

use std::sync::Arc;

use api::admin::request::UpgradeRules;
use api::admin::response::{NodeRules, RulesState};
use api::error::ErrorBody;
use axum::extract::State;
use exchange::Exchange;
use exchange::command::{self, Command};
use http::StatusCode;
use journal::postgres::LiveNode;

use super::operator_request::{OperatorRequest, render};
use crate::app::App;
use crate::http::{Answered, Failure, ok};
use crate::respond::Shown;

pub(super) async fn rules(State(app): State<Arc<App>>) -> Answered {
    let nodes = live_nodes(&app).await?;
    let (version, digest_version) = {
        let exchange = app.reading().read_state();
        (exchange.rules_version(), exchange.digest_version())
    };
    ok(&rules_state(version, digest_version, &nodes))
}

/// Moves the log to newer rules. Refused while a live node does not support them, because it would stop at this command.
pub(super) async fn upgrade_rules(request: OperatorRequest) -> Answered {
    let UpgradeRules { version } = request.read()?;
    if version > Exchange::rules_known() {
        let known = Exchange::rules_known();
        let message = format!("this node knows rules up to {known}, not {version}: upgrade its build first");
        return Err(ErrorBody::bad_request(message).into());
    }
    let nodes = live_nodes(&request.app).await?;
    if let Some(node) = nodes.iter().find(|node| node.rules < version) {
        let message = format!(
            "node {:016x} ({}) knows rules up to {}, not {version}: upgrade or stop it first",
            node.mark, node.build, node.rules
        );
        return Err(ErrorBody::conflict(message).into());
    }
    let upgrade = Command::UpgradeRules(command::UpgradeRules { version });
    match request.operate_or_propose(Ok(upgrade)).await? {
        Shown::Rules { version, digest_version } => ok(&rules_state(version, digest_version, &nodes)),
        shown => render(StatusCode::OK, shown),
    }
}

/// Submits the command that only the next version has, for drills of a rolling upgrade.
#[cfg(feature = "next")]
pub(super) async fn drill_upgrade(request: OperatorRequest) -> Answered {
    #[derive(serde::Deserialize)]
    struct Drill {
        number: u64,
    }
    let Drill { number } = request.read()?;
    match request.operate(Ok(Command::DrillUpgrade(command::DrillUpgrade { number }))).await? {
        Shown::Rules { version, digest_version } => ok(&rules_state(version, digest_version, &[])),
        shown => render(StatusCode::OK, shown),
    }
}

/// The live nodes of a shared log; none if this node has its own journal.
async fn live_nodes(app: &Arc<App>) -> Result<Vec<LiveNode>, Failure> {
    let Some(nodes) = app.nodes().cloned() else { return Ok(Vec::new()) };
    let live = tokio::task::spawn_blocking(move || nodes.live()).await;
    match live {
        Ok(Ok(live)) => Ok(live),
        Ok(Err(error)) => {
            tracing::warn!(%error, "cannot list the nodes of the log");
            Err(ErrorBody::unavailable("The log's database is away", 1).into())
        }
        Err(_) => Err(ErrorBody::internal().into()),
    }
}

fn rules_state(version: u32, digest_version: u32, nodes: &[LiveNode]) -> RulesState {
    RulesState {
        version,
        known: Exchange::rules_known(),
        digest_version,
        nodes: nodes
            .iter()
            .map(|node| NodeRules {
                node: format!("{:016x}", node.mark),
                build: node.build.clone(),
                known: node.rules,
            })
            .collect(),
    }
}
