//! `verify`, `replay_until`, `backup` and `restore` on the folder of a running node, and on copies with planted
//! damage.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use exchange::codec;
use journal::disk::RealDisk;
use journal::file::{Audit, FileJournal};
use journal::snapshots::SnapshotStore;
use journal::testing::ManualClock;
use journal::{Frame, Journal};
use serde_json::json;
use server::audit::backup::{BackupError, backup};
use server::audit::backup_check::{BackupFault, verify_backup};
use server::audit::past::{PastState, Until, replay_until};
use server::audit::restore::{RestoreError, restore};
use server::audit::verify::{PublishedHead, VerifyReport, verify};
use server::audit::{KeyFile, Manifest};
use server::people::SqliteRows;
use stage::node::{OPTIONS, Stage, limit, market};
use tempfile::TempDir;

/// A node with trades, a resting order and a snapshot in the middle.
async fn traded() -> Stage {
    let mut stage = Stage::open().await;
    stage.write(&stage.alice.key, "POST", &stage.book.mint(), &json!({"quantity": 25})).await.expect(200);
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "SELL", 6.0, 0.60)).await;
    stage.restart().await;
    stage.clock.advance_seconds(1);
    stage.place(&stage.bob.key, &stage.book, &limit(stage.book.yes, "BUY", 2.4, 0.60)).await;
    stage.clock.advance_seconds(1);
    stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.no, "BUY", 10.0)).await;
    stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.yes, "BUY", 20.0)).await;
    stage
}

/// A copy of the relevant files, for planting damage.
fn copy(stage: &Stage) -> TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for part in ["journal", "snapshots"] {
        fs::create_dir(copy.path().join(part)).expect("a folder");
        for entry in fs::read_dir(stage.folder().join(part)).expect("a folder to read") {
            let path = entry.expect("a file").path();
            let name = path.file_name().expect("a name");
            if name != "journal.lock" {
                fs::copy(&path, copy.path().join(part).join(name)).expect("a copy");
            }
        }
    }
    let people = SqliteRows::open_reading(stage.folder()).expect("a people store").expect("a people store");
    people.copy_into(copy.path()).expect("a copy");
    copy
}

fn prove(folder: &Path) -> VerifyReport {
    verify(folder, None, |_, _| {}).expect("a verdict")
}

#[track_caller]
fn broken(folder: &Path, why: &str) {
    let verdict = prove(folder);
    assert!(verdict.problems.iter().any(|problem| problem.contains(why)), "{why}: {verdict:?}");
}

fn frames(folder: &Path) -> Vec<Frame> {
    let disk = Arc::new(RealDisk::reading(folder.join("journal")));
    let mut audit = Audit::open(disk).expect("a journal");
    let mut frames = Vec::new();
    while let Some(frame) = audit.next_frame().expect("a good journal") {
        frames.push(frame);
    }
    frames
}

/// The one segment of a small journal.
fn segment(folder: &Path) -> std::path::PathBuf {
    folder.join("journal/00000000000000000001.segment")
}

/// Where each frame of it begins, and the end of the last.
fn places(bytes: &[u8]) -> Vec<usize> {
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("a frame") + 1;
    let mut places: Vec<_> = (1024..end).step_by(8).filter(|at| bytes[*at..].starts_with(b"FRAM")).collect();
    places.push(end);
    places
}

/// Rewrites a journal with other frames, with every checksum and every link of the chain right.
fn forge(folder: &Path, frames: &[Frame]) {
    let journal = folder.join("journal");
    fs::remove_dir_all(&journal).expect("a journal to replace");
    let disk = Arc::new(RealDisk::new(&journal).expect("a folder"));
    let clock = ManualClock::new(0);
    let mut forged = FileJournal::create(disk, Box::new(clock.clone()), OPTIONS, [9; 16]).expect("a journal");
    for frame in frames {
        clock.set(frame.header.at);
        let next = forged.head().expect("a head").next;
        assert!(matches!(forged.append(next, &frame.payload), Ok(journal::Appended::Stored { .. })));
    }
}

#[tokio::test]
async fn a_folder_that_is_served_holds_and_its_head_is_the_published_one() {
    let stage = traded().await;
    let published = stage.ask(stage::node::get("/v1/pm/solvency")).await.expect(200);
    let head: PublishedHead =
        format!("{}:{}", published["sequence"], published["frameHash"].as_str().expect("a hash"))
            .parse()
            .expect("a head");
    let verdict = verify(stage.folder(), Some(head), |_, _| {}).expect("a verdict");
    assert_eq!((&verdict.problems, &verdict.doubts), (&vec![], &vec![]));
    assert_eq!(verdict.sequence, stage.seq());
    assert_eq!(verdict.digest, data_encoding::HEXLOWER.encode(&stage.digest()));
    assert_eq!(published["stateDigest"], verdict.digest);
    assert_eq!(verdict.snapshots, 1);
    assert!(verdict.recounts >= 2, "at the snapshot and at the end: {verdict:?}");
    stage.close().await;
}

#[tokio::test]
async fn a_changed_byte_of_the_journal_is_found_wherever_it_is() {
    let stage = traded().await;
    let folder = copy(&stage);
    let path = segment(folder.path());
    let good = fs::read(&path).expect("a segment");
    let end = *places(&good).last().expect("an end");
    // Headers, the seal, every 97th byte of the frames, and behind them.
    let tried = [0, 9, 13, 30, 45, 60, 600, 1023]
        .into_iter()
        .chain((1024..end).step_by(97))
        .chain([end - 1, end + 700]);
    let mut found = 0;
    for place in tried {
        let mut bytes = good.clone();
        bytes[place] ^= 0x21;
        fs::write(&path, &bytes).expect("a changed segment");
        let verdict = prove(folder.path());
        assert!(!verdict.problems.is_empty() || !verdict.doubts.is_empty(), "byte {place}: {verdict:?}");
        found += 1;
    }
    assert!(found > 40, "{found}");
    fs::write(&path, &good).expect("the segment as it was");
    assert_eq!(prove(folder.path()).problems, Vec::<String>::new());
}

#[tokio::test]
async fn a_removed_a_swapped_and_a_rewritten_frame_are_found() {
    let stage = traded().await;
    let folder = copy(&stage);
    let path = segment(folder.path());
    let good = fs::read(&path).expect("a segment");
    let places = places(&good);
    let all = frames(folder.path());
    assert_eq!(places.len(), all.len() + 1);

    let middle = places.len() / 2;
    let mut removed = good.clone();
    removed[places[middle]..places[middle + 1]].fill(0);
    fs::write(&path, &removed).expect("a segment with a hole");
    broken(folder.path(), "corrupt");
    let mut closed_up = good[..places[middle]].to_vec();
    closed_up.extend(&good[places[middle + 1]..]);
    closed_up.resize(good.len(), 0);
    fs::write(&path, &closed_up).expect("a segment without a frame");
    broken(folder.path(), "corrupt");

    let (first, second) = (places[3]..places[4], places[4]..places[5]);
    let mut swapped = good[..first.start].to_vec();
    swapped.extend(&good[second.clone()]);
    swapped.extend(&good[first]);
    swapped.extend(&good[second.end..]);
    fs::write(&path, &swapped).expect("a segment with two frames swapped");
    broken(folder.path(), "corrupt");

    // A forger who repairs every checksum and the whole chain is still caught by the snapshot and by a published
    // head.
    let head =
        PublishedHead { sequence: all[all.len() - 1].header.next().0 - 1, hash: all[all.len() - 1].hash };
    let mut without = all.clone();
    without.remove(middle);
    let mut exchanged = all.clone();
    exchanged.swap(1, 2);
    for forged in [&without, &exchanged] {
        forge(folder.path(), forged);
        broken(folder.path(), "snapshot");
        let verdict = verify(folder.path(), Some(head), |_, _| {}).expect("a verdict");
        assert!(verdict.problems.iter().any(|problem| problem.contains("published")), "{verdict:?}");
    }
}

#[tokio::test]
async fn a_removed_last_frame_is_found_against_a_published_head() {
    let stage = traded().await;
    let folder = copy(&stage);
    let path = segment(folder.path());
    let all = frames(folder.path());
    let last = all.last().expect("a frame");
    let head = PublishedHead { sequence: last.header.next().0 - 1, hash: last.hash };
    assert_eq!(
        verify(folder.path(), Some(head), |_, _| {}).expect("a verdict").problems,
        Vec::<String>::new()
    );
    let mut bytes = fs::read(&path).expect("a segment");
    let places = places(&bytes);
    bytes[places[places.len() - 2]..].fill(0);
    fs::write(&path, &bytes).expect("a shorter journal");
    let alone = prove(folder.path());
    assert_eq!((&alone.problems, &alone.doubts), (&vec![], &vec![]), "by itself it is a whole journal");
    let verdict = verify(folder.path(), Some(head), |_, _| {}).expect("a verdict");
    assert!(verdict.problems[0].contains("was published"), "{verdict:?}");
    let other = PublishedHead { sequence: alone.sequence, hash: last.hash };
    let verdict = verify(folder.path(), Some(other), |_, _| {}).expect("a verdict");
    assert!(verdict.problems[0].contains("has the hash"), "{verdict:?}");
}

#[tokio::test]
async fn an_edited_snapshot_is_found_however_well_it_is_edited() {
    let stage = traded().await;
    let folder = copy(&stage);
    let store =
        SnapshotStore::new(Arc::new(RealDisk::new(folder.path().join("snapshots")).expect("a folder")));
    let name = store.names().expect("names").pop().expect("a snapshot");
    let path = folder.path().join("snapshots").join(&name);
    let good = fs::read(&path).expect("a snapshot");
    let (whole, mut unchanged) = (store.load(&name).expect("a good snapshot"), 0);
    for place in (0..good.len()).step_by(211) {
        let mut bytes = good.clone();
        bytes[place] ^= 0x11;
        fs::write(&path, &bytes).expect("a changed snapshot");
        // The hash is that of the content. A changed reference of the compression may lead to equal bytes.
        match store.load(&name) {
            Ok(read) if read.content == whole.content && read.head == whole.head => unchanged += 1,
            _ => broken(folder.path(), &name),
        }
    }
    assert!(unchanged <= 2, "{unchanged} changes give the content as it was");
    // With every checksum right, and decodable: Bob is one unit richer, the external account one unit poorer.
    fs::write(&path, &good).expect("the snapshot as it was");
    let snapshot = store.load(&name).expect("a good snapshot");
    let edit = |from: &[u8], to: &[u8], content: &[u8]| {
        let at = content.windows(from.len()).position(|bytes| bytes == from).expect("an amount");
        [&content[..at], to, &content[at + from.len()..]].concat()
    };
    // 1,000 USD in CBOR, as Bob has it in his wallet.
    let richer = edit(&[0x1a, 0x3b, 0x9a, 0xca, 0x00], &[0x1a, 0x3b, 0x9a, 0xca, 0x01], &snapshot.content);
    assert!(codec::decode_snapshot(&richer).is_ok(), "it can be read");
    store.save(&snapshot.head, &richer).expect("a forged snapshot");
    broken(folder.path(), "is not the state that the journal gives");
    let mut moved = snapshot.head;
    moved.hash.0[0] ^= 1;
    store.save(&moved, &snapshot.content).expect("a forged snapshot");
    broken(folder.path(), "names another frame");
}

#[tokio::test]
async fn a_backup_is_read_back_and_damage_before_its_snapshot_is_found_too() {
    let stage = traded().await;
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("copy");
    let manifest = backup(stage.folder(), &copy, KeyFile::NotIncluded, |_, _| {}).expect("a backup");
    assert!(manifest.snapshot > 1, "the first frame is before the snapshot");
    verify_backup((&copy).into(), &manifest).expect("a good backup");

    let other = Manifest { sequence: manifest.sequence + 1, ..manifest.clone() };
    let differs = verify_backup((&copy).into(), &other).expect_err("another manifest");
    assert!(matches!(differs, BackupFault::Differs { .. }), "{differs}");
    let good = fs::read(segment(&copy)).expect("a segment");
    let places = places(&good);
    for place in [places[0] + 80, places[places.len() - 2] + 80] {
        let mut bytes = good.clone();
        bytes[place] ^= 0x21;
        fs::write(segment(&copy), &bytes).expect("a changed segment");
        assert!(verify_backup((&copy).into(), &manifest).is_err(), "byte {place}");
    }
}

#[tokio::test]
async fn any_past_state_comes_back_by_sequence_and_by_time() {
    let stage = traded().await;
    let all = frames(stage.folder());
    let at = |until| -> PastState { replay_until(stage.folder(), until, |_, _| {}).expect("a past state") };
    let last = at(Until::Sequence(u64::MAX - 1));
    assert_eq!(
        (last.exchange.seq(), last.exchange.digest(), last.has_more),
        (stage.seq(), stage.digest(), false)
    );
    for frame in [&all[2], &all[all.len() / 2]] {
        let sequence = frame.header.first.0;
        let past = at(Until::Sequence(sequence));
        assert_eq!((past.exchange.seq(), past.has_more), (sequence, true));
        assert_ne!(past.exchange.digest(), stage.digest());
    }
    let bob_took = all.iter().find(|frame| frame.header.at > all[0].header.at).expect("a later frame");
    let before = at(Until::Time(api::Timestamp::from_micros(bob_took.header.at - 1)));
    assert_eq!(before.exchange.seq(), bob_took.header.first.0 - 1);
    let then = at(Until::Time(api::Timestamp::from_micros(bob_took.header.at)));
    assert!(then.exchange.seq() >= bob_took.header.next().0 - 1);
    assert_eq!(at(Until::Sequence(0)).exchange.seq(), 0);
    assert_eq!("17".parse(), Ok(Until::Sequence(17)));
    assert_eq!(
        "2030-01-01T00:00:00Z".parse(),
        Ok(Until::Time(api::Timestamp::from_micros(1_893_456_000_000_000)))
    );
    assert!("yesterday".parse::<Until>().is_err());
    stage.close().await;
}

#[tokio::test]
async fn a_backup_comes_back_with_its_digest_or_not_at_all() {
    let stage = traded().await;
    let room = tempfile::tempdir().expect("a folder");
    let (copy, back) = (room.path().join("copy"), room.path().join("back"));
    let manifest = backup(stage.folder(), &copy, KeyFile::Included, |_, _| {}).expect("a backup");
    assert_eq!(manifest.sequence, stage.seq());
    assert_eq!(manifest.state_digest.0, stage.digest());
    assert!(manifest.snapshot > 0);
    assert!(matches!(
        backup(stage.folder(), &copy, KeyFile::NotIncluded, |_, _| {}),
        Err(BackupError::NotEmpty(_))
    ));
    assert_eq!(prove(&copy).problems, Vec::<String>::new(), "a backup can be proved like its source");

    assert_eq!(restore(&copy, &back, |_, _| {}).expect("a restore"), manifest);
    let verdict = prove(&back);
    assert_eq!((&verdict.problems, verdict.snapshots), (&vec![], 1));
    assert_eq!(verdict.digest, data_encoding::HEXLOWER.encode(&stage.digest()));
    assert_eq!(frames(&back), frames(stage.folder()), "the same frames with the same hashes");
    assert_eq!(fs::read(back.join("master.key")).ok(), fs::read(stage.folder().join("master.key")).ok());
    assert!(back.join("history").is_dir() && !back.join("restoring").exists());
    assert!(matches!(restore(&copy, &back, |_, _| {}), Err(RestoreError::NotEmpty(_))));

    let page = fs::read_to_string(copy.join("manifest.json")).expect("a manifest");
    let digest = manifest.state_digest.to_string();
    let other = digest.replacen(&digest[..1], if digest.starts_with('0') { "1" } else { "0" }, 1);
    let hash = manifest.frame_hash.to_string();
    let wrongs =
        [page.replace(&digest, &other), page.replace(&hash, &other), page.replace("backup-1", "backup-9")];
    for wrong in wrongs {
        fs::write(copy.join("manifest.json"), wrong).expect("a wrong manifest");
        let nowhere = room.path().join("nowhere");
        restore(&copy, &nowhere, |_, _| {}).expect_err("another state");
        let left =
            fs::read_dir(&nowhere).into_iter().flatten().map(|entry| entry.expect("a file").file_name());
        assert!(left.into_iter().all(|name| name == "node.lock"), "nothing is left but the lock");
    }
    fs::write(copy.join("manifest.json"), page).expect("the right manifest");
    let again = restore(&copy, &room.path().join("nowhere"), |_, _| {}).expect("a restore into what is left");
    assert_eq!(again, manifest);
    stage.close().await;
}
