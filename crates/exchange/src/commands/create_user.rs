//! `create_user`: creates an account. Email and password hash are in a row of the people store, written before this
//! command.
//!
//! The rules see a keyed hash of the address, for uniqueness, and the id of the row. They refuse a row that may have
//! been removed.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::{Hash32, RowId, UserId};
use crate::identity::User;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;
use crate::time::Time;

const TAG_LENGTH_MIN: usize = 3;
const TAG_LENGTH_MAX: usize = 30;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CreateUser {
    #[n(0)]
    pub id: UserId,
    /// A keyed hash of the normalised address.
    #[n(1)]
    pub address: Hash32,
    #[n(2)]
    pub tag: Text,
    #[n(3)]
    pub row: RowId,
    /// When the row may be removed unless a command refers to it.
    #[n(4)]
    pub expires_at: Time,
}

impl Exchange {
    pub(crate) fn create_user(&mut self, _: Caller, command: &CreateUser) -> Result<Reply, Reject> {
        let &CreateUser { id, address, ref tag, row, expires_at } = command;
        check_tag(tag)?;
        if self.directory.find(id).is_some() {
            return Err(Reject::DuplicateId);
        }
        if self.directory.find_by_address(address).is_some() {
            return Err(Reject::DuplicateEmail);
        }
        // The house has a tag too, so no user can take it. Tags of erased users stay taken.
        if self.directory.find_by_tag(tag).is_some() {
            return Err(Reject::DuplicateTag);
        }
        self.check_row(expires_at)?;
        let user = User { address: Some(address), row: Some(row), ..User::new(id, tag.clone(), self.now) };
        self.add_user(user);
        self.changes.push(Change::UserCreated { user: id });
        Ok(Reply::Done)
    }
}

fn check_tag(tag: &str) -> Result<(), Reject> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if (TAG_LENGTH_MIN..=TAG_LENGTH_MAX).contains(&tag.len()) && tag.bytes().all(is_allowed) {
        Ok(())
    } else {
        Err(Reject::InvalidField { field: "tag", rule: "3 to 30 letters, digits or underscores" })
    }
}
