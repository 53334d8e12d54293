//! The audit log.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::Timestamp;
use crate::json::WriteJson;
use crate::terms;

/// A page of the audit log, the newest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditLog {
    pub entries: Vec<AuditEntry>,
    /// For `after`; not there on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<u64>,
}

/// Who asked for what, and what it was about.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub sequence: u64,
    pub at: Timestamp,
    /// A name; `node` for the exchange itself.
    pub by: String,
    pub role: terms::Author,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator_id: Option<Uuid>,
    #[schema(example = "credit_wallet")]
    pub action: String,
    pub summary: String,
    /// The rule that refused it, if one did: nothing happened then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    pub users: Vec<Uuid>,
    pub events: Vec<Uuid>,
    pub markets: Vec<Uuid>,
    /// Who was meant, beside who asked.
    pub operators: Vec<Uuid>,
    pub proposals: Vec<Uuid>,
}
