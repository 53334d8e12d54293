//! The state alone: decodes the snapshot of a folder and measures its memory.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use exchange::codec::decode_snapshot;
use journal::disk::RealDisk;
use journal::snapshots::SnapshotStore;

use super::child::give;
use crate::Problem;
use crate::allocations::heap_bytes;
use crate::counts::memory_mib;

pub(crate) fn run(folder: &Path) -> Result<(), Problem> {
    let store = SnapshotStore::new(Arc::new(RealDisk::reading(folder.join("snapshots"))));
    let snapshot = store.latest()?.snapshot.ok_or("the folder has no snapshot")?;
    let (heap, resident) = (heap_bytes(), memory_mib("VmRSS")?);
    let began = Instant::now();
    let exchange = decode_snapshot(&snapshot.content)?;
    let took = began.elapsed();
    // Zero in the executable whose allocator does not count: that one has the times.
    let heap_mib = (heap_bytes() - heap) as f64 / f64::from(1 << 20);
    if heap_mib > 0.0 {
        give("heap_mib", heap_mib);
    } else {
        give("decode_ms", took.as_secs_f64() * 1e3);
        give("state_mib", memory_mib("VmRSS")? - resident);
    }
    drop(exchange);
    Ok(())
}
