//! The whole tree, as built by the exchange. Leaves are ordered by their hashes, which change with every tree, so a
//! position reveals nothing about its user.

use uuid::Uuid;

use super::hashing::{self, Hash, Instant};
use super::inclusion::{InclusionProof, Sibling};
use super::leaf::Leaf;
use super::sums::Sums;
use crate::timestamp::Timestamp;

#[derive(Clone, Debug)]
struct Member {
    leaf: Leaf,
    nonce: Hash,
}

/// A tree of one instant.
#[derive(Clone, Debug)]
pub struct Tree {
    instant: Instant,
    members: Vec<Member>,
    /// The position of each user's account, sorted by user.
    places: Vec<(Uuid, usize)>,
    /// From the leaves up; the last level has one node, unless there are no leaves.
    levels: Vec<Vec<Sibling>>,
    sums: Sums,
    root: Hash,
}

impl Tree {
    /// Builds a tree of these accounts, each with its nonce. `None` if an account or a sum is invalid.
    pub fn new(instant: Instant, accounts: Vec<(Leaf, Hash)>) -> Option<Tree> {
        let mut rows = Vec::with_capacity(accounts.len());
        for (leaf, nonce) in accounts {
            let node = Sibling { hash: hashing::leaf(&nonce, &leaf)?, sums: leaf.sums()? };
            rows.push((node, Member { leaf, nonce }));
        }
        rows.sort_unstable_by_key(|(node, _)| node.hash);
        let (bottom, members): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let members: Vec<Member> = members;
        let mut places: Vec<_> =
            members.iter().enumerate().map(|(index, member)| (member.leaf.user_id, index)).collect();
        places.sort_unstable();
        let levels = levels(bottom)?;
        let top = levels.last().and_then(|level| level.first()).copied();
        let Sibling { hash, sums } = top.unwrap_or(Sibling { hash: Hash::default(), sums: Sums::default() });
        let root = hashing::root(&instant, members.len() as u64, &sums, &hash);
        Some(Tree { instant, members, places, levels, sums, root })
    }

    pub fn root(&self) -> Hash {
        self.root
    }

    pub fn sums(&self) -> Sums {
        self.sums
    }

    pub fn leaves(&self) -> u64 {
        self.members.len() as u64
    }

    /// The proof for one user's account. `None` if it is not in the tree.
    pub fn prove(&self, user: Uuid) -> Option<InclusionProof> {
        let place = self.places.binary_search_by_key(&user, |(user, _)| *user).ok()?;
        let (_, bottom) = self.places[place];
        let mut index = bottom;
        let mut siblings = Vec::with_capacity(self.levels.len());
        for level in &self.levels {
            siblings.extend(level.get(index ^ 1));
            index /= 2;
        }
        let Member { leaf, nonce } = &self.members[bottom];
        Some(InclusionProof {
            format: InclusionProof::FORMAT.to_owned(),
            sequence: self.instant.sequence,
            at: Timestamp::from_micros(self.instant.at),
            frame_hash: self.instant.frame_hash,
            state_digest: self.instant.state_digest,
            leaves: self.leaves(),
            index: bottom as u64,
            nonce: *nonce,
            leaf: leaf.clone(),
            siblings,
            root_sums: self.sums,
            root: self.root,
        })
    }
}

fn levels(bottom: Vec<Sibling>) -> Option<Vec<Vec<Sibling>>> {
    let mut levels = vec![bottom];
    while let Some(level) = levels.last().filter(|level| level.len() > 1) {
        let above: Option<Vec<_>> = level.chunks(2).map(above).collect();
        levels.push(above?);
    }
    Some(levels)
}

/// The parent of two nodes; a single node moves up unchanged.
fn above(pair: &[Sibling]) -> Option<Sibling> {
    match pair {
        [left, right] => Some(Sibling {
            hash: hashing::node((&left.sums, &left.hash), (&right.sums, &right.hash)),
            sums: left.sums.plus(&right.sums)?,
        }),
        [alone] => Some(*alone),
        _ => None,
    }
}
