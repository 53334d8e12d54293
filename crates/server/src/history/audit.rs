//! The audit log: a record per entry, and a list of the entries that name each user, event, market, operator and proposal.
//!
//! An entry's number is its sequence, which ascends with time. A time span is therefore a span of sequences, and a page
//! costs the same however long the log is.

use exchange::id::{EventId, MarketId, OperatorId, ProposalId, UserId};
use exchange::identity::Role;
use exchange::time::Time;
use segments::{Record, Store, Version};

use super::families::{Index, Log};
use super::{HistoryError, list_key, lists};

/// Entries of a list that are read at once.
const WALKED_AT_ONCE: u64 = 200;

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

/// The writing side. Entries must be visible to later ones before they are committed.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// Proposals made since the last commit.
    proposed: Vec<TrailEntry>,
}

impl Audit {
    pub(super) fn store(&mut self, store: &mut Store, entries: &[TrailEntry]) -> Result<(), HistoryError> {
        for entry in entries {
            let entry = self.completed(&store.version(), entry)?;
            store.append(Log::Audit as usize, entry.sequence, entry.at.micros(), &encode(&entry));
            for (place, name) in entry.names.iter().enumerate() {
                if !entry.names[..place].contains(name) {
                    store.add(Index::Lists as usize, list_key::audit(*name), entry.sequence);
                }
            }
            if is_proposal(&entry) {
                self.proposed.push(entry);
            }
        }
        Ok(())
    }

    pub(super) fn committed(&mut self) {
        self.proposed.clear();
    }

    /// Adds to a `finalise` or `withdraw` entry the names and the summary of the entry that made the proposal.
    fn completed(&self, version: &Version, entry: &TrailEntry) -> Result<TrailEntry, HistoryError> {
        let is_end = matches!(entry.action.as_str(), "finalise" | "withdraw");
        let ended = match entry.names.first() {
            Some(proposal @ EntrySubject::Proposal(_)) if is_end => *proposal,
            _ => return Ok(entry.clone()),
        };
        let stored = stored_proposal(version, ended)?;
        let recent = || self.proposed.iter().find(|proposed| proposed.names.contains(&ended)).cloned();
        let Some(proposed) = stored.or_else(recent) else { return Ok(entry.clone()) };
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
}

fn is_proposal(entry: &TrailEntry) -> bool {
    entry.action == "propose" && entry.refusal.is_none()
}

/// The entry that made a proposal.
fn stored_proposal(version: &Version, proposal: EntrySubject) -> Result<Option<TrailEntry>, HistoryError> {
    let list = lists::list(version, list_key::audit(proposal))?;
    for sequence in list.values(0..list.len())? {
        let entry = stored(version, sequence)?;
        if is_proposal(&entry) {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

fn stored(version: &Version, sequence: u64) -> Result<TrailEntry, HistoryError> {
    let record = version.record(Log::Audit as usize, sequence)?;
    decode(record.ok_or(HistoryError::Missing("an audit entry"))?)
}

pub(super) fn page(version: &Version, filter: &AuditFilter, size: u64) -> Result<AuditPage, HistoryError> {
    let mut picked = PickedEntries { entries: Vec::new(), wanted: size.saturating_add(1) };
    let (first, end) = span(version, filter)?;
    match filter.names.is_empty() {
        true => {
            let mut end = end;
            while !picked.is_full()
                && let Some(record) = version.last_below(Log::Audit as usize, end)?
                && record.number >= first
            {
                end = record.number;
                picked.entries.push(decode(record)?);
            }
        }
        false => walk(version, filter, first, end, &mut picked)?,
    }
    let mut entries = picked.entries;
    let has_more = entries.len() as u64 > size;
    entries.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    let next = entries.last().map(|entry| entry.sequence).filter(|_| has_more);
    Ok(AuditPage { entries, next })
}

/// The entries of a page, and one more if there is one.
struct PickedEntries {
    entries: Vec<TrailEntry>,
    wanted: u64,
}

impl PickedEntries {
    fn is_full(&self) -> bool {
        self.entries.len() as u64 >= self.wanted
    }
}

/// Picks the entries that name all subjects of the filter, from the shortest of their lists, newest first.
fn walk(
    version: &Version,
    filter: &AuditFilter,
    first: u64,
    end: u64,
    picked: &mut PickedEntries,
) -> Result<(), HistoryError> {
    let mut shortest = None;
    for name in &filter.names {
        let list = lists::list(version, list_key::audit(*name))?;
        let positions = list.below(first)?..list.below(end)?;
        let length = positions.end.saturating_sub(positions.start);
        if shortest.as_ref().is_none_or(|(_, _, shorter)| length < *shorter) {
            shortest = Some((list, positions, length));
        }
    }
    let Some((list, positions, _)) = shortest else { return Ok(()) };
    let mut end = positions.end;
    while end > positions.start && !picked.is_full() {
        let start = end.saturating_sub(WALKED_AT_ONCE).max(positions.start);
        for sequence in list.values(start..end)?.into_iter().rev() {
            let entry = stored(version, sequence)?;
            if filter.names.iter().all(|name| entry.names.contains(name)) && !picked.is_full() {
                picked.entries.push(entry);
            }
        }
        end = start;
    }
    Ok(())
}

/// The sequences within a filter's times and cursor: the first, and the one after the last.
fn span(version: &Version, filter: &AuditFilter) -> Result<(u64, u64), HistoryError> {
    let first_at = |at: i64| {
        let first = version.first_at(Log::Audit as usize, at)?;
        Ok::<_, HistoryError>(first.map_or(u64::MAX, |record| record.number))
    };
    let first = filter.from.map_or(Ok(0), |from| first_at(from.micros()))?;
    let end = filter.to.map_or(Ok(u64::MAX), |to| first_at(to.micros().saturating_add(1)))?;
    Ok((first, end.min(filter.before.unwrap_or(u64::MAX))))
}

impl EntrySubject {
    /// The number of the kind, and the id.
    pub(super) fn parts(self) -> (u8, u128) {
        match self {
            EntrySubject::User(id) => (1, id.as_u128()),
            EntrySubject::Event(id) => (2, id.as_u128()),
            EntrySubject::Market(id) => (3, id.as_u128()),
            EntrySubject::Operator(id) => (4, id.as_u128()),
            EntrySubject::Proposal(id) => (5, id.as_u128()),
        }
    }

    fn of_parts(kind: u8, id: u128) -> Option<EntrySubject> {
        Some(match kind {
            1 => EntrySubject::User(UserId::new(id)),
            2 => EntrySubject::Event(EventId::new(id)),
            3 => EntrySubject::Market(MarketId::new(id)),
            4 => EntrySubject::Operator(OperatorId::new(id)),
            5 => EntrySubject::Proposal(ProposalId::new(id)),
            _ => return None,
        })
    }
}

/// A stored entry: author, texts (each with its length), names.
fn encode(entry: &TrailEntry) -> Vec<u8> {
    let mut bytes = Vec::new();
    match &entry.by {
        EntryAuthor::Node => bytes.push(0),
        EntryAuthor::Operator { id, known } => {
            bytes.push(1 + u8::from(known.is_some()));
            bytes.extend(id.as_u128().to_be_bytes());
            if let Some((name, role)) = known {
                bytes.push(*role as u8);
                put_text(&mut bytes, name);
            }
        }
    }
    put_text(&mut bytes, &entry.action);
    bytes.push(u8::from(entry.refusal.is_some()));
    entry.refusal.iter().for_each(|refusal| put_text(&mut bytes, refusal));
    put_text(&mut bytes, &entry.summary);
    for name in &entry.names {
        let (kind, id) = name.parts();
        bytes.push(kind);
        bytes.extend(id.to_be_bytes());
    }
    bytes
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_be_bytes());
    bytes.extend(text.as_bytes());
}

fn decode(record: Record) -> Result<TrailEntry, HistoryError> {
    let entry = decode_parts(&record.bytes, record.number, Time::from_micros(record.at));
    entry.ok_or(HistoryError::Missing("the content of an audit entry"))
}

fn decode_parts(bytes: &[u8], sequence: u64, at: Time) -> Option<TrailEntry> {
    let mut input = EntryInput(bytes);
    let by = match input.byte()? {
        0 => EntryAuthor::Node,
        kind => {
            let id = OperatorId::new(input.id()?);
            let known = match kind {
                1 => None,
                _ => {
                    let role = input.byte()?;
                    let role = ROLES.into_iter().find(|known| *known as u8 == role)?;
                    Some((input.text()?, role))
                }
            };
            EntryAuthor::Operator { id, known }
        }
    };
    let action = input.text()?;
    let refusal = match input.byte()? {
        0 => None,
        _ => Some(input.text()?),
    };
    let summary = input.text()?;
    let mut names = Vec::new();
    while !input.0.is_empty() {
        names.push(EntrySubject::of_parts(input.byte()?, input.id()?)?);
    }
    Some(TrailEntry { sequence, at, by, action, refusal, summary, names })
}

/// Reads a stored entry from the front.
struct EntryInput<'a>(&'a [u8]);

impl EntryInput<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    fn id(&mut self) -> Option<u128> {
        let (id, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u128::from_be_bytes(*id))
    }

    fn text(&mut self) -> Option<String> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (text, rest) = rest.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

/// Roles are stored by number.
const ROLES: [Role; 3] = [Role::Viewer, Role::Operator, Role::Approver];
