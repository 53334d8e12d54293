//! The mark of a node on a shared log, stored in its folder.

use std::path::Path;
use std::{fs, io};

use exchange::id::ConnectionId;
use uuid::Uuid;

use crate::folder::write_atomically;
use crate::identifiers::connection_id;

/// Identifies a node of a shared log: the upper half of its connections' ids. Zero for a node with its own journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeMark(u64);

impl NodeMark {
    /// The mark stored in a folder, created at the first start on it.
    pub fn load_or_create(folder: &Path) -> io::Result<NodeMark> {
        let file = folder.join("node.id");
        match fs::read_to_string(&file) {
            Ok(text) => u64::from_str_radix(text.trim(), 16).map(NodeMark).map_err(|_| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    "node.id is not a number: remove it, the next start creates another",
                )
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mark = Uuid::new_v4().as_u64_pair().1 | 1;
                write_atomically(&file, format!("{mark:016x}\n").as_bytes())?;
                Ok(NodeMark(mark))
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }

    pub(crate) fn new_connection(self) -> ConnectionId {
        ConnectionId::new(Uuid::from_u64_pair(self.0, connection_id().as_u64_pair().1).as_u128())
    }

    /// A connection from before the log was shared has mark 0, so any node may end it.
    pub(crate) fn owns(self, connection: ConnectionId) -> bool {
        let mark = Uuid::from_u128(connection.as_u128()).as_u64_pair().0;
        self.0 == 0 || mark == self.0 || mark == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_knows_its_own_connections_again_and_those_of_no_other() {
        let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let mark = NodeMark::load_or_create(one.path()).expect("a mark");
        assert_eq!(NodeMark::load_or_create(one.path()).expect("the same mark"), mark);
        let neighbour = NodeMark::load_or_create(other.path()).expect("another mark");
        let (ours, theirs) = (mark.new_connection(), neighbour.new_connection());
        assert!(mark.owns(ours) && !mark.owns(theirs));
        let alone = NodeMark::default();
        assert!(alone.owns(ours) && mark.owns(alone.new_connection()));
        fs::write(one.path().join("node.id"), "mine").expect("a file");
        assert!(NodeMark::load_or_create(one.path()).is_err());
    }
}
