//! The running nodes of a log, and the newest rules that each supports.
//!
//! A node writes its row once its writer holds its mark, an advisory lock (`mark.rs`). The lock distinguishes running
//! nodes from stopped ones.

use super::shared_tables::SharedTables;
use crate::Error;

const ANNOUNCE: &str = "INSERT INTO bellwether_nodes (mark, rules, build) VALUES ($1, $2, $3) \
    ON CONFLICT (mark) DO UPDATE SET rules = EXCLUDED.rules, build = EXCLUDED.build";
const LIVE: &str = "SELECT mark, rules, build FROM bellwether_nodes WHERE mark IN \
    (SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted \
     AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) \
    ORDER BY mark";

/// A node that holds its mark now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveNode {
    pub mark: u64,
    /// The newest rules that its build supports.
    pub rules: u32,
    pub build: String,
}

impl SharedTables {
    /// Writes this node's row. The node's writer must already hold its mark.
    pub fn announce(&mut self, mark: u64, rules: u32, build: &str) -> Result<(), Error> {
        let rules = i64::from(rules);
        self.link.call("announce a node in", async |connected| {
            connected.client.execute(ANNOUNCE, &[&mark.cast_signed(), &rules, &build]).await?;
            Ok(())
        })
    }

    /// The running nodes, ordered by mark.
    pub fn live_nodes(&mut self) -> Result<Vec<LiveNode>, Error> {
        let rows =
            self.link.call("look for nodes in", async |connected| connected.client.query(LIVE, &[]).await)?;
        let live = rows.iter().map(|row| LiveNode {
            mark: row.get::<_, i64>(0).cast_unsigned(),
            rules: u32::try_from(row.get::<_, i64>(1)).unwrap_or(0),
            build: row.get(2),
        });
        Ok(live.collect())
    }

    /// Whether a node has published a digest at or after `sequence`, and so has applied everything before it.
    pub fn has_checkpoint_from(&mut self, sequence: crate::Sequence) -> Result<bool, Error> {
        const FROM: &str = "SELECT EXISTS (SELECT 1 FROM bellwether_checkpoints WHERE sequence >= $1)";
        let sequence = super::appending::signed(sequence);
        self.link.call("look for checkpoints in", async |connected| {
            Ok(connected.client.query_one(FROM, &[&sequence]).await?.get(0))
        })
    }
}
