//! The audit log for operators.

use api::Timestamp;
use api::terms;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::audit_trail::{By, Entry, Name};
use crate::history::AuditPage;
use crate::view::words::ToApi;

/// A page of the audit log, the newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditLog {
    entries: Vec<AuditEntry>,
    /// For `after`; not there on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<u64>,
}

/// Who asked for what, and what it was about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditEntry {
    sequence: u64,
    at: Timestamp,
    /// A name; `node` for the exchange itself.
    by: String,
    role: terms::Author,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator_id: Option<Uuid>,
    #[schema(example = "credit_wallet")]
    action: String,
    summary: String,
    /// The rule that refused it, if one did: nothing happened then.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    users: Vec<Uuid>,
    events: Vec<Uuid>,
    markets: Vec<Uuid>,
    /// Who was meant, beside who asked.
    operators: Vec<Uuid>,
    proposals: Vec<Uuid>,
}

impl AuditLog {
    pub fn of(page: AuditPage) -> AuditLog {
        AuditLog { entries: page.entries.into_iter().map(entry).collect(), next_cursor: page.next }
    }
}

fn entry(entry: Entry) -> AuditEntry {
    let (by, role, operator_id) = match entry.by {
        By::Node => ("node".to_owned(), terms::Author::Node, None),
        By::Operator { id, known } => {
            // An operator unknown to the exchange is shown by id, without a name and as a viewer.
            let (name, role) = known
                .map_or((String::new(), terms::Author::Viewer), |(name, role)| (name, author(role.to_api())));
            (name, role, Some(id.to_api()))
        }
    };
    let named = |pick: fn(&Name) -> Option<Uuid>| entry.names.iter().filter_map(pick).collect::<Vec<_>>();
    AuditEntry {
        sequence: entry.sequence,
        at: entry.at.to_api(),
        by,
        role,
        operator_id,
        users: named(|name| if let Name::User(id) = name { Some(id.to_api()) } else { None }),
        events: named(|name| if let Name::Event(id) = name { Some(id.to_api()) } else { None }),
        markets: named(|name| if let Name::Market(id) = name { Some(id.to_api()) } else { None }),
        operators: named(|name| if let Name::Operator(id) = name { Some(id.to_api()) } else { None })
            .into_iter()
            .filter(|id| Some(*id) != operator_id)
            .collect(),
        proposals: named(|name| if let Name::Proposal(id) = name { Some(id.to_api()) } else { None }),
        action: entry.action,
        summary: entry.summary,
        refused: entry.refusal,
    }
}

const fn author(role: terms::Role) -> terms::Author {
    match role {
        terms::Role::Viewer => terms::Author::Viewer,
        terms::Role::Operator => terms::Author::Operator,
        terms::Role::Approver => terms::Author::Approver,
    }
}
