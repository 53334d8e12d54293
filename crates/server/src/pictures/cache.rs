//! Pictures in use, in memory. The cache is bounded in bytes: when it is full, it is cleared.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use super::address::PictureHash;
use super::stored::StoredPicture;

const BYTES_MAX: usize = 16 << 20;

#[derive(Default)]
pub(super) struct Cache {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    pictures: HashMap<PictureHash, Arc<StoredPicture>>,
    bytes: usize,
}

impl Cache {
    pub(super) fn find(&self, hash: PictureHash) -> Option<Arc<StoredPicture>> {
        self.kept.lock().pictures.get(&hash).cloned()
    }

    pub(super) fn insert(&self, hash: PictureHash, picture: Arc<StoredPicture>) {
        let mut kept = self.kept.lock();
        if kept.bytes + picture.bytes() > BYTES_MAX {
            *kept = Kept::default();
        }
        kept.bytes += picture.bytes();
        if let Some(earlier) = kept.pictures.insert(hash, picture) {
            kept.bytes -= earlier.bytes();
        }
    }

    /// Forgets everything. After a sweep a removed picture must not be served any more.
    pub(super) fn clear(&self) {
        *self.kept.lock() = Kept::default();
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cache").field("bytes", &self.kept.lock().bytes).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::making::MadePicture;
    use super::super::stored::write;
    use super::*;

    #[test]
    fn a_full_cache_starts_anew() {
        let cache = Cache::default();
        for number in 0..100_u8 {
            let made = MadePicture { large: vec![number; 400_000], small: vec![], width: 1, height: 1 };
            let content = write(&made);
            let hash = PictureHash::of(&content);
            let picture = Arc::new(StoredPicture::read(hash, content).expect("a picture"));
            for _ in 0..2 {
                cache.insert(hash, picture.clone());
            }
            assert_eq!(cache.find(hash), Some(picture), "the newest is kept");
            let kept = cache.kept.lock();
            assert_eq!(kept.bytes, kept.pictures.len() * 400_000);
            assert!(kept.bytes <= BYTES_MAX);
        }
        cache.clear();
        assert!(cache.kept.lock().pictures.is_empty());
    }
}
