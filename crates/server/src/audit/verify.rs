//! Verifies a data folder: every byte of the journal and its archive, the hash chain, a replay from the first frame,
//! all invariants at intervals and at the end, the ledger recounted from the reported changes, each snapshot against
//! the replay, and the people store and the pictures against the state. Alternatively all of that after a trusted
//! snapshot.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use exchange::Exchange;
use exchange::codec::{self, CodecError};
use exchange::invariants::{Recount, check_all};
use journal::disk::RealDisk;
use journal::file::Tail;
use journal::snapshots::{Snapshot, SnapshotStore};
use journal::{Frame, FrameHash, Head};

use super::people::EarlierRows;
use super::pictures::{self, NamedPictures};
use super::{AuditError, DataFolder, ReplayError, last_sequence, replay_frame, snapshots};
use crate::applied::{Applied, Observer};
use crate::pipeline::skips::Skips;

/// Sequences between two checks of the whole state.
const CHECK_EVERY: u64 = 10_000;

/// A published head: the journal must have a frame that ends with this sequence and has this hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedHead {
    pub sequence: u64,
    pub hash: FrameHash,
}

impl FromStr for PublishedHead {
    type Err = String;

    fn from_str(text: &str) -> Result<PublishedHead, String> {
        let wrong = || "must be SEQUENCE:HASH, with a hash of 64 hexadecimal digits".to_owned();
        let (sequence, hash) = text.split_once(':').ok_or_else(wrong)?;
        let sequence = sequence.parse().map_err(|_| wrong())?;
        let hash = api::proof::Hash::parse(hash).ok_or_else(wrong)?;
        Ok(PublishedHead { sequence, hash: FrameHash(hash.0) })
    }
}

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The last sequence reached, its frame's hash, and the state's digest.
    pub sequence: u64,
    pub frame_hash: String,
    pub digest: String,
    pub frames: u64,
    pub recounts: u64,
    pub snapshots: u64,
    /// The trusted snapshot and its sequence. Nothing before it was checked.
    pub trusted: Option<(String, u64)>,
    pub people: u64,
    /// Persons without a row in a store that was restored to the past.
    pub people_missing: u64,
    pub pictures: u64,
    /// Violations. Empty if the folder is valid.
    pub problems: Vec<String>,
    /// Findings that a crash explains as well as damage does.
    pub doubts: Vec<String>,
}

/// The number of digits in a snapshot's name, which is the sequence that follows it.
const NAME_DIGITS: usize = 20;

/// Which snapshot to trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustedSnapshot {
    /// The newest in the archive, which was proved when it was written; without an archive, the oldest in the folder.
    Proved,
    /// The snapshot of the state at this sequence.
    Sequence(u64),
    Name(String),
}

impl FromStr for TrustedSnapshot {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<TrustedSnapshot, Infallible> {
        Ok(match text.parse() {
            _ if text.is_empty() => TrustedSnapshot::Proved,
            // Twenty digits are a name.
            Ok(sequence) if text.len() < NAME_DIGITS => TrustedSnapshot::Sequence(sequence),
            _ => TrustedSnapshot::Name(text.to_owned()),
        })
    }
}

/// Verifies a folder from its first byte to its last. An error means that nothing could be checked.
pub fn verify<'a>(
    folder: impl Into<DataFolder<'a>>,
    published: Option<PublishedHead>,
    progress: impl FnMut(u64, u64),
) -> Result<VerifyReport, AuditError> {
    let source = folder.into();
    let mut report = VerifyReport::default();
    let expected = expected_snapshots(snapshots(source.folder).as_ref(), &mut report);
    let verification = Verification { report, expected, published, ..Verification::default() };
    replay_to_end(&source, &Head::EMPTY, verification, progress)
}

/// Trusts a snapshot, after checking it by itself, and verifies everything after it.
pub fn verify_from<'a>(
    folder: impl Into<DataFolder<'a>>,
    trusted: &TrustedSnapshot,
    published: Option<PublishedHead>,
    progress: impl FnMut(u64, u64),
) -> Result<VerifyReport, AuditError> {
    let source = folder.into();
    let (name, snapshot) = find(&source, trusted)?;
    let exchange = codec::decode_snapshot(&snapshot.content)
        .map_err(|error| AuditError::Snapshot { name: name.clone(), what: error.to_string() })?;
    let seq = exchange.seq();
    if published.is_some_and(|head| head.sequence <= seq) {
        let what = "the published head is before it: verify from the first frame".to_owned();
        return Err(AuditError::Snapshot { name, what });
    }
    let mut report = VerifyReport { trusted: Some((name, seq)), ..VerifyReport::default() };
    let mut expected = expected_snapshots(snapshots(source.folder).as_ref(), &mut report);
    expected.retain(|at, _| *at > seq);
    let (recount, named, checked) = (Recount::of(&exchange), NamedPictures::of(&exchange), seq);
    let mut verification = Verification {
        exchange,
        recount,
        named,
        report,
        expected,
        published,
        checked,
        ..Verification::default()
    };
    // The snapshot's state must satisfy all invariants, even if no frame follows it.
    if let Err(problem) = verification.check() {
        verification.report.problems.push(problem);
        return Ok(verification.finish(&snapshot.head));
    }
    replay_to_end(&source, &snapshot.head, verification, progress)
}

/// Finds the trusted snapshot, in the folder or in its archive.
fn find(source: &DataFolder<'_>, trusted: &TrustedSnapshot) -> Result<(String, Snapshot), AuditError> {
    let archive = source.archive_folder()?;
    let kept = archive.map(|archive| SnapshotStore::new(Arc::new(RealDisk::reading(archive))));
    let own = snapshots(source.folder);
    let names =
        |store: Option<&SnapshotStore>| store.and_then(|store| store.names().ok()).unwrap_or_default();
    // In order of preference: the archive's newest first, then the folder's oldest.
    let candidates = names(kept.as_ref()).into_iter().rev().map(|name| (kept.as_ref(), name));
    let candidates = candidates.chain(names(own.as_ref()).into_iter().map(|name| (own.as_ref(), name)));
    let is_meant = |name: &str| match trusted {
        TrustedSnapshot::Proved => true,
        TrustedSnapshot::Name(wanted) => name == wanted || name.strip_suffix(".snapshot") == Some(wanted),
        // A snapshot's name is the sequence that follows it.
        TrustedSnapshot::Sequence(wanted) => name.starts_with(&format!("{:020}.", wanted.saturating_add(1))),
    };
    let mut bad = None;
    for (store, name) in candidates.filter(|(_, name)| is_meant(name)) {
        match store.map(|store| store.load(&name)) {
            Some(Ok(snapshot)) => return Ok((name, snapshot)),
            Some(Err(error)) => bad = Some(AuditError::Journal(error)),
            None => {}
        }
    }
    Err(bad.unwrap_or_else(|| AuditError::NoSnapshot(source.folder.to_owned())))
}

/// Replays from a head to the end of the journal.
fn replay_to_end(
    source: &DataFolder<'_>,
    head: &Head,
    mut verification: Verification,
    mut progress: impl FnMut(u64, u64),
) -> Result<VerifyReport, AuditError> {
    let last = last_sequence(source.folder);
    let people = EarlierRows::of(source.folder);
    let mut audit = match source.open_journal_at(head) {
        Err(AuditError::Journal(error)) => {
            verification.report.problems.push(error.to_string());
            return Ok(verification.report);
        }
        opened => opened?,
    };
    verification.skips = source.find_skips(head)?;
    let ended = loop {
        match audit.next_frame() {
            Ok(Some(frame)) => {
                if let Err(problem) = verification.follow(&frame) {
                    break Some(problem);
                }
                progress(verification.exchange.seq(), last.max(verification.exchange.seq()));
            }
            Ok(None) => break None,
            Err(error) => break Some(error.to_string()),
        }
    };
    verification.report.problems.extend(ended);
    if let Some(Tail::Unfinished(place)) = audit.tail() {
        let what =
            format!("{place}: an incomplete write. A start truncates it; its requests were never answered");
        verification.report.doubts.push(what);
    }
    if verification.report.problems.is_empty() {
        people.verify(source.folder, &verification.exchange, &mut verification.report);
        pictures::verify(source.folder, &verification.named, &mut verification.report);
    }
    Ok(verification.finish(&audit.head()))
}

/// A snapshot's claims about the state at its sequence.
#[derive(Debug)]
struct SnapshotClaim {
    name: String,
    head: Head,
    digest: [u8; 32],
}

fn expected_snapshots(
    store: Option<&SnapshotStore>,
    report: &mut VerifyReport,
) -> BTreeMap<u64, SnapshotClaim> {
    let mut expected = BTreeMap::new();
    let Some(store) = store else { return expected };
    let names = store.names().unwrap_or_default();
    for name in names {
        match store.load(&name) {
            Ok(snapshot) => match codec::decode_snapshot(&snapshot.content) {
                Ok(state) => {
                    let found = SnapshotClaim { name, head: snapshot.head, digest: state.digest() };
                    expected.insert(state.seq(), found);
                }
                // Written by a newer build, or by a build that is too old. A start ignores it.
                Err(error @ CodecError::UnknownVersion(_)) => {
                    report.doubts.push(format!("snapshot {name}: {error}"));
                }
                Err(error) => report.problems.push(format!("snapshot {name}: {error}")),
            },
            // A serving process keeps only three snapshots and has deleted this one.
            Err(_) if !store.names().is_ok_and(|names| names.contains(&name)) => {}
            Err(error) => report.problems.push(format!("snapshot {error}")),
        }
    }
    expected
}

/// The state during the replay, and the checks that accompany it.
#[derive(Debug, Default)]
struct Verification {
    exchange: Exchange,
    skips: Skips,
    recount: Recount,
    named: NamedPictures,
    report: VerifyReport,
    expected: BTreeMap<u64, SnapshotClaim>,
    published: Option<PublishedHead>,
    checked: u64,
}

struct Recounting<'a> {
    recount: &'a mut Recount,
    named: &'a mut NamedPictures,
}

impl Observer for Recounting<'_> {
    fn applied(&mut self, applied: &Applied<'_>) {
        self.recount.follow(applied.changes);
        self.named.applied(applied);
    }
}

impl Verification {
    /// Applies and checks one frame. An error ends the verification, because later frames mean nothing then.
    fn follow(&mut self, frame: &Frame) -> Result<(), String> {
        let mut recounting = Recounting { recount: &mut self.recount, named: &mut self.named };
        let replayed = replay_frame(&mut self.exchange, frame, &self.skips, &mut recounting);
        replayed.map_err(|error: ReplayError| error.to_string())?;
        self.report.frames += 1;
        let seq = self.exchange.seq();
        if seq >= self.checked + CHECK_EVERY || self.expected.contains_key(&seq) {
            self.check()?;
        }
        self.compare_snapshot(frame);
        if self.published.is_some_and(|head| head.sequence == seq) {
            self.compare_published(frame.hash);
        }
        Ok(())
    }

    /// Checks all invariants, and every account against the reported changes.
    fn check(&mut self) -> Result<(), String> {
        self.checked = self.exchange.seq();
        self.report.recounts += 1;
        let result = check_all(&self.exchange).and_then(|()| self.recount.check(&self.exchange));
        result.map_err(|broken| format!("sequence {}: {broken}", self.checked))
    }

    fn compare_snapshot(&mut self, frame: &Frame) {
        let Some(expected) = self.expected.remove(&self.exchange.seq()) else { return };
        self.report.snapshots += 1;
        if expected.head != Head::after(&frame.header, frame.hash) {
            let what = format!("snapshot {}: names another frame than the journal has", expected.name);
            self.report.problems.push(what);
        }
        if expected.digest != self.exchange.digest() {
            let what = format!("snapshot {}: is not the state that the journal gives", expected.name);
            self.report.problems.push(what);
        }
    }

    fn compare_published(&mut self, hash: FrameHash) {
        let Some(published) = self.published.take() else { return };
        if published.hash != hash {
            let what = format!(
                "sequence {}: its frame has the hash {hash}, {} was published",
                published.sequence, published.hash
            );
            self.report.problems.push(what);
        }
    }

    fn finish(mut self, head: &Head) -> VerifyReport {
        if self.report.problems.is_empty()
            && let Err(problem) = self.check()
        {
            self.report.problems.push(problem);
        }
        let seq = self.exchange.seq();
        for expected in self.expected.values() {
            let what = format!("snapshot {}: no frame of the journal ends where it was taken", expected.name);
            self.report.problems.push(what);
        }
        if let Some(published) = self.published {
            let what = if published.sequence > seq {
                format!("the journal ends with sequence {seq}, but {} was published", published.sequence)
            } else {
                format!(
                    "no frame of the journal ends with sequence {}, which was published",
                    published.sequence
                )
            };
            self.report.problems.push(what);
        }
        self.report.sequence = seq;
        self.report.frame_hash = head.hash.to_string();
        self.report.digest = HEXLOWER.encode(&self.exchange.digest());
        self.report
    }
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "sequence      {}", self.sequence)?;
        writeln!(formatter, "head          {}:{}", self.sequence, self.frame_hash)?;
        writeln!(formatter, "state digest  {}", self.digest)?;
        if let Some((name, sequence)) = &self.trusted {
            writeln!(
                formatter,
                "trusted       snapshot {name} at sequence {sequence}; nothing before it was checked"
            )?;
        }
        write!(
            formatter,
            "checked       {} frames, {} recounts of every rule and account, {} snapshots, {} rows of people, {} \
             pictures",
            self.frames, self.recounts, self.snapshots, self.people, self.pictures
        )?;
        if self.people_missing > 0 {
            write!(
                formatter,
                "\npeople        {} persons of that time have no row: the folder was restored to the past",
                self.people_missing
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use exchange::command::{Command, CreateUser, CreditWallet, Request};
    use exchange::id::{Hash32, RowId, UserId};
    use exchange::identity::Actor;
    use exchange::numbers::{Currency, Money};
    use exchange::text::Text;
    use exchange::time::Time;
    use journal::{FrameHeader, FrameKind, Payload, Sequence};

    use super::*;

    /// A user credited with 123.456789 USD, replayed from one frame.
    fn replayed() -> Verification {
        let user = UserId::new(7);
        let amount = Money::new(123_456_789);
        let commands = [
            Command::CreateUser(CreateUser {
                id: user,
                address: Hash32::of("a@example.org"),
                tag: Text::from("someone"),
                row: RowId::new(1),
                expires_at: Time::NEVER,
            }),
            Command::CreditWallet(CreditWallet {
                user,
                currency: Currency::Usd,
                amount,
                reference: Text::from("wire 1"),
            }),
        ];
        let mut payload = Payload::new();
        for command in commands {
            let request = Request { actor: Actor::System, idempotency: None, command };
            payload.push_with(|bytes| codec::encode_request(&request, bytes));
        }
        let header = FrameHeader {
            first: Sequence::FIRST,
            at: 1,
            kind: FrameKind::Commands,
            commands: 2,
            payload_bytes: u32::try_from(payload.bytes().len()).expect("a short payload"),
            previous_hash: FrameHash::ZERO,
        };
        let hash = header.hash(payload.bytes());
        let mut verification = Verification::default();
        verification.follow(&Frame { header, hash, payload }).expect("a frame that replays");
        verification
    }

    #[test]
    fn a_replay_that_posted_everything_has_no_problem() {
        let verification = replayed();
        assert_eq!(verification.exchange.ledger().deposited(Currency::Usd), Money::new(123_456_789));
        let report = verification.finish(&Head::EMPTY);
        assert_eq!((report.problems, report.recounts), (vec![], 1));
    }

    /// Removes one unit from the wallet in the encoded state.
    #[test]
    fn a_missing_posting_in_the_replayed_state_is_found() {
        let mut verification = replayed();
        let bytes = codec::encode_snapshot(&verification.exchange);
        let (whole, less) = ([0x1a, 0x07, 0x5b, 0xcd, 0x15], [0x1a, 0x07, 0x5b, 0xcd, 0x14]);
        let at = bytes.windows(whole.len()).position(|window| window == whole).expect("the wallet");
        let planted = [&bytes[..at], &less, &bytes[at + whole.len()..]].concat();
        verification.exchange = codec::decode_snapshot(&planted).expect("a state that can be read");
        let report = verification.finish(&Head::EMPTY);
        assert!(report.problems[0].contains("sum to zero"), "{:?}", report.problems);
    }

    #[test]
    fn a_ledger_that_is_not_what_was_reported_is_found_though_it_balances() {
        let mut verification = replayed();
        verification.recount = Recount::default();
        let report = verification.finish(&Head::EMPTY);
        let rule = exchange::invariants::LEDGER_IS_WHAT_WAS_REPORTED;
        assert!(report.problems[0].contains(rule), "{:?}", report.problems);
    }
}
