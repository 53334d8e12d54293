//! The audit log: who did what, when, and to which user, event or operator.

use std::sync::Arc;

use api::admin::query::AuditQuery;
use axum::extract::{Request, State};

use super::{answers, finding};
use crate::app::App;
use crate::audit_trail::EntrySubject;
use crate::history::AuditFilter;
use crate::http::{Answered, Failure, ok};
use crate::reading::history_failure;
use crate::view::words::ToExchange;

pub(super) async fn list_audit(State(app): State<Arc<App>>, request: Request) -> Answered {
    let query = AuditQuery::parse(request.uri().query().unwrap_or_default())?;
    let filter = filter(&app, &query)?;
    let history = app.reading().history_now().await?;
    let page = history.audit(filter, query.size.into()).await.map_err(history_failure)?;
    ok(&answers::audit_log(page))
}

fn filter(app: &App, query: &AuditQuery) -> Result<AuditFilter, Failure> {
    let exchange = app.reading().read_state();
    let mut names = Vec::new();
    if let Some(user) = &query.user {
        names.push(EntrySubject::User(finding::user_id(&exchange, user)?));
    }
    if let Some(event) = &query.event {
        names.push(EntrySubject::Event(finding::event_id(&exchange, event)?));
    }
    if let Some(market) = &query.market {
        names.push(EntrySubject::Market(finding::market_id(&exchange, market)?));
    }
    if let Some(operator) = &query.operator {
        names.push(EntrySubject::Operator(finding::operator_id(&exchange, operator)?));
    }
    Ok(AuditFilter {
        names,
        from: query.from.map(ToExchange::to_exchange),
        to: query.to.map(ToExchange::to_exchange),
        before: query.after,
    })
}
