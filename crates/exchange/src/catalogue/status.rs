//! The lifecycle of events and markets, as a table.

use minicbor::{Decode, Encode};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Status {
    #[n(0)]
    Draft,
    #[n(1)]
    Open,
    #[n(2)]
    Paused,
    #[n(3)]
    Closed,
    #[n(4)]
    Resolved,
    #[n(5)]
    Cancelled,
}

/// A transition of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Open,
    Pause,
    Resume,
    Close,
    Resolve,
    Cancel,
}

impl Status {
    pub const ALL: [Status; 6] =
        [Status::Draft, Status::Open, Status::Paused, Status::Closed, Status::Resolved, Status::Cancelled];

    /// The status after an action; `None` if it is not allowed. Resolved and cancelled are final.
    pub const fn after(self, action: Action) -> Option<Status> {
        match (self, action) {
            (Status::Draft, Action::Open) => Some(Status::Open),
            (Status::Open, Action::Pause) => Some(Status::Paused),
            (Status::Paused, Action::Resume) => Some(Status::Open),
            (Status::Open | Status::Paused, Action::Close) => Some(Status::Closed),
            (Status::Closed, Action::Resolve) => Some(Status::Resolved),
            (Status::Draft | Status::Open | Status::Paused | Status::Closed, Action::Cancel) => {
                Some(Status::Cancelled)
            }
            _ => None,
        }
    }

    /// Whether orders may be placed and amended, and sets minted.
    pub const fn trades(self) -> bool {
        matches!(self, Status::Open)
    }

    /// Whether orders may rest and be cancelled.
    pub const fn has_orders(self) -> bool {
        matches!(self, Status::Open | Status::Paused)
    }

    pub const fn burns(self) -> bool {
        matches!(self, Status::Open | Status::Paused | Status::Closed)
    }

    pub const fn is_final(self) -> bool {
        matches!(self, Status::Resolved | Status::Cancelled)
    }

    /// An event's status, derived from its markets: open if any is open, else paused if any is paused, else draft, else
    /// closed, else resolved if any is resolved, else cancelled.
    pub fn of_event(markets: impl Iterator<Item = Status> + Clone) -> Status {
        let any = |status| markets.clone().any(|market| market == status);
        let in_order = [Status::Open, Status::Paused, Status::Draft, Status::Closed, Status::Resolved];
        in_order.into_iter().find(|status| any(*status)).unwrap_or(Status::Cancelled)
    }
}

impl Action {
    pub const ALL: [Action; 6] =
        [Action::Open, Action::Pause, Action::Resume, Action::Close, Action::Resolve, Action::Cancel];
}
