//! `create_user`: a new account, with a password or without one yet.
//!
//! The address comes normalised from the edge; what is not is refused, because look-ups are by its hash.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::{Hash32, UserId};
use crate::identity::{User, check_password_hash};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

/// Longest address that mail can carry, in bytes.
const EMAIL_BYTES_MAX: usize = 254;
const TAG_LENGTH_MIN: usize = 3;
const TAG_LENGTH_MAX: usize = 30;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CreateUser {
    #[n(0)]
    pub id: UserId,
    #[n(1)]
    pub email: Text,
    #[n(2)]
    pub tag: Text,
    #[n(3)]
    pub password_hash: Option<Text>,
}

impl Exchange {
    pub(crate) fn create_user(&mut self, _: Caller, command: &CreateUser) -> Result<Reply, Reject> {
        let &CreateUser { id, ref email, ref tag, ref password_hash } = command;
        check_email(email)?;
        check_tag(tag)?;
        password_hash.as_ref().map_or(Ok(()), check_password_hash)?;
        if self.directory.find(id).is_some() {
            return Err(Reject::DuplicateId);
        }
        if self.directory.find_by_email(Hash32::of(email)).is_some() {
            return Err(Reject::DuplicateEmail);
        }
        // The house has its tag like anyone, so nobody else can look like it.
        if self.directory.find_by_tag(tag).is_some() {
            return Err(Reject::DuplicateTag);
        }
        let user = User {
            password_hash: password_hash.clone(),
            ..User::new(id, email.clone(), tag.clone(), self.now)
        };
        self.add_user(user);
        self.changes.push(Change::UserCreated { user: id });
        Ok(Reply::Done)
    }
}

fn check_email(email: &str) -> Result<(), Reject> {
    let invalid = |rule| Err(Reject::InvalidField { field: "email", rule });
    if email.len() > EMAIL_BYTES_MAX {
        return invalid("at most 254 bytes");
    }
    // Only what no later Unicode table can see differently: a journal must replay for ever.
    if email.chars().any(|c| c.is_ascii_uppercase() || c == ' ' || c.is_control()) {
        return invalid("lower case, without spaces or control characters");
    }
    match email.split_once('@') {
        Some((name, host)) if !name.is_empty() && !host.is_empty() && !host.contains('@') => Ok(()),
        _ => invalid("one @ with something on both sides"),
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
