//! `break_glass`: the owner of the machine creates an approver because no other approver can act. For 24 hours this
//! approver may finalise proposals about operators alone, and nothing else.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::{Hash32, OperatorId};
use crate::identity::Role;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct BreakGlass {
    #[n(0)]
    pub id: OperatorId,
    #[n(1)]
    pub name: Text,
    #[n(2)]
    pub token_hash: Hash32,
}

impl Exchange {
    pub(crate) fn break_glass(&mut self, _: Caller, command: &BreakGlass) -> Result<Reply, Reject> {
        let &BreakGlass { id, ref name, token_hash } = command;
        self.check_new_operator(id, name, token_hash)?;
        self.add_operator(Caller::System, id, name, Role::Approver, token_hash);
        if let Some(operator) = self.directory.operators.get_mut(&id) {
            operator.break_glass_at = Some(self.now);
        }
        Ok(Reply::Done)
    }
}
