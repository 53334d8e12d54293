//! The audit log: a row per entry, and an index of the entries that name each user, event, market, operator and proposal.
//!
//! An entry's key is its sequence, which ascends with time. A time span is therefore a span of sequences, and a page costs
//! the same however long the log is.

use exchange::id::{EventId, MarketId, OperatorId, ProposalId, UserId};
use exchange::identity::Role;
use exchange::time::Time;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::HistoryError;

pub(super) const TABLES: &str = "
-- `names` lists the subjects, 17 bytes each: a kind and an id.
CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, operator BLOB, name TEXT, role INTEGER,
    action TEXT NOT NULL, refusal TEXT, summary TEXT NOT NULL, names BLOB NOT NULL
);
CREATE INDEX audit_times ON audit (at, sequence);
CREATE TABLE audit_names (
    kind INTEGER, id BLOB, sequence INTEGER, PRIMARY KEY (kind, id, sequence)
) WITHOUT ROWID;
";

/// One line of the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailEntry {
    pub sequence: u64,
    pub at: Time,
    pub by: EntryAuthor,
    /// The command's name.
    pub action: String,
    /// The error code, if the request was refused.
    pub refusal: Option<String>,
    /// A description of the request.
    pub summary: String,
    pub names: Vec<EntrySubject>,
}

/// The author of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryAuthor {
    Node,
    /// Name and role at the time; `None` for an operator unknown to the exchange.
    Operator {
        id: OperatorId,
        known: Option<(String, Role)>,
    },
}

/// A subject of an entry; the entry can be searched by each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntrySubject {
    User(UserId),
    Event(EventId),
    Market(MarketId),
    /// The author, or the operator that the request is about.
    Operator(OperatorId),
    Proposal(ProposalId),
}

/// Selects entries that name all of these, within an inclusive time span.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    pub names: Vec<EntrySubject>,
    pub from: Option<Time>,
    pub to: Option<Time>,
    /// Only entries before this sequence.
    pub before: Option<u64>,
}

/// A page of the log, newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditPage {
    pub entries: Vec<TrailEntry>,
    /// The cursor of the next page; none on the last page.
    pub next: Option<u64>,
}

pub(super) fn store(connection: &Connection, entries: &[TrailEntry]) -> rusqlite::Result<()> {
    for entry in entries {
        store_one(connection, &completed(connection, entry)?)?;
    }
    Ok(())
}

fn store_one(connection: &Connection, entry: &TrailEntry) -> rusqlite::Result<()> {
    let (operator, name, role) = match &entry.by {
        EntryAuthor::Node => (None, None, None),
        EntryAuthor::Operator { id, known } => {
            let (name, role) =
                known.clone().map_or((None, None), |(name, role)| (Some(name), Some(role as u8)));
            (Some(id.as_u128().to_be_bytes()), name, role)
        }
    };
    let sequence = entry.sequence.cast_signed();
    let names: Vec<u8> = entry.names.iter().flat_map(|name| encoded(*name)).collect();
    let insert = "INSERT OR REPLACE INTO audit VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    connection.prepare_cached(insert)?.execute(params![
        sequence,
        entry.at.micros(),
        operator,
        name,
        role,
        entry.action,
        entry.refusal,
        entry.summary,
        names
    ])?;
    let mut named = connection.prepare_cached("INSERT OR IGNORE INTO audit_names VALUES (?1, ?2, ?3)")?;
    for name in &entry.names {
        let (kind, id) = key(*name);
        named.execute(params![kind, id, sequence])?;
    }
    Ok(())
}

/// Adds to a `finalise` or `withdraw` entry the names and the summary of the entry that made the proposal.
fn completed(connection: &Connection, entry: &TrailEntry) -> rusqlite::Result<TrailEntry> {
    let is_end = matches!(entry.action.as_str(), "finalise" | "withdraw");
    let ended = match entry.names.first() {
        Some(proposal @ EntrySubject::Proposal(_)) if is_end => *proposal,
        _ => return Ok(entry.clone()),
    };
    let (kind, id) = key(ended);
    let query = "SELECT audit.* FROM audit_names JOIN audit USING (sequence) \
        WHERE kind = ?1 AND id = ?2 AND action = 'propose' AND refusal IS NULL ORDER BY sequence LIMIT 1";
    let mut statement = connection.prepare_cached(query)?;
    let Some(proposed) = statement.query_row(params![kind, id], read).optional()? else {
        return Ok(entry.clone());
    };
    let by = |operator: &EntrySubject| matches!(proposed.by, EntryAuthor::Operator { id, .. } if *operator == EntrySubject::Operator(id));
    let mut entry = entry.clone();
    let inherited = proposed.names.iter().filter(|name| **name != ended && !by(name));
    entry.names.extend(inherited.copied());
    entry.summary = match entry.summary.as_str() {
        "" => proposed.summary,
        reason => format!("{}: {reason}", proposed.summary),
    };
    Ok(entry)
}

pub(super) fn page(
    connection: &Connection,
    filter: &AuditFilter,
    size: u64,
) -> Result<AuditPage, HistoryError> {
    let Some((first, last)) = span(connection, filter)? else {
        return Ok(AuditPage { entries: Vec::new(), next: None });
    };
    let mut query = "SELECT audit.* FROM audit".to_owned();
    let mut values: Vec<Value> = Vec::new();
    for (number, name) in filter.names.iter().enumerate() {
        let (kind, id) = key(*name);
        query.push_str(&format!(
            " JOIN audit_names AS named{number} ON named{number}.sequence = audit.sequence \
            AND named{number}.kind = ? AND named{number}.id = ?"
        ));
        values.extend([Value::Integer(kind.into()), Value::Blob(id.to_vec())]);
    }
    query.push_str(" WHERE audit.sequence BETWEEN ? AND ? ORDER BY audit.sequence DESC LIMIT ?");
    values.extend([first, last, size.cast_signed() + 1].map(Value::Integer));
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map(params_from_iter(values), read)?;
    let mut entries = rows.collect::<rusqlite::Result<Vec<TrailEntry>>>()?;
    let has_more = entries.len() as u64 > size;
    entries.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    let next = entries.last().map(|entry| entry.sequence).filter(|_| has_more);
    Ok(AuditPage { entries, next })
}

/// The first and last sequence within a filter's times and cursor.
fn span(connection: &Connection, filter: &AuditFilter) -> rusqlite::Result<Option<(i64, i64)>> {
    let bound = |query: &str, time: Time| {
        let mut statement = connection.prepare_cached(query)?;
        statement.query_row([time.micros()], |row| row.get::<_, i64>(0)).optional()
    };
    let first = match filter.from {
        None => Some(0),
        Some(from) => bound("SELECT sequence FROM audit WHERE at >= ?1 ORDER BY at, sequence LIMIT 1", from)?,
    };
    let last = match filter.to {
        None => Some(i64::MAX),
        Some(to) => {
            bound("SELECT sequence FROM audit WHERE at <= ?1 ORDER BY at DESC, sequence DESC LIMIT 1", to)?
        }
    };
    let before = filter.before.map_or(i64::MAX, |before| before.cast_signed().saturating_sub(1));
    Ok(first.zip(last).map(|(first, last)| (first, last.min(before))))
}

fn key(name: EntrySubject) -> (u8, [u8; 16]) {
    let (kind, id) = match name {
        EntrySubject::User(id) => (1, id.as_u128()),
        EntrySubject::Event(id) => (2, id.as_u128()),
        EntrySubject::Market(id) => (3, id.as_u128()),
        EntrySubject::Operator(id) => (4, id.as_u128()),
        EntrySubject::Proposal(id) => (5, id.as_u128()),
    };
    (kind, id.to_be_bytes())
}

fn encoded(name: EntrySubject) -> impl Iterator<Item = u8> {
    let (kind, id) = key(name);
    [kind].into_iter().chain(id)
}

fn decoded(bytes: &[u8]) -> Option<EntrySubject> {
    let (kind, id) = bytes.split_first()?;
    let id = u128::from_be_bytes(id.try_into().ok()?);
    Some(match kind {
        1 => EntrySubject::User(UserId::new(id)),
        2 => EntrySubject::Event(EventId::new(id)),
        3 => EntrySubject::Market(MarketId::new(id)),
        4 => EntrySubject::Operator(OperatorId::new(id)),
        5 => EntrySubject::Proposal(ProposalId::new(id)),
        _ => return None,
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<TrailEntry> {
    let by = match row.get::<_, Option<[u8; 16]>>("operator")? {
        None => EntryAuthor::Node,
        Some(id) => {
            let role = row.get::<_, Option<u8>>("role")?;
            let role = ROLES.into_iter().find(|known| Some(*known as u8) == role);
            let known = row.get::<_, Option<String>>("name")?.zip(role);
            EntryAuthor::Operator { id: OperatorId::new(u128::from_be_bytes(id)), known }
        }
    };
    let names: Vec<u8> = row.get("names")?;
    Ok(TrailEntry {
        sequence: row.get::<_, i64>("sequence")?.cast_unsigned(),
        at: Time::from_micros(row.get("at")?),
        by,
        action: row.get("action")?,
        refusal: row.get("refusal")?,
        summary: row.get("summary")?,
        names: names.chunks(17).filter_map(decoded).collect(),
    })
}

/// The database stores roles by number.
const ROLES: [Role; 3] = [Role::Viewer, Role::Operator, Role::Approver];
