//! `request_password_reset`: a person who forgot the password requests a new one. The token was generated in the
//! browser; it can set a password after an operator has approved the request.
//!
//! The person reads the code to the operator, which identifies the request. Anyone can request a reset for any account,
//! so each network has at most one open request per account: a flood from one network neither fills the list nor drops
//! another's request. From rules 4 on it does not drop an approved one either, and the command is the same whether or not
//! the address has an account, so that neither its answer nor its sequence tells.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::{Hash32, UserId};
use crate::identity::{PasswordReset, RESETS_MAX};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

const CODE_CHARACTERS: usize = 6;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RequestPasswordReset {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub token_hash: Hash32,
    #[n(2)]
    pub code: Text,
    #[n(3)]
    pub network: Hash32,
    /// The keyed hash of the address in the request; it replaces `user`. From rules 4 on.
    #[n(4)]
    pub address: Option<Hash32>,
}

impl Exchange {
    pub(crate) fn request_password_reset(
        &mut self,
        _: Caller,
        command: &RequestPasswordReset,
    ) -> Result<Reply, Reject> {
        let &RequestPasswordReset { user, token_hash, ref code, network, address } = command;
        let is_code = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        if code.len() != CODE_CHARACTERS || !code.chars().all(is_code) {
            return Err(Reject::InvalidField { field: "code", rule: "6 capital letters or digits" });
        }
        let index = match address {
            None => self.find_person(user).and_then(|index| self.check_reset_request(index, command)),
            Some(address) => match self.directory.find_by_address(address) {
                Some(index) => self.check_reset_request(index, command),
                None => return Ok(Reply::Done),
            },
        };
        let index = match index {
            Ok(index) => index,
            Err(_) if address.is_some() => return Ok(Reply::Done),
            Err(refusal) => return Err(refusal),
        };

        self.directory.keep_resets(index, |reset| reset.is_approved || reset.network != network);
        let resets = &self.directory.user(index).password_resets;
        let is_newer = self.since(4);
        let oldest = resets.iter().find(|reset| !is_newer || !reset.is_approved);
        if let Some(oldest) = oldest.map(|reset| reset.token_hash).filter(|_| resets.len() >= RESETS_MAX) {
            self.directory.keep_resets(index, |reset| reset.token_hash != oldest);
        }
        if self.directory.user(index).password_resets.len() >= RESETS_MAX {
            return Ok(Reply::Done);
        }
        let reset = PasswordReset {
            token_hash,
            code: code.clone(),
            network,
            requested_at: self.now,
            is_approved: false,
        };
        self.directory.add_reset(index, reset);
        self.arm_ageing();
        Ok(Reply::Done)
    }

    fn check_reset_request(
        &self,
        index: UserIndex,
        command: &RequestPasswordReset,
    ) -> Result<UserIndex, Reject> {
        let record = self.directory.user(index);
        record.check_active()?;
        let has_code = record.password_resets.iter().any(|reset| reset.code == command.code);
        if has_code || self.directory.find_reset(command.token_hash).is_some() {
            return Err(Reject::DuplicateId);
        }
        Ok(index)
    }
}
