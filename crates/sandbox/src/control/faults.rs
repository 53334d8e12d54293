//! Fault rules: plant one, list them, remove them.

use axum::extract::{Path, State};
use bytes::Bytes;
use serde::Serialize;

use super::{Answered, Shared, created, ok, read};
use crate::error::Refusal;
use crate::faults::{NewRule, Rule};

#[derive(Serialize)]
struct Rules {
    faults: Vec<Rule>,
}

pub(super) async fn plant(State(control): Shared, body: Bytes) -> Answered {
    let rule = read::<NewRule>(&body)?.check()?;
    created(&control.front.faults.plant(rule))
}

pub(super) async fn list(State(control): Shared) -> Answered {
    ok(&Rules { faults: control.front.faults.all() })
}

pub(super) async fn remove(State(control): Shared, Path(id): Path<u64>) -> Answered {
    match control.front.faults.remove(Some(id)) {
        true => list(State(control)).await,
        false => Err(Refusal::missing("No such fault")),
    }
}

pub(super) async fn remove_all(State(control): Shared) -> Answered {
    control.front.faults.remove(None);
    list(State(control)).await
}
