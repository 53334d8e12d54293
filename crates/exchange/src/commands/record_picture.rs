//! `RecordPicture`: records that an operator uploaded a picture. The node stores the picture before it sends this.
//!
//! The command changes nothing else: an event names a picture by its address, in `image_url`. It exists for the role
//! check and for the audit trail.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::checks::require;
use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RecordPicture {
    /// The SHA-256 of the stored picture, which its address has too.
    #[n(0)]
    pub picture: Hash32,
    /// The size of the uploaded file.
    #[n(1)]
    pub bytes: u32,
}

impl RecordPicture {
    /// The largest file that may be uploaded.
    pub const BYTES_MAX: u32 = 4 << 20;
}

impl Exchange {
    pub(crate) fn record_picture(&mut self, _: Caller, command: &RecordPicture) -> Result<Reply, Reject> {
        let is_sized = (1..=RecordPicture::BYTES_MAX).contains(&command.bytes);
        require(is_sized, "bytes", "lies between 1 and 4194304")?;
        Ok(Reply::Done)
    }
}
