//! `request_password_reset`: a person who forgot the password requests a new one. The token was generated in the
//! browser; it can set a password after an operator has approved the request.
//!
//! The person reads the code to the operator, which identifies the request. Anyone can request a reset for any account,
//! so each network has at most one open request per account: a flood from one network neither fills the list nor drops
//! another's request.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::{Hash32, UserId};
use crate::identity::{PasswordReset, RESETS_MAX};
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
}

impl Exchange {
    pub(crate) fn request_password_reset(
        &mut self,
        _: Caller,
        command: &RequestPasswordReset,
    ) -> Result<Reply, Reject> {
        let &RequestPasswordReset { user, token_hash, ref code, network } = command;
        let is_code = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        if code.len() != CODE_CHARACTERS || !code.chars().all(is_code) {
            return Err(Reject::InvalidField { field: "code", rule: "6 capital letters or digits" });
        }
        let index = self.find_person(user)?;
        let record = self.directory.user(index);
        record.check_active()?;
        let has_code = record.password_resets.iter().any(|reset| reset.code == *code);
        if has_code || self.directory.find_reset(token_hash).is_some() {
            return Err(Reject::DuplicateId);
        }

        self.directory.keep_resets(index, |reset| reset.is_approved || reset.network != network);
        let resets = &self.directory.user(index).password_resets;
        if let Some(oldest) =
            resets.first().map(|reset| reset.token_hash).filter(|_| resets.len() >= RESETS_MAX)
        {
            self.directory.keep_resets(index, |reset| reset.token_hash != oldest);
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
}
