//! The file journal on a disk in memory and on a real one: the suite for every journal, rolls, locks, refusals.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use journal::disk::{Disk, RealDisk};
use journal::file::{FileJournal, Options};
use journal::testing::conformance::{self, Factory, payload_of, read, store};
use journal::testing::{FaultyDisk, ManualClock};
use journal::{Error, Frame, Journal, Sequence};

const ID: [u8; 16] = *b"a test's journal";

fn small() -> Options {
    Options { segment_bytes: 4096, prepare_in_background: false, ..Options::default() }
}

fn create(disk: &Arc<dyn Disk>, options: Options) -> FileJournal {
    FileJournal::create(Arc::clone(disk), Box::new(ManualClock::new(7)), options, ID).expect("a journal")
}

fn open(disk: &Arc<dyn Disk>, options: Options) -> Result<FileJournal, Error> {
    FileJournal::open(Arc::clone(disk), Box::new(ManualClock::new(7)), options)
}

/// A real folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Folder(std::env::temp_dir().join(format!("journal-test-{}-{number}", std::process::id())))
    }

    fn disk(&self) -> Arc<dyn Disk> {
        Arc::new(RealDisk::new(&self.0).expect("a folder"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct InMemory(Arc<dyn Disk>, Options);

impl Factory for InMemory {
    fn create(&mut self, clock: ManualClock) -> Box<dyn Journal> {
        self.0 = Arc::new(FaultyDisk::new(1));
        Box::new(FileJournal::create(Arc::clone(&self.0), Box::new(clock), self.1, ID).expect("a journal"))
    }

    fn reopen(&mut self, clock: ManualClock) -> Box<dyn Journal> {
        Box::new(FileJournal::open(Arc::clone(&self.0), Box::new(clock), self.1).expect("a journal"))
    }
}

struct OnDisk(Folder, Options);

impl Factory for OnDisk {
    fn create(&mut self, clock: ManualClock) -> Box<dyn Journal> {
        self.0 = Folder::new();
        Box::new(FileJournal::create(self.0.disk(), Box::new(clock), self.1, ID).expect("a journal"))
    }

    fn reopen(&mut self, clock: ManualClock) -> Box<dyn Journal> {
        Box::new(FileJournal::open(self.0.disk(), Box::new(clock), self.1).expect("a journal"))
    }
}

#[test]
fn a_file_journal_in_memory_conforms_at_every_size_of_segments() {
    for segment_bytes in [2048, 4096, 65_536] {
        conformance::check_all(&mut InMemory(
            Arc::new(FaultyDisk::new(1)),
            Options { segment_bytes, ..small() },
        ));
    }
}

#[test]
fn a_file_journal_on_a_real_disk_conforms() {
    let options = Options { segment_bytes: 65_536, prepare_in_background: true, ..Options::default() };
    conformance::check_all(&mut OnDisk(Folder::new(), options));
}

#[test]
fn a_journal_rolls_over_many_segments_and_each_but_the_last_is_sealed() {
    let folder = Folder::new();
    let disk = folder.disk();
    let options = Options { segment_bytes: 4096, ..Options::default() };
    let mut journal = create(&disk, options);
    let stored: Vec<_> =
        (0..100).map(|salt| store(&mut journal, &payload_of(&[salt as usize * 7], salt))).collect();
    drop(journal);
    let names = segments(&*disk);
    assert!(names.len() > 10, "{names:?}");
    for (index, name) in names.iter().enumerate() {
        let bytes = fs::read(folder.0.join(name)).expect("a segment");
        assert_eq!(bytes.len(), 4096);
        assert_eq!(&bytes[512..520] == b"BWSEALED", index + 1 < names.len());
    }
    let journal = open(&disk, options).expect("a journal");
    assert_eq!(journal.id(), ID);
    assert_eq!(read(&journal, Sequence::FIRST), stored);
}

#[test]
fn a_journal_opened_with_another_segment_size_continues() {
    let disk: Arc<dyn Disk> = Arc::new(FaultyDisk::new(1));
    let mut stored: Vec<Frame> = Vec::new();
    drop(create(&disk, small()));
    for (round, segment_bytes) in [2048, 16_384, 4096, 8192].into_iter().enumerate() {
        let mut journal = open(&disk, Options { segment_bytes, ..small() }).expect("a journal");
        let largest = journal.payload_bytes_max();
        for length in [10, largest - 4, 300, 300] {
            stored.push(store(&mut journal, &payload_of(&[length], round as u64)));
        }
        assert_eq!(read(&journal, Sequence::FIRST), stored);
    }
}

#[test]
fn a_second_writer_is_refused() {
    let (folder, memory) = (Folder::new(), FaultyDisk::new(1));
    for disk in [folder.disk(), Arc::new(memory) as Arc<dyn Disk>] {
        let journal = create(&disk, small());
        assert!(matches!(open(&disk, small()), Err(Error::Locked { .. })));
        drop(journal);
        open(&disk, small()).expect("the lock is free again");
    }
}

#[test]
fn a_folder_without_a_journal_is_not_opened_and_one_with_it_not_created() {
    let disk: Arc<dyn Disk> = Arc::new(FaultyDisk::new(1));
    assert!(matches!(open(&disk, small()), Err(Error::NoJournal)));
    drop(create(&disk, small()));
    let again = FileJournal::create(Arc::clone(&disk), Box::new(ManualClock::new(7)), small(), ID);
    assert!(matches!(again, Err(Error::AlreadyThere)));
}

#[test]
fn sizes_of_segments_that_make_no_sense_are_refused() {
    for segment_bytes in [0, 512, 1536, 4100, 2 << 30] {
        let disk: Arc<dyn Disk> = Arc::new(FaultyDisk::new(1));
        let options = Options { segment_bytes, ..small() };
        let refused = FileJournal::create(disk, Box::new(ManualClock::new(7)), options, ID);
        assert!(matches!(refused, Err(Error::WrongOptions(_))), "{segment_bytes}");
    }
}

/// A disk with a journal of several segments on it, and their names.
fn several_segments() -> (FaultyDisk, Vec<String>) {
    let disk = FaultyDisk::new(1);
    let shared: Arc<dyn Disk> = Arc::new(disk.clone());
    let mut journal = create(&shared, small());
    for salt in 0..40 {
        store(&mut journal, &payload_of(&[250], salt));
    }
    let names = segments(&disk);
    assert!(names.len() >= 4);
    (disk, names)
}

fn segments(disk: &dyn Disk) -> Vec<String> {
    let mut names = disk.list().expect("names");
    names.retain(|name| name.ends_with(".segment"));
    names.sort();
    names
}

fn refusal(disk: FaultyDisk, options: Options) -> String {
    let disk: Arc<dyn Disk> = Arc::new(disk);
    open(&disk, options).expect_err("a refusal").to_string()
}

#[test]
fn a_missing_segment_is_refused_and_named() {
    let (disk, names) = several_segments();
    for missing in &names {
        for verify_from in [Sequence::FIRST, Sequence(u64::MAX)] {
            let disk = disk.fork();
            disk.remove(missing).expect("it was there");
            let refusal = refusal(disk, Options { verify_from, ..small() });
            assert!(refusal.contains(missing) && refusal.contains("missing"), "{refusal}");
        }
    }
}

#[test]
fn segments_under_each_others_names_are_refused_and_named() {
    let (disk, names) = several_segments();
    disk.overwrite(&names[1], &disk.content(&names[2]));
    let refusal = refusal(disk, small());
    assert!(refusal.contains(&names[1]) && refusal.contains("unlike its name"), "{refusal}");
}

#[test]
fn a_segment_of_another_journal_is_refused_and_named() {
    let (disk, names) = several_segments();
    let other = FaultyDisk::new(1);
    let clock = Box::new(ManualClock::new(7));
    let mut journal =
        FileJournal::create(Arc::new(other.clone()), clock, small(), [9; 16]).expect("a journal");
    for salt in 0..40 {
        store(&mut journal, &payload_of(&[250], salt));
    }
    disk.overwrite(&names[2], &other.content(&names[2]));
    let refusal = refusal(disk, small());
    assert!(refusal.contains(&names[2]) && refusal.contains("another journal"), "{refusal}");
}

#[test]
fn a_segment_of_the_same_journal_with_another_past_is_refused() {
    let (disk, names) = several_segments();
    let other = FaultyDisk::new(1);
    let mut journal = create(&(Arc::new(other.clone()) as Arc<dyn Disk>), small());
    for salt in 100..140 {
        store(&mut journal, &payload_of(&[250], salt));
    }
    for verify_from in [Sequence::FIRST, Sequence(u64::MAX)] {
        let disk = disk.fork();
        disk.overwrite(&names[2], &other.content(&names[2]));
        let refusal = refusal(disk, Options { verify_from, ..small() });
        assert!(refusal.contains(&names[2]) && refusal.contains("does not follow"), "{refusal}");
    }
}

#[test]
fn a_frame_that_was_moved_is_refused() {
    let (disk, names) = several_segments();
    let mut bytes = disk.content(&names[0]);
    // Two frames of one length and the same position in their sectors would otherwise pass each other's checks.
    let first = bytes[1024..1024 + 512].to_vec();
    bytes.copy_within(1024 + 512..1024 + 1024, 1024);
    bytes[1024 + 512..1024 + 1024].copy_from_slice(&first);
    disk.overwrite(&names[0], &bytes);
    let refusal = refusal(disk, small());
    assert!(refusal.contains("at offset 1024, sequence 1: corrupt"), "{refusal}");
}

#[test]
fn damage_before_verify_from_is_found_when_it_is_read() {
    let (disk, names) = several_segments();
    let mut bytes = disk.content(&names[0]);
    bytes[1200] ^= 1;
    disk.overwrite(&names[0], &bytes);
    let disk: Arc<dyn Disk> = Arc::new(disk);
    let journal = open(&disk, Options { verify_from: Sequence(u64::MAX), ..small() }).expect("a journal");
    let mut cursor = journal.frames(Sequence::FIRST).expect("a cursor");
    let error = cursor.next_frame().expect_err("corruption");
    assert!(error.to_string().contains(&format!("{} at offset 1024, sequence 1", names[0])), "{error}");
}

#[test]
fn the_bytes_of_the_format_do_not_change() {
    let disk = FaultyDisk::new(1);
    let clock = ManualClock::new(1_700_000_000_000_000);
    let mut journal =
        FileJournal::create(Arc::new(disk.clone()), Box::new(clock), small(), ID).expect("a journal");
    for salt in 0..8 {
        store(&mut journal, &payload_of(&[700, 0, 30], salt));
    }
    let names = segments(&disk);
    assert_eq!(
        names,
        ["00000000000000000001.segment", "00000000000000000010.segment", "00000000000000000019.segment"]
    );
    let bytes: Vec<u8> = names.iter().flat_map(|name| disk.content(name)).collect();
    // A journal written by an older release must be readable for ever: new bytes mean a new format version.
    let digest = blake3::hash(&bytes).to_hex();
    assert_eq!(digest.as_str(), "46eca5cb4ba688c213cc36802bf8a54397975995b6a9798ea60f7702141729dc");
}
