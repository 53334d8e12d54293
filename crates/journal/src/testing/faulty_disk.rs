//! An in-memory disk that fails on purpose and simulates crashes.
//!
//! Calls are counted, and a fault can be planted at any call. A crash loses unsynced content sector by sector, and
//! unsynced name changes from a random one on. The seed decides which. Handles from before a crash are invalid.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Random;
use super::sectors::Sectors;
use crate::disk::{Disk, DiskFile};

const EMFILE: i32 = 24;

/// The effect of a planted fault. A fault that does not apply to a call, such as a short write to a rename, is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// EIO; the call does nothing. A sync fails like `FailedSync`.
    InputOutput,
    /// ENOSPC from here on, for every call that needs space.
    DiskFull,
    /// A write transfers fewer bytes than requested, which is not an error.
    ShortWrite,
    /// A write transfers fewer bytes than requested, and the next call fails with EIO.
    ShortWriteThenError,
    /// EIO from a sync: unsynced content stays readable but never becomes durable, unless it is written again.
    FailedSync,
    /// EMFILE from a call that needs a descriptor; the call does nothing.
    NoDescriptor,
    /// Power loss during the call. Every call fails until [`FaultyDisk::restart`].
    Crash,
}

/// Clones share the disk.
#[derive(Clone, Debug)]
pub struct FaultyDisk(Arc<Mutex<DiskState>>);

#[derive(Debug)]
struct DiskState {
    contents: Vec<Sectors>,
    names: BTreeMap<String, usize>,
    names_durable: BTreeMap<String, usize>,
    /// Changes of names since the last folder sync, in order.
    names_pending: Vec<Change>,
    random: Random,
    calls: u64,
    faults: BTreeMap<u64, Fault>,
    is_full: bool,
    /// Counts restarts and crashes, so that old handles are recognised.
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

/// How to continue the call.
enum FaultEffect {
    Normal,
    Short,
    /// Perform the call, then lose power.
    CrashBehind,
}

impl FaultyDisk {
    pub fn new(seed: u64) -> FaultyDisk {
        FaultyDisk(Arc::new(Mutex::new(DiskState {
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

    /// The number of calls since the disk was created or restarted.
    pub fn calls(&self) -> u64 {
        self.world().calls
    }

    /// Plants a fault at the `call`-th call since the last restart, counted from one.
    pub fn plant(&self, call: u64, fault: Fault) {
        self.world().faults.insert(call, fault);
    }

    /// Simulates a power loss now.
    pub fn crash(&self) {
        self.world().crash();
    }

    /// Simulates a new process on this disk: no locks, no faults, the call counter at zero. Unsynced content survives,
    /// unless the power was lost before.
    pub fn restart(&self) {
        let mut world = self.world();
        world.life += 1;
        world.calls = 0;
        world.faults.clear();
        (world.is_full, world.is_down) = (false, false);
        world.locked.clear();
    }

    /// An independent copy.
    pub fn fork(&self) -> FaultyDisk {
        let world = self.world();
        FaultyDisk(Arc::new(Mutex::new(DiskState {
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

    /// The bytes of a file as a program reads them, synced or not.
    pub fn content(&self, name: &str) -> Vec<u8> {
        let world = self.world();
        world.contents[world.names[name]].current.clone()
    }

    /// Replaces a file durably, without counting a call.
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

    fn world(&self) -> MutexGuard<'_, DiskState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DiskState {
    /// Counts the call and returns its outcome.
    fn call(&mut self, call: Call) -> io::Result<FaultEffect> {
        if self.is_down {
            return Err(io::Error::other("the disk has lost power"));
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
            (Some(Fault::ShortWrite), Call::Write) => Ok(FaultEffect::Short),
            (Some(Fault::ShortWriteThenError), Call::Write) => {
                self.faults.insert(self.calls + 1, Fault::InputOutput);
                Ok(FaultEffect::Short)
            }
            (Some(Fault::Crash), Call::Write | Call::Name) => Ok(FaultEffect::CrashBehind),
            (Some(Fault::Crash), _) => {
                self.crash();
                Err(broken())
            }
            _ => Ok(FaultEffect::Normal),
        }
    }

    /// Fails, and counts the call, if `NoDescriptor` is planted at it.
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

    /// A call that changes a name.
    fn call_name(&mut self, change: Change) -> io::Result<()> {
        let verdict = self.call(Call::Name)?;
        self.change(change);
        self.finish(&verdict)
    }

    fn finish(&mut self, verdict: &FaultEffect) -> io::Result<()> {
        if matches!(verdict, FaultEffect::CrashBehind) {
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
    fn world(&self) -> io::Result<MutexGuard<'_, DiskState>> {
        let world = self.disk.world();
        if world.life == self.life {
            Ok(world)
        } else {
            Err(io::Error::other("a handle from before a restart"))
        }
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
            FaultEffect::Short => world.random.below(bytes.len()).max(1),
            _ => bytes.len(),
        };
        world.contents[self.file].write(&bytes[..length], offset as usize);
        world.finish(&verdict)?;
        Ok(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut world = self.world()?;
        let outcome = world.call(Call::Sync);
        let DiskState { contents, random, is_down, .. } = &mut *world;
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
