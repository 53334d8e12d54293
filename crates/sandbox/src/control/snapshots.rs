//! Snapshots: take one, list them, return to one, begin again.

use axum::extract::{Path, State};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{Answered, Shared, clock, created, ok, read};
use crate::snapshots::{START, SnapshotAbout};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Take {
    #[serde(default)]
    name: Option<String>,
}

#[derive(Serialize)]
struct Snapshots {
    snapshots: Vec<SnapshotAbout>,
}

pub(super) async fn take(State(control): Shared, body: Bytes) -> Answered {
    let Take { name } = read(&body)?;
    let taking = control.with_venue(move |venue| {
        let name = name.unwrap_or_else(|| venue.free_snapshot_name());
        venue.take_snapshot(&name)
    });
    created(&taking.await?)
}

pub(super) async fn list(State(control): Shared) -> Answered {
    ok(&Snapshots { snapshots: control.with_venue(|venue| venue.snapshots()).await? })
}

pub(super) async fn return_to(State(control): Shared, Path(name): Path<String>) -> Answered {
    control.running.reset();
    control.with_venue(move |venue| venue.return_to(&name)).await?;
    clock::read_state(&control).await
}

/// Begins again: the venue as it was at the first start, without faults.
pub(super) async fn reset(State(control): Shared) -> Answered {
    control.running.reset();
    control.front.faults.remove(None);
    control.with_venue(|venue| venue.return_to(START)).await?;
    clock::read_state(&control).await
}
