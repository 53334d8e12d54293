//! The users who may authenticate. Only a node that relives a journal refuses any: its journal has the keys, sessions and
//! operators of other people, whose credentials must open nothing there.

use std::collections::HashSet;

use exchange::id::UserId;
use parking_lot::RwLock;

#[derive(Debug, Default)]
pub(super) enum Admitted {
    #[default]
    Everyone,
    Only(RwLock<HashSet<UserId>>),
}

impl Admitted {
    pub(super) fn none() -> Admitted {
        Admitted::Only(RwLock::default())
    }

    pub(super) fn add(&self, user: UserId) {
        if let Admitted::Only(users) = self {
            users.write().insert(user);
        }
    }

    pub(super) fn contains(&self, user: UserId) -> bool {
        match self {
            Admitted::Everyone => true,
            Admitted::Only(users) => users.read().contains(&user),
        }
    }

    pub(super) fn is_everyone(&self) -> bool {
        matches!(self, Admitted::Everyone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relived_journal_admits_the_users_who_are_added_and_no_others() {
        let (ada, bola) = (UserId::new(1), UserId::new(2));
        let relived = Admitted::none();
        assert!(!relived.contains(ada) && !relived.is_everyone());
        relived.add(ada);
        assert!(relived.contains(ada) && !relived.contains(bola));
        assert!(Admitted::default().contains(bola));
    }
}
