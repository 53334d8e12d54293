//! A disk in memory that fails on purpose and knows what a crash leaves.
//!
//! Calls are counted, and a fault can be planted at any of them. Content that was not synced is lost sector by
//! sector, names that were not synced are lost from the first that did not make it, all by a seed. Handles from
//! before a crash are dead.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Random;
use super::sectors::Sectors;
use crate::disk::{Disk, DiskFile};

const EMFILE: i32 = 24;

/// What happens at a call. A fault that means nothing to a call, such as a short write to a rename, is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// EIO; nothing is done. For a sync it is a failed sync.
    InputOutput,
    /// ENOSPC from here on, for everything that needs room.
    DiskFull,
    /// A write does less than it was asked, which is no error.
    ShortWrite,
    /// A write does less than it was asked, and the next one fails with EIO.
    ShortWriteThenError,
    /// EIO from a sync: what was not synced stays readable and will never be, unless it is written again.
    FailedSync,
    /// EMFILE from a call that needs a descriptor; nothing is done.
    NoDescriptor,
    /// The power goes in the middle of the call. Every call fails until [`FaultyDisk::restart`].
    Crash,
}

/// Clones are the same disk.
#[derive(Clone, Debug)]
pub struct FaultyDisk(Arc<Mutex<World>>);

#[derive(Debug)]
struct World {
    contents: Vec<Sectors>,
    names: BTreeMap<String, usize>,
    names_durable: BTreeMap<String, usize>,
    /// Changes of names since the folder was synced, in order.
    names_pending: Vec<Change>,
    random: Random,
    calls: u64,
    faults: BTreeMap<u64, Fault>,
    is_full: bool,
    /// Counts restarts, so that old handles are known.
    life: u64,
    is_down: bool,
    locked: BTreeSet<String>,
}

#[derive(Clone, Debug)]
enum Change {
    Name(String, usize),
    Rename(String, String),
    Remove(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Read,
    Write,
    Sync,
    Name,
}

/// How the call goes on after its fault was considered.
enum Verdict {
    Normal,
    Short,
    /// Do it, then lose the power.
    CrashBehind,
}

impl FaultyDisk {
    pub fn new(seed: u64) -> FaultyDisk {
        FaultyDisk(Arc::new(Mutex::new(World {
            contents: Vec::new(),
            names: BTreeMap::new(),
            names_durable: BTreeMap::new(),
            names_pending: Vec::new(),
            random: Random(seed),
            calls: 0,
            faults: BTreeMap::new(),
            is_full: false,
            life: 0,
            is_down: false,
            locked: BTreeSet::new(),
        })))
    }

    /// How many calls were made since the disk was made or restarted.
    pub fn calls(&self) -> u64 {
        self.world().calls
    }

    /// Lets the `call`-th call from the last restart on, counted from one, fail.
    pub fn plant(&self, call: u64, fault: Fault) {
        self.world().faults.insert(call, fault);
    }

    /// Cuts the power now.
    pub fn crash(&self) {
        self.world().crash();
    }

    /// A new process on the same disk: no locks, no faults, calls counted anew. What was written and not synced is
    /// still there, unless the power was cut before.
    pub fn restart(&self) {
        let mut world = self.world();
        world.life += 1;
        world.calls = 0;
        world.faults.clear();
        (world.is_full, world.is_down) = (false, false);
        world.locked.clear();
    }

    /// A copy that goes its own way.
    pub fn fork(&self) -> FaultyDisk {
        let world = self.world();
        FaultyDisk(Arc::new(Mutex::new(World {
            contents: world.contents.clone(),
            names: world.names.clone(),
            names_durable: world.names_durable.clone(),
            names_pending: world.names_pending.clone(),
            random: world.random.clone(),
            faults: world.faults.clone(),
            locked: world.locked.clone(),
            ..*world
        })))
    }

    /// The bytes of a file as a program reads them.
    pub fn content(&self, name: &str) -> Vec<u8> {
        let world = self.world();
        world.contents[world.names[name]].current.clone()
    }

    /// Replaces a file behind everybody's back, durably.
    pub fn overwrite(&self, name: &str, bytes: &[u8]) {
        let mut world = self.world();
        let mut sectors = Sectors::default();
        sectors.write(bytes, 0);
        sectors.sync();
        let file = world.contents.len();
        world.contents.push(sectors);
        world.change(Change::Name(name.to_owned(), file));
        world.sync_names();
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World {
    /// Counts the call and says what becomes of it.
    fn call(&mut self, call: Call) -> io::Result<Verdict> {
        if self.is_down {
            return Err(io::Error::other("the power is gone"));
        }
        self.calls += 1;
        let fault = self.faults.get(&self.calls).copied();
        if fault == Some(Fault::DiskFull) {
            self.is_full = true;
        }
        if self.is_full && matches!(call, Call::Write | Call::Name) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        match (fault, call) {
            (Some(Fault::InputOutput), _) | (Some(Fault::FailedSync), Call::Sync) => Err(broken()),
            (Some(Fault::ShortWrite), Call::Write) => Ok(Verdict::Short),
            (Some(Fault::ShortWriteThenError), Call::Write) => {
                self.faults.insert(self.calls + 1, Fault::InputOutput);
                Ok(Verdict::Short)
            }
            (Some(Fault::Crash), Call::Write | Call::Name) => Ok(Verdict::CrashBehind),
            (Some(Fault::Crash), _) => {
                self.crash();
                Err(broken())
            }
            _ => Ok(Verdict::Normal),
        }
    }

    /// Counts a call that needs a descriptor if there is none for it.
    fn take_descriptor(&mut self) -> io::Result<()> {
        if self.faults.get(&(self.calls + 1)) != Some(&Fault::NoDescriptor) || self.is_down {
            return Ok(());
        }
        self.calls += 1;
        Err(io::Error::from_raw_os_error(EMFILE))
    }

    fn crash(&mut self) {
        for sectors in &mut self.contents {
            sectors.crash(&mut self.random);
        }
        let kept = self.random.below(self.names_pending.len() + 1);
        let pending = std::mem::take(&mut self.names_pending);
        for change in &pending[..kept] {
            apply(&mut self.names_durable, change);
        }
        self.names.clone_from(&self.names_durable);
        self.is_down = true;
        self.life += 1;
    }

    fn change(&mut self, change: Change) {
        apply(&mut self.names, &change);
        self.names_pending.push(change);
    }

    fn sync_names(&mut self) {
        self.names_durable.clone_from(&self.names);
        self.names_pending.clear();
    }

    /// One call that changes names.
    fn call_name(&mut self, change: Change) -> io::Result<()> {
        let verdict = self.call(Call::Name)?;
        self.change(change);
        self.finish(&verdict)
    }

    fn finish(&mut self, verdict: &Verdict) -> io::Result<()> {
        if matches!(verdict, Verdict::CrashBehind) {
            self.crash();
            return Err(broken());
        }
        Ok(())
    }

    fn find(&self, name: &str) -> io::Result<usize> {
        self.names.get(name).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn apply(names: &mut BTreeMap<String, usize>, change: &Change) {
    match change {
        Change::Name(name, file) => {
            names.insert(name.clone(), *file);
        }
        Change::Rename(from, to) => {
            if let Some(file) = names.remove(from) {
                names.insert(to.clone(), file);
            }
        }
        Change::Remove(name) => {
            names.remove(name);
        }
    }
}

fn broken() -> io::Error {
    io::Error::other("planted input/output error")
}

impl Disk for FaultyDisk {
    fn create(&self, name: &str) -> io::Result<Box<dyn DiskFile>> {
        let mut world = self.world();
        world.take_descriptor()?;
        if world.names.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = world.contents.len();
        world.contents.push(Sectors::default());
        world.call_name(Change::Name(name.to_owned(), file))?;
        Ok(Box::new(FaultyFile { disk: self.clone(), file, life: world.life }))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn DiskFile>> {
        let mut world = self.world();
        world.take_descriptor()?;
        world.call(Call::Read)?;
        let file = world.find(name)?;
        Ok(Box::new(FaultyFile { disk: self.clone(), file, life: world.life }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut world = self.world();
        world.find(from)?;
        world.call_name(Change::Rename(from.to_owned(), to.to_owned()))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let mut world = self.world();
        world.find(name)?;
        world.call_name(Change::Remove(name.to_owned()))
    }

    fn list(&self) -> io::Result<Vec<String>> {
        let mut world = self.world();
        world.take_descriptor()?;
        world.call(Call::Read)?;
        Ok(world.names.keys().cloned().collect())
    }

    fn sync_folder(&self) -> io::Result<()> {
        let mut world = self.world();
        world.take_descriptor()?;
        world.call(Call::Sync)?;
        world.sync_names();
        Ok(())
    }

    fn lock(&self, name: &str) -> io::Result<Box<dyn Any + Send>> {
        let mut world = self.world();
        world.take_descriptor()?;
        world.call(Call::Read)?;
        if !world.locked.insert(name.to_owned()) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(Box::new(Lock { disk: self.clone(), life: world.life, name: name.to_owned() }))
    }
}

#[derive(Debug)]
struct Lock {
    disk: FaultyDisk,
    life: u64,
    name: String,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut world = self.disk.world();
        if world.life == self.life {
            world.locked.remove(&self.name);
        }
    }
}

#[derive(Debug)]
struct FaultyFile {
    disk: FaultyDisk,
    file: usize,
    life: u64,
}

impl FaultyFile {
    fn world(&self) -> io::Result<MutexGuard<'_, World>> {
        let world = self.disk.world();
        if world.life == self.life { Ok(world) } else { Err(io::Error::other("a handle from a former life")) }
    }
}

impl DiskFile for FaultyFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut world = self.world()?;
        world.call(Call::Read)?;
        Ok(world.contents[self.file].read(buffer, offset as usize))
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        let mut world = self.world()?;
        let verdict = world.call(Call::Write)?;
        let length = match verdict {
            Verdict::Short => world.random.below(bytes.len()).max(1),
            _ => bytes.len(),
        };
        world.contents[self.file].write(&bytes[..length], offset as usize);
        world.finish(&verdict)?;
        Ok(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut world = self.world()?;
        let outcome = world.call(Call::Sync);
        let World { contents, random, is_down, .. } = &mut *world;
        match outcome {
            Ok(_) => contents[self.file].sync(),
            Err(_) if *is_down => {}
            Err(_) => contents[self.file].fail_sync(random),
        }
        outcome.map(drop)
    }

    fn length(&self) -> io::Result<u64> {
        let mut world = self.world()?;
        world.call(Call::Read)?;
        Ok(world.contents[self.file].current.len() as u64)
    }
}
