//! Charges rate limits for a request, in this order: its network before the body is read (`collect`), its owner as soon
//! as the credentials are verified (`charge_owner`), and more where the work turns out larger (`charge_items`,
//! `charge_rows`, `charge_comparisons`).
//!
//! Nothing is charged after the work. docs/security.md lists all limits in one table.

use std::time::Instant;

use api::error::ErrorBody;
use axum::extract::Request;

use super::Failure;
use super::charged::{self, Charged, Paid};
use super::fare::Fare;
use crate::admin::access::operator_of;
use crate::app::App;
use crate::event_lists::{EventPage, ListQuery};
use crate::limits::{Allowed, AnswerKind, BucketOwner, Buckets, Network, Rate, Refused};

/// Rows included in the base price of a public request, and rows per additional token.
pub const ROWS_PER_TOKEN: u32 = 25;

/// When a client whose network has too many unread answers may ask again.
const UNREAD_RETRY_SECONDS: u64 = 1;

/// Titles that a public request may compare with a substring per token, and the most tokens that this costs.
pub const COMPARISONS_PER_TOKEN: u64 = 5_000;
pub const COMPARISON_TOKENS_MAX: u32 = 50;

/// The owner's bucket that a verified request is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerBucket {
    Read,
    /// Every write except cancels.
    Write,
    /// Cancels: one, a batch, or all.
    Cancel,
}

impl OwnerBucket {
    const fn policy(self) -> &'static str {
        match self {
            OwnerBucket::Read => "read",
            OwnerBucket::Write => "write",
            OwnerBucket::Cancel => "cancel",
        }
    }
}

/// The price of a public response with `rows` rows.
pub const fn price_of_rows(rows: u32) -> u32 {
    1 + rows.saturating_sub(ROWS_PER_TOKEN).div_ceil(ROWS_PER_TOKEN)
}

/// The price of comparing a substring with the titles of `events` events, in addition to that of the rows.
pub fn price_of_comparisons(events: u64) -> u32 {
    u32::try_from(events / COMPARISONS_PER_TOKEN)
        .map_or(COMPARISON_TOKENS_MAX, |tokens| tokens.min(COMPARISON_TOKENS_MAX))
}

/// What a request was charged before its handler, and whether it may run.
pub(crate) struct FareCharge {
    pub(crate) paid: Paid,
    pub(crate) charged: Option<Charged>,
    pub(crate) result: Result<(), Failure>,
}

/// Charges a request to its network. A network that does not read what it asked for gets nothing more to read.
pub(crate) fn collect(app: &App, network: Network, method: &str, fare: Fare) -> FareCharge {
    let is_read = AnswerKind::of(method) == AnswerKind::Read;
    if is_read && fare != Fare::Free && app.limits().unread.is_full(network) {
        let paid = Paid { network, fare, tokens: 0 };
        return FareCharge { paid, charged: None, result: Err(too_much_unread(app)) };
    }
    let Some((policy, buckets)) = network_bucket(app, fare) else {
        return FareCharge { paid: Paid { network, fare, tokens: 0 }, charged: None, result: Ok(()) };
    };
    let taken = buckets.take(network, 1, app.now_micros());
    let paid = Paid { network, fare, tokens: u32::from(taken.is_ok()) };
    let charged = Some(Charged::new(policy, buckets.rate(), &taken));
    FareCharge { paid, charged, result: passed(app, policy, &taken) }
}

/// The refusal of a read whose network has to read others first.
pub(crate) fn too_much_unread(app: &App) -> Failure {
    app.signals().refusals.record_rate_limit("unread");
    ErrorBody::rate_limit("Read the answers in flight before asking for more", UNREAD_RETRY_SECONDS).into()
}

/// Charges a request on the operator listener: to the operator whose token it carries, else to its network. The token
/// is looked up first, so that a flood from the same network costs an operator nothing.
pub(super) fn collect_from_operator(app: &App, network: Network, request: &Request) -> FareCharge {
    let (limits, now) = (app.limits(), app.now_micros());
    // A cross-site request has no operator; `require_operator` refuses it.
    let (rate, taken) = match operator_of(app, request) {
        Ok(Some(operator)) => {
            limits.known_operators.note(network, Instant::now());
            (limits.operators.rate(), limits.operators.take(operator.0, 1, now))
        }
        Ok(None) | Err(_) => {
            (limits.operator_networks.rate(), limits.operator_networks.take(network, 1, now))
        }
    };
    FareCharge {
        paid: Paid { network, fare: Fare::Operators, tokens: 0 },
        charged: Some(Charged::new("operators", rate, &taken)),
        result: passed(app, "operators", &taken),
    }
}

fn network_bucket(app: &App, fare: Fare) -> Option<(&'static str, &Buckets<Network>)> {
    match fare {
        Fare::Free | Fare::Operators => None,
        Fare::Files => Some(("files", &app.limits().files)),
        Fare::Public => Some(("public", &app.limits().public)),
        Fare::Proof => Some(("proofs", &app.limits().proofs)),
    }
}

impl App {
    /// Called when credentials are verified: refunds the network and charges the owner instead.
    pub fn charge_owner(&self, bucket_owner: BucketOwner, bucket: OwnerBucket) -> Result<(), Failure> {
        self.return_fare();
        self.charge_items(bucket_owner, bucket, 0, 1)
    }

    /// Charges a read by public key to the key at its network. A public key proves nothing, so the network stays
    /// charged as well; it is refunded only if the key's bucket is empty.
    pub fn charge_read_by_key(&self, bucket_owner: BucketOwner) -> Result<(), Failure> {
        self.charge_items(bucket_owner, OwnerBucket::Read, 0, 1).inspect_err(|_| self.return_fare())
    }

    /// Refunds what the network of the current request has paid for it.
    fn return_fare(&self) {
        if let Some(paid) = charged::paid().filter(|paid| paid.tokens > 0)
            && let Some((_, buckets)) = network_bucket(self, paid.fare)
        {
            buckets.give_back(paid.network, paid.tokens, self.now_micros());
            charged::note_paid(0);
        }
    }

    /// Raises an owner's payment for a request from `paid` to `cost`. On refusal, `paid` is refunded.
    pub fn charge_items(
        &self,
        bucket_owner: BucketOwner,
        bucket: OwnerBucket,
        paid: u32,
        cost: u32,
    ) -> Result<(), Failure> {
        let (now, limits) = (self.now_micros(), self.limits());
        let (rate, taken) = match bucket {
            OwnerBucket::Read => {
                let key = (bucket_owner, self.request_network());
                (limits.read.rate(), limits.read.raise(key, paid, cost, now))
            }
            OwnerBucket::Write => (limits.write.rate(), limits.write.raise(bucket_owner, paid, cost, now)),
            OwnerBucket::Cancel => (limits.cancel.rate(), limits.cancel.raise(bucket_owner, paid, cost, now)),
        };
        self.charge(bucket.policy(), rate, taken)
    }

    /// Charges a public request for a response of up to `rows` rows. For other requests the owner has paid, regardless
    /// of size.
    pub fn charge_rows(&self, rows: usize) -> Result<(), Failure> {
        let Some(paid) = charged::paid().filter(|paid| paid.fare == Fare::Public) else { return Ok(()) };
        self.raise_public(paid, price_of_rows(u32::try_from(rows).unwrap_or(u32::MAX)))
    }

    /// Charges a public request for comparing the titles, closing dates or volumes of `events` events.
    pub fn charge_comparisons(&self, events: u64) -> Result<(), Failure> {
        let Some(paid) = charged::paid().filter(|paid| paid.fare == Fare::Public) else { return Ok(()) };
        self.raise_public(paid, paid.tokens + price_of_comparisons(events))
    }

    /// Takes a token of the network's public requests for an addition to a response that is complete without it. False:
    /// leave the addition out.
    pub(crate) fn pay_for_addition(&self) -> bool {
        self.limits().public.take(self.request_network(), 1, self.now_micros()).is_ok()
    }

    /// A page of events. Comparisons are charged before they run.
    pub(crate) async fn find_events(&self, wanted: &ListQuery) -> Result<EventPage, Failure> {
        self.reading().find_events(wanted, |events| self.charge_comparisons(events)).await
    }

    /// Raises the payment of a public request to `price`.
    fn raise_public(&self, paid: Paid, price: u32) -> Result<(), Failure> {
        if price <= paid.tokens {
            return Ok(());
        }
        let public = &self.limits().public;
        let taken = public.raise(paid.network, paid.tokens, price, self.now_micros());
        charged::note_paid(if taken.is_ok() { price } else { 0 });
        self.charge("public", public.rate(), taken)
    }

    /// Refunds what a public request paid for rows that the response does not have: it was charged for `most` rows and
    /// has `rows`. A payment for comparisons stays.
    pub fn settle_rows(&self, most: usize, rows: usize) {
        let Some(paid) = charged::paid().filter(|paid| paid.fare == Fare::Public) else { return };
        let price = |rows: usize| price_of_rows(u32::try_from(rows).unwrap_or(u32::MAX));
        let surplus = price(most).saturating_sub(price(rows)).min(paid.tokens.saturating_sub(1));
        if surplus == 0 {
            return;
        }
        let public = &self.limits().public;
        let left = public.give_back(paid.network, surplus, self.now_micros());
        charged::note_paid(paid.tokens - surplus);
        charged::note(Charged::new("public", public.rate(), &Ok(left)));
    }

    /// The network of the current request.
    pub fn request_network(&self) -> Network {
        let local = || Network::of(std::net::Ipv4Addr::LOCALHOST.into());
        charged::paid().map_or_else(local, |paid| paid.network)
    }

    /// Records the charge for the envelope's headers, and returns 429 for an empty bucket.
    pub fn charge(
        &self,
        policy: &'static str,
        rate: Rate,
        taken: Result<Allowed, Refused>,
    ) -> Result<(), Failure> {
        charged::note(Charged::new(policy, rate, &taken));
        passed(self, policy, &taken)
    }

    /// Shows the limit that leaves less in the headers.
    pub(crate) fn show_tighter(&self, limits: [(&'static str, Rate, Allowed); 2]) {
        let [first, second] = limits.map(|(policy, rate, left)| Charged::new(policy, rate, &Ok(left)));
        charged::note(first);
        charged::note_further(second);
    }

    /// Like `charge`, for a request that pays a second limit: the headers show the one that leaves less.
    pub(crate) fn charge_further(
        &self,
        policy: &'static str,
        rate: Rate,
        taken: Result<Allowed, Refused>,
    ) -> Result<(), Failure> {
        charged::note_further(Charged::new(policy, rate, &taken));
        passed(self, policy, &taken)
    }
}

fn passed(app: &App, policy: &str, taken: &Result<Allowed, Refused>) -> Result<(), Failure> {
    match taken {
        Ok(_) => Ok(()),
        Err(refused) => {
            app.signals().refusals.record_rate_limit(policy);
            let message = "Too many requests: wait before the next one";
            Err(ErrorBody::rate_limit(message, refused.retry_after_seconds).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{price_of_comparisons, price_of_rows};

    #[test]
    fn the_first_25_rows_are_included_and_each_25_more_cost_a_token() {
        let prices = [0, 1, 25, 26, 50, 51, 100, 1_000].map(price_of_rows);
        assert_eq!(prices, [1, 1, 1, 2, 2, 3, 4, 40]);
        assert!(price_of_rows(u32::MAX) > 1_000_000);
    }

    #[test]
    fn each_5_000_compared_titles_cost_a_token_up_to_50() {
        let prices = [0, 4_999, 5_000, 185_000, 1_000_000, u64::MAX].map(price_of_comparisons);
        assert_eq!(prices, [0, 0, 1, 37, 50, 50]);
    }
}
