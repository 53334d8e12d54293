//! Liabilities and their backing, for everyone; and for each user a proof that their account is included.

use std::sync::Arc;

use api::error::ErrorBody;
use api::proof::InclusionProof;
use api::response::Solvency;

use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::pipeline::proofs::{NoProof, Published};
use crate::reading::Reading;
use crate::view::words::ToApi;

pub(super) struct SolvencyEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl SolvencyEndpoints {
    pub(super) fn solvency(&self, call: &Call<'_>) -> Result<Next<Solvency>, Failure> {
        let (reading, meter) = (self.reading.clone(), call.meter.clone());
        Ok(Next::later(async move {
            let published = latest(&reading).await?;
            meter.charge_rows(published.solvency.markets.len())?;
            Ok(published.solvency.clone())
        }))
    }

    pub(super) fn my_solvency(&self, call: &Call<'_>) -> Result<Next<InclusionProof>, Failure> {
        let (reading, user) = (self.reading.clone(), call.user());
        Ok(Next::later(async move {
            let user = reading.state().directory().user(user).id.to_api();
            let mut proof = latest(&reading).await?.tree.prove(user);
            // The account may be newer than the tree. A renewal that is already running may have started before the
            // account was created; the one after it has not.
            for _ in 0..2 {
                if proof.is_none() {
                    proof = reading.proofs().wait_for_next().await.map_err(unavailable)?.tree.prove(user);
                }
            }
            Ok(proof.ok_or(NoProof).map_err(unavailable)?)
        }))
    }
}

/// The newest proof.
pub(crate) async fn latest(reading: &Reading) -> Result<Arc<Published>, ErrorBody> {
    let sequence = reading.state().seq();
    reading.proofs().latest(sequence).await.map_err(unavailable)
}

fn unavailable(_: NoProof) -> ErrorBody {
    ErrorBody::unavailable("No proof could be made right now", 1)
}
