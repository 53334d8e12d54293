//! The audit log.

use api::admin::response::{AuditEntry, AuditLog};
use api::terms;
use uuid::Uuid;

use crate::audit_trail::{EntryAuthor, EntrySubject, TrailEntry};
use crate::history::AuditPage;
use crate::view::words::ToApi;

pub fn audit_log(page: AuditPage) -> AuditLog {
    AuditLog { entries: page.entries.into_iter().map(entry).collect(), next_cursor: page.next }
}

fn entry(entry: TrailEntry) -> AuditEntry {
    let (by, role, operator_id) = match entry.by {
        EntryAuthor::Node => ("node".to_owned(), terms::Author::Node, None),
        EntryAuthor::Operator { id, known } => {
            // An operator unknown to the exchange is shown by id, without a name and as a viewer.
            let (name, role) = known
                .map_or((String::new(), terms::Author::Viewer), |(name, role)| (name, author(role.to_api())));
            (name, role, Some(id.to_api()))
        }
    };
    let named =
        |pick: fn(&EntrySubject) -> Option<Uuid>| entry.names.iter().filter_map(pick).collect::<Vec<_>>();
    AuditEntry {
        sequence: entry.sequence,
        at: entry.at.to_api(),
        by,
        role,
        operator_id,
        users: named(|name| if let EntrySubject::User(id) = name { Some(id.to_api()) } else { None }),
        events: named(|name| if let EntrySubject::Event(id) = name { Some(id.to_api()) } else { None }),
        markets: named(|name| if let EntrySubject::Market(id) = name { Some(id.to_api()) } else { None }),
        operators: named(|name| if let EntrySubject::Operator(id) = name { Some(id.to_api()) } else { None })
            .into_iter()
            .filter(|id| Some(*id) != operator_id)
            .collect(),
        proposals: named(|name| if let EntrySubject::Proposal(id) = name { Some(id.to_api()) } else { None }),
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
