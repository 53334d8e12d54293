//! Pictures in the database of a shared log, where every node finds them.

use std::collections::BTreeSet;
use std::time::Duration;

use journal::postgres::{Database, PictureHead, Pictures as Tables};

use super::address::PictureHash;
use super::store::{PictureError, PictureStore};

#[derive(Debug)]
pub struct PostgresPictures {
    tables: Tables,
}

impl PostgresPictures {
    pub fn open(database: &Database) -> Result<PostgresPictures, PictureError> {
        Ok(PostgresPictures { tables: database.pictures()? })
    }
}

impl PictureStore for PostgresPictures {
    fn put(&mut self, hash: PictureHash, content: &[u8]) -> Result<(), PictureError> {
        Ok(self.tables.put(hash.0, content)?)
    }

    fn get(&mut self, hash: PictureHash) -> Result<Option<Vec<u8>>, PictureError> {
        Ok(self.tables.get(hash.0)?)
    }

    fn name(&mut self, hashes: &BTreeSet<PictureHash>) -> Result<BTreeSet<PictureHash>, PictureError> {
        let hashes: Vec<[u8; 32]> = hashes.iter().map(|hash| hash.0).collect();
        Ok(self.tables.name(&hashes)?.into_iter().map(PictureHash).collect())
    }

    fn sweep(&mut self, age: Duration) -> Result<u64, PictureError> {
        Ok(self.tables.sweep(age)?)
    }

    fn list(&mut self) -> Result<Vec<(PictureHash, bool)>, PictureError> {
        let heads = self.tables.list()?;
        Ok(heads.into_iter().map(|PictureHead { hash, is_named }| (PictureHash(hash), is_named)).collect())
    }
}
