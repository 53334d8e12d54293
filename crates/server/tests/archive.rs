//! The archive of a data folder: moved frames can still be verified, replayed, backed up and restored, a snapshot
//! that the journal does not give moves nothing, and a past moment is restored from an archive, a backup or both.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use api::Timestamp;
use data_encoding::HEXLOWER;
use exchange::command::{Command, CreditWallet};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use exchange::{Exchange, Request, codec};
use journal::archive::Archived;
use journal::disk::RealDisk;
use journal::file::Options;
use journal::snapshots::SnapshotStore;
use journal::{Error, Sequence};
use server::audit::archive::{ArchiveError, ArchiveReport, archive};
use server::audit::backup::backup;
use server::audit::past::{Until, replay_until};
use server::audit::restore::{RestoreError, RestoreReport, Sources, restore_from};
use server::audit::verify::{TrustedSnapshot, VerifyReport, verify, verify_from};
use server::audit::{DataFolder, KeyFile};
use server::folder::lock;
use server::node::{Node, NodeError, rebuild_history};
use server::pictures::address::PictureHash;
use server::pictures::making::MadePicture;
use server::pictures::stored::write;
use server::pictures::{FolderPictures, PictureStore};
use server::pipeline::clock::ManualClock;
use server::startup::{Disks, StartError};
use tempfile::TempDir;

const OPTIONS: Options =
    Options { segment_bytes: 8 << 10, verify_from: Sequence::FIRST, prepare_in_background: false };
const BEGAN: i64 = 1_800_000_000_000_000;

/// A data folder, whose journal's clock advances one second per command.
struct Venue {
    room: TempDir,
    clock: Arc<ManualClock>,
}

impl Venue {
    fn new() -> Venue {
        let clock = Arc::new(ManualClock::new(BEGAN));
        Venue { room: tempfile::tempdir().expect("a folder"), clock }
    }

    /// A venue of many segments, stopped three times, so that it has three snapshots and a journal after them.
    fn traded() -> Venue {
        let venue = Venue::new();
        for credits in [0..120, 120..200, 200..260, 260..300] {
            venue.serve(credits);
        }
        venue
    }

    fn path(&self, name: &str) -> PathBuf {
        self.room.path().join(name)
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    fn start(&self, archive: Option<PathBuf>) -> Result<Node, NodeError> {
        let folder_lock = lock(&self.data())?;
        let disks = Disks::of(&self.data()).map_err(StartError::from)?.with_archive(archive);
        let clock = || self.clock.clone();
        Node::builder(folder_lock).disks(disks).clock(clock()).journal_clock(clock()).options(OPTIONS).start()
    }

    fn credit(&self, node: &Node, numbers: Range<u64>) {
        for number in numbers {
            self.clock.advance_seconds(1);
            node.app
                .writing()
                .sequencer()
                .submit_blocking(credit(number))
                .expect("an answer")
                .result
                .expect("a credit");
        }
    }

    /// Starts, credits, also by frames of several commands, and stops. Returns the digest.
    fn serve(&self, numbers: Range<u64>) -> [u8; 32] {
        let node = self.start(None).expect("a node");
        let several = numbers.end..numbers.end + 3;
        self.credit(&node, numbers);
        self.clock.advance_seconds(1);
        let together = several.map(|number| credit(1_000_000 + number)).collect();
        node.app.writing().sequencer().submit_all_blocking(together).expect("answers");
        node.stop().expect("a clean stop").live
    }

    fn archive(&self) -> Result<ArchiveReport, ArchiveError> {
        archive(&self.data(), &self.path("cold"), |_, _, _| {})
    }

    fn segments(&self) -> usize {
        let names = fs::read_dir(self.data().join("journal")).expect("a folder");
        names.filter(|entry| entry.as_ref().is_ok_and(|entry| is_segment(&entry.path()))).count()
    }

    fn digest_at(&self, sequence: u64) -> String {
        let past = replay_until(&self.data(), Until::Sequence(sequence), |_, _| {}).expect("a past state");
        assert_eq!(past.exchange.seq(), sequence);
        HEXLOWER.encode(&past.exchange.digest())
    }
}

fn is_segment(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "segment")
}

fn credit(number: u64) -> Request {
    let command = Command::CreditWallet(CreditWallet {
        user: Exchange::HOUSE,
        currency: Currency::Usd,
        amount: Money::new(1_000_000 + i64::try_from(number).expect("a small number")),
        reference: Text::from(format!("wire {number}")),
    });
    Request { actor: Actor::System, idempotency: None, command }
}

#[track_caller]
fn holds<'a>(folder: impl Into<DataFolder<'a>>) -> VerifyReport {
    let verdict = verify(folder, None, |_, _| {}).expect("a verdict");
    assert_eq!((&verdict.problems, &verdict.doubts), (&vec![], &vec![]));
    verdict
}

#[test]
fn frames_before_the_oldest_snapshot_are_moved_while_a_node_serves_and_stay_readable() {
    let venue = Venue::traded();
    let (before, whole) = (venue.segments(), holds(&venue.data()));
    let node = venue.start(None).expect("a node");
    venue.credit(&node, 400..410);
    let report = venue.archive().expect("an archive");
    assert!(report.frames > 100 && report.bytes_after < report.bytes_before / 2, "{report:?}");
    let journal = RealDisk::reading(venue.data().join("journal"));
    let record = Archived::read(&journal).expect("a record").expect("a record");
    assert_eq!((record.end.next.0, &record.place), (report.first_sequence, &report.place));
    assert!(report.first_sequence <= report.proved + 1, "the snapshot is after all moved frames");
    assert!(venue.segments() + 3 <= before, "{} of {before}", venue.segments());
    assert_eq!(venue.archive().expect("an archive").frames, 0, "the rest is needed still");
    venue.credit(&node, 410..420);
    let stopped = node.stop().expect("a clean stop");
    assert_eq!(stopped.live, stopped.replayed);

    let verdict = holds(&venue.data());
    assert_eq!((verdict.sequence, verdict.digest), (whole.sequence + 20, HEXLOWER.encode(&stopped.live)));
    assert_eq!(venue.digest_at(whole.sequence), whole.digest, "a state of before the move");
    assert_eq!(rebuild_history(&venue.data(), |_, _| {}).expect("a history"), verdict.sequence);
    let node = venue.start(None).expect("a node whose history was made out of the archive");
    assert_eq!(node.stop().expect("a clean stop").live, stopped.live);
}

#[test]
fn a_node_starts_without_its_archive_and_names_its_path_when_it_needs_it() {
    let venue = Venue::traded();
    let report = venue.archive().expect("an archive");
    fs::rename(venue.path("cold"), venue.path("moved")).expect("an archive that is elsewhere now");
    let live = venue.serve(500..505);
    fs::remove_dir_all(venue.data().join("history")).expect("a lost history");
    let refused = venue.start(None).expect_err("history is made out of all frames");
    let NodeError::Start(StartError::Journal(Error::Archived { from, first, place, .. })) = &refused else {
        panic!("another refusal: {refused}");
    };
    assert_eq!((from.0, first.0, place), (1, report.first_sequence, &report.place));
    assert!(refused.to_string().contains("--archive"), "{refused}");
    let node = venue.start(Some(venue.path("moved"))).expect("a node with its archive");
    assert_eq!(node.stop().expect("a clean stop").live, live);
    let source = venue.data();
    let moved = venue.path("moved");
    let named = DataFolder { folder: &source, archive: Some(&moved) };
    assert_eq!(holds(named).digest, HEXLOWER.encode(&live));
    assert!(!verify(&source, None, |_, _| {}).expect("a verdict").problems.is_empty());
    // The archive continues in its new place.
    venue.serve(600..760);
    venue.serve(760..800);
    venue.serve(800..820);
    assert!(archive(&source, &venue.path("empty"), |_, _, _| {}).is_err(), "not into another one");
    let again = archive(&source, &moved, |_, _, _| {}).expect("an archive");
    assert!(again.frames > 0 && again.place.ends_with("moved"), "{again:?}");
    holds(&source);
}

#[test]
fn a_snapshot_that_the_journal_does_not_give_moves_nothing() {
    let venue = Venue::traded();
    let store =
        SnapshotStore::new(Arc::new(RealDisk::new(venue.data().join("snapshots")).expect("a folder")));
    let name = store.names().expect("names").remove(0);
    let snapshot = store.load(&name).expect("a snapshot");
    let mut state = codec::decode_snapshot(&snapshot.content).expect("a state");
    let at = state.now();
    state
        .apply(at, &credit(9_999_999))
        .expect("a decision")
        .expect("a credit that the journal does not contain");
    fs::remove_file(venue.data().join("snapshots").join(&name)).expect("a removed snapshot");
    store.save(&snapshot.head, &codec::encode_snapshot(&state)).expect("a forged snapshot");
    let before = venue.segments();
    let refused = venue.archive().expect_err("a refusal");
    assert!(matches!(refused, ArchiveError::OtherState { .. }), "{refused}");
    assert_eq!(venue.segments(), before);
}

#[test]
fn verify_from_a_snapshot_looks_at_nothing_before_it_and_at_everything_behind() {
    let venue = Venue::traded();
    let whole = holds(&venue.data());
    let data = venue.data();
    let from = |trusted: TrustedSnapshot| verify_from(&data, &trusted, None, |_, _| {}).expect("a verdict");
    let oldest = from(TrustedSnapshot::Proved);
    let (name, sequence) = oldest.trusted.clone().expect("a snapshot");
    assert_eq!((&oldest.problems, &oldest.digest, oldest.snapshots), (&vec![], &whole.digest, 2));
    assert!(oldest.frames < whole.frames && sequence > 0, "{oldest:?}");
    for trusted in [
        TrustedSnapshot::Sequence(sequence),
        TrustedSnapshot::Name(name.clone()),
        name[..20].parse().expect("a name"),
    ] {
        assert_eq!(from(trusted).digest, whole.digest);
    }
    assert!(
        verify_from(&data, &TrustedSnapshot::Sequence(sequence + 1), None, |_, _| {}).is_err(),
        "no such snapshot"
    );

    venue.archive().expect("an archive");
    let proved = from(TrustedSnapshot::Proved);
    assert_eq!((&proved.trusted, &proved.digest), (&Some((name, sequence)), &whole.digest), "the archive's");
    // A bit of a frame in the archive: found from the beginning, and not read from the snapshot on.
    let file = venue.path("cold").join("00000000000000000001.archive");
    let mut bytes = fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).expect("a changed file");
    let broken = verify(&data, None, |_, _| {}).expect("a verdict").problems;
    assert!(broken[0].contains("00000000000000000001.archive"), "{broken:?}");
    assert_eq!(from(TrustedSnapshot::Proved).problems, Vec::<String>::new());
    // A bit of the last frame.
    let mut segments: Vec<_> =
        fs::read_dir(data.join("journal")).expect("a folder").map(|e| e.expect("a file").path()).collect();
    segments.retain(|path| is_segment(path));
    segments.sort();
    let last = segments.last().expect("a segment");
    let mut bytes = fs::read(last).expect("a segment");
    bytes[1_024 + 80] ^= 1;
    fs::write(last, &bytes).expect("a changed segment");
    assert!(!from(TrustedSnapshot::Proved).problems.is_empty());
}

fn restored(sources: &Sources<'_>, to: &Path) -> Result<RestoreReport, RestoreError> {
    restore_from(sources, to, |_, _| {})
}

#[test]
fn any_past_moment_is_restored_from_a_backup_and_an_archive_or_from_either() {
    let venue = Venue::traded();
    let (whole_backup, small_backup, cold) = (venue.path("whole"), venue.path("small"), venue.path("cold"));
    backup(&venue.data(), &whole_backup, KeyFile::Included, |_, _| {}).expect("a backup");
    let report = venue.archive().expect("an archive");
    let manifest = backup(&venue.data(), &small_backup, KeyFile::NotIncluded, |_, _| {}).expect("a backup");
    assert_eq!(manifest.first_sequence, report.first_sequence);
    assert!(
        holds(&small_backup).digest == manifest.state_digest.to_string(),
        "with the archive that it names"
    );
    let last = manifest.sequence;
    // In the middle of the archive, in the middle of a frame, around the end of the archive, in the backup alone.
    let in_a_frame = 120 + 3;
    for sequence in [1, 60, in_a_frame, report.first_sequence - 1, report.first_sequence, last - 1, last] {
        let mut digests = vec![venue.digest_at(sequence)];
        let until = Some(Until::Sequence(sequence));
        let sources = [
            Sources { backup: Some(&whole_backup), archive: None, until },
            Sources { backup: Some(&small_backup), archive: None, until },
            Sources { backup: Some(&whole_backup), archive: Some(&cold), until },
            Sources { backup: None, archive: Some(&cold), until },
        ];
        for (number, sources) in sources.into_iter().enumerate() {
            let to = venue.path(&format!("back-{sequence}-{number}"));
            let done = restored(&sources, &to);
            if number == 3 && sequence >= report.first_sequence {
                let refused = done.expect_err("it is not in the archive");
                assert!(matches!(refused, RestoreError::NotReached { .. }), "{refused}");
                assert!(!to.join("journal").exists());
                continue;
            }
            let done = done.unwrap_or_else(|error| panic!("{sequence} from {sources:?}: {error}"));
            assert_eq!((done.sequence, done.is_compared), (sequence, sequence == last));
            digests.push(done.digest.to_string());
            digests.push(holds(&to).digest);
        }
        assert!(digests.iter().all(|digest| *digest == digests[0]), "{sequence}: {digests:?}");
    }
}

#[test]
fn a_restore_to_a_time_includes_its_last_frame_and_continues_from_there() {
    let venue = Venue::traded();
    venue.archive().expect("an archive");
    let cold = venue.path("cold");
    let moment = Timestamp::from_micros(BEGAN + 50_500_000);
    let until = Some(Until::Time(moment));
    let past = replay_until(&venue.data(), Until::Time(moment), |_, _| {}).expect("a past state");
    let back = venue.path("back");
    let done = restored(&Sources { backup: None, archive: Some(&cold), until }, &back).expect("a restore");
    assert_eq!((done.sequence, done.at), (past.exchange.seq(), Timestamp::from_micros(past.head.at)));
    assert_eq!(done.digest.to_string(), HEXLOWER.encode(&past.exchange.digest()));
    assert_eq!(done.archive, (done.first_sequence > 1).then(|| cold.canonicalize().expect("a folder")));
    // It is a separate venue now.
    fs::copy(venue.data().join("master.key"), back.join("master.key")).expect("the key");
    let other = Venue { room: venue.room, clock: Arc::new(ManualClock::new(BEGAN + 60_000_000)) };
    let elsewhere = Venue { room: tempfile::tempdir().expect("a folder"), clock: other.clock.clone() };
    fs::rename(&back, elsewhere.data()).expect("a folder that is elsewhere");
    let live = elsewhere.serve(5_000..5_010);
    assert_eq!(holds(&elsewhere.data()).digest, HEXLOWER.encode(&live));
    let early = Some(Until::Time(Timestamp::from_micros(BEGAN - 1)));
    let refused = restored(&Sources { backup: None, archive: Some(&cold_of(&other)), until: early }, &back);
    assert!(matches!(refused, Err(RestoreError::BeforeEverything)), "{refused:?}");
    assert!(matches!(restored(&Sources::default(), &back), Err(RestoreError::NoSource)));
}

fn cold_of(venue: &Venue) -> PathBuf {
    venue.path("cold")
}

#[test]
fn an_archive_has_the_named_pictures_and_a_restore_takes_them_from_there() {
    let venue = Venue::traded();
    let picture = |number: u8| {
        let content = write(&MadePicture { large: vec![number; 900], small: vec![], width: 1, height: 1 });
        (PictureHash::of(&content), content)
    };
    let mut store = FolderPictures::of(&venue.data());
    let ((named, content), (unnamed, other), (damaged, _)) = (picture(1), picture(2), picture(3));
    for (hash, content) in [(named, &content), (unnamed, &other), (damaged, &other)] {
        store.put(hash, content).expect("a picture");
    }
    store.name(&BTreeSet::from([named, damaged])).expect("named");
    assert_eq!(venue.archive().expect("an archive").pictures, 1, "neither the unnamed nor the damaged one");
    let (cold, back) = (venue.path("cold"), venue.path("back"));
    let done =
        restored(&Sources { backup: None, archive: Some(&cold), until: None }, &back).expect("a restore");
    assert_eq!((done.pictures, done.pictures_missing), (1, 0));
    assert_eq!(FolderPictures::of(&back).list().expect("pictures"), [(named, true)]);
    assert_eq!(FolderPictures::of(&back).get(named).expect("a picture"), Some(content));
    assert_eq!(holds(&back).pictures, 1);
}
