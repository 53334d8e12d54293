//! Pictures of events and outcomes: uploaded by operators, made anew (`making`), stored by hash, served from memory.
//!
//! `folder` stores them next to a file journal, `postgres` in the database of a shared log. The journal has only
//! addresses (`address`, `naming`). A picture is stored before the command that names it, and named before that command
//! is sent, so no accepted command names a picture that a sweep may remove (`sweeping`).

pub mod address;
mod cache;
mod folder;
pub mod making;
pub mod naming;
mod postgres;
mod store;
pub mod stored;
mod sweeping;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;

pub use folder::FolderPictures;
pub use postgres::PostgresPictures;
pub use store::{PictureError, PictureStore};
pub use sweeping::{PictureSweeper, UNNAMED_FOR};

use address::PictureHash;
use cache::Cache;
use making::{MadePicture, PictureFault, make};
use stored::StoredPicture;

/// Uploads that are read or wait at once. Further ones are refused.
pub const UPLOADS_MAX: usize = 4;
/// How long an upload waits for its decoder. The decoder itself is limited by the number of pixels.
const MAKING_MAX: Duration = Duration::from_secs(15);

/// The pictures of a running node.
#[derive(Debug)]
pub struct Pictures {
    store: Mutex<Box<dyn PictureStore>>,
    cache: Cache,
    uploads: Arc<Semaphore>,
    /// One picture is decoded at a time: a decoder needs a core and up to some 200 MiB.
    decoder: Arc<Semaphore>,
    /// One read of the store at a time, so that missing pictures occupy one blocking thread only.
    reader: Semaphore,
}

/// Permission to upload a picture, until it is dropped.
#[derive(Debug)]
pub struct UploadSlot(#[expect(dead_code, reason = "held until it is dropped")] OwnedSemaphorePermit);

impl Pictures {
    pub fn new(store: Box<dyn PictureStore>) -> Pictures {
        Pictures {
            store: Mutex::new(store),
            cache: Cache::default(),
            uploads: Arc::new(Semaphore::new(UPLOADS_MAX)),
            decoder: Arc::new(Semaphore::new(1)),
            reader: Semaphore::new(1),
        }
    }

    /// A place for an upload, before its body is read. `None` while all places are taken.
    pub fn begin_upload(&self) -> Option<UploadSlot> {
        self.uploads.clone().try_acquire_owned().ok().map(UploadSlot)
    }

    /// Makes a picture from an uploaded file, on a thread of its own.
    pub async fn make(&self, upload: Bytes) -> Result<MadePicture, PictureFault> {
        let decoder = self.decoder.clone();
        let making = async move {
            // Never closed.
            let Ok(permit) = decoder.acquire_owned().await else { return Err(PictureFault::Slow) };
            // After the time limit the thread goes on, and the next upload waits for it.
            let made = task::spawn_blocking(move || {
                let made = make(&upload);
                drop(permit);
                made
            });
            made.await.unwrap_or_else(|error| {
                tracing::error!(%error, "the decoder of a picture panicked");
                Err(PictureFault::Broken("the decoder failed".to_owned()))
            })
        };
        tokio::time::timeout(MAKING_MAX, making).await.unwrap_or(Err(PictureFault::Slow))
    }

    /// Stores a picture. It is durable when this returns, and stays if an event names it.
    pub async fn put(self: &Arc<Self>, made: &MadePicture) -> Result<PictureHash, PictureError> {
        let content = stored::write(made);
        let hash = PictureHash::of(&content);
        let pictures = self.clone();
        run(move || pictures.store.lock().put(hash, &content)).await?;
        Ok(hash)
    }

    /// A picture in memory.
    pub fn find_cached(&self, hash: PictureHash) -> Option<Arc<StoredPicture>> {
        self.cache.find(hash)
    }

    /// Reads a picture from the store. A damaged picture is an error.
    pub async fn read(
        self: &Arc<Self>,
        hash: PictureHash,
    ) -> Result<Option<Arc<StoredPicture>>, PictureError> {
        let _permit = self.reader.acquire().await.map_err(|_| PictureError::Stopped)?;
        if let Some(read_meanwhile) = self.cache.find(hash) {
            return Ok(Some(read_meanwhile));
        }
        let pictures = self.clone();
        let Some(content) = run(move || pictures.store.lock().get(hash)).await? else { return Ok(None) };
        let picture = Arc::new(StoredPicture::read(hash, content).ok_or(PictureError::Damaged(hash))?);
        self.cache.insert(hash, picture.clone());
        Ok(Some(picture))
    }

    /// Names pictures for a command that is about to be sent. Returns those that do not exist.
    pub async fn name(
        self: &Arc<Self>,
        hashes: BTreeSet<PictureHash>,
    ) -> Result<BTreeSet<PictureHash>, PictureError> {
        if hashes.is_empty() {
            return Ok(hashes);
        }
        let pictures = self.clone();
        run(move || {
            let found = pictures.store.lock().name(&hashes)?;
            Ok(&hashes - &found)
        })
        .await
    }

    /// Removes pictures that have stayed unnamed for longer than `age`.
    pub fn sweep(&self, age: Duration) -> Result<u64, PictureError> {
        let swept = self.store.lock().sweep(age)?;
        if swept > 0 {
            self.cache.clear();
        }
        Ok(swept)
    }
}

async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PictureError> + Send + 'static,
) -> Result<T, PictureError> {
    task::spawn_blocking(work).await.map_err(|_| PictureError::Stopped)?
}
