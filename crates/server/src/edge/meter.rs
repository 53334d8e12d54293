//! The notes that follow a request through its steps: what it has been charged, who sent it, which object it is about, and
//! the sequence that its answer was made from.
//!
//! Charges come in this order: the network before the body is read (`serve`), the owner as soon as the credentials are
//! verified (`charge_owner`), and more where the work turns out larger (`charge_items`, `charge_rows`,
//! `charge_comparisons`). Nothing is charged after the work. docs/security.md lists all limits in one table.

use std::future::Future;
use std::sync::Arc;

use api::error::ErrorBody;
use api::json::Decimals;
use exchange::id::{Hash32, KeyId, OperatorId, UserId};
use http::HeaderName;
use parking_lot::Mutex;
use uuid::Uuid;

use super::fare::Fare;
use crate::failure::Failure;
use crate::limits::{Allowed, BucketOwner, Buckets, Limits, Network, Rate, Refused};
use crate::pipeline::clock::Clock;
use crate::reading::{run_noting_sequence, with_noted_sequence};
use crate::signals::refusals::RefusalCounters;
use crate::signals::request_id::RequestId;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Rows included in the base price of a public request, and rows per additional token.
pub const ROWS_PER_TOKEN: u32 = 25;

/// Titles that a public request may compare with a substring per token, and the most tokens that this costs.
pub const COMPARISONS_PER_TOKEN: u64 = 5_000;
pub const COMPARISON_TOKENS_MAX: u32 = 50;

/// What charging needs: the limits, their clock, and the counters of refusals.
#[derive(Debug)]
pub struct Tariff {
    pub limits: Limits,
    pub(crate) refusals: Arc<RefusalCounters>,
    /// The machine's, in microseconds.
    pub(crate) clock: Arc<dyn Clock>,
}

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

/// The last charge of a request, for its response's headers.
#[derive(Clone, Copy, Debug)]
pub struct Charged {
    policy: &'static str,
    rate: Rate,
    remaining: u32,
    reset_seconds: u64,
}

impl Charged {
    fn new(policy: &'static str, rate: Rate, taken: &Result<Allowed, Refused>) -> Charged {
        let (remaining, reset_seconds) = match taken {
            Ok(allowed) => (allowed.remaining, allowed.reset_seconds),
            Err(refused) => (0, refused.retry_after_seconds),
        };
        Charged { policy, rate, remaining, reset_seconds }
    }

    /// The header fields that show the charge.
    pub(crate) fn fields(self) -> [(HeaderName, String); 2] {
        let Charged { policy, rate, remaining, reset_seconds } = self;
        let limit = [("\";r=", u64::from(remaining)), (";t=", reset_seconds)];
        let described = [("\";q=", u64::from(rate.tokens)), (";w=", u64::from(rate.seconds))];
        [(LIMIT, item(policy, limit)), (POLICY, item(policy, described))]
    }
}

/// The caller of a request and the object of its command, for the access log. It has no secret: a key is named by its
/// id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Party {
    pub(crate) user: Option<UserId>,
    pub(crate) key: Option<KeyId>,
    pub(crate) operator: Option<OperatorId>,
    /// The order, or another object that the command creates or changes.
    pub(crate) command: Option<Uuid>,
}

/// The notes of one request. A clone has the same notes.
#[derive(Clone, Debug)]
pub struct Meter(Arc<Metered>);

#[derive(Debug)]
struct Metered {
    tariff: Arc<Tariff>,
    id: RequestId,
    network: Network,
    fare: Fare,
    decimals: Decimals,
    notes: Mutex<Notes>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Notes {
    /// Tokens that the network has paid and not got back.
    tokens: u32,
    charged: Option<Charged>,
    party: Party,
    /// The sequence of the state that the response was made from; of several the lowest.
    sequence: Option<u64>,
    /// The response to an operator repeats an earlier one.
    is_replayed: bool,
}

tokio::task_local! {
    static CURRENT: Meter;
}

/// The meter of the current request, for handlers that get no `Call`. None outside a request.
pub(crate) fn current() -> Option<Meter> {
    CURRENT.try_with(Meter::clone).ok()
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

impl Meter {
    pub(crate) fn new(
        tariff: Arc<Tariff>,
        id: RequestId,
        (network, fare): (Network, Fare),
        decimals: Decimals,
    ) -> Meter {
        Meter(Arc::new(Metered { tariff, id, network, fare, decimals, notes: Mutex::default() }))
    }

    /// The form of decimals in its response.
    pub(crate) fn decimals(&self) -> Decimals {
        self.0.decimals
    }

    pub(crate) fn id(&self) -> RequestId {
        self.0.id
    }

    pub(crate) fn network(&self) -> Network {
        self.0.network
    }

    fn now(&self) -> i64 {
        self.0.tariff.clock.now()
    }

    /// The machine's time, for a client's clock.
    pub(crate) fn unix_seconds(&self) -> i64 {
        self.now() / 1_000_000
    }

    /// Runs a step without awaiting.
    pub(crate) fn run<T>(&self, step: impl FnOnce() -> T) -> T {
        let (done, sequence) = CURRENT.sync_scope(self.clone(), || run_noting_sequence(step));
        self.note_sequence(sequence);
        done
    }

    /// Runs a step that may await.
    pub(crate) async fn wait<T>(self, step: impl Future<Output = T>) -> T {
        let (done, sequence) = CURRENT.scope(self.clone(), with_noted_sequence(step)).await;
        self.note_sequence(sequence);
        done
    }

    /// With several steps the lowest sequence counts.
    fn note_sequence(&self, sequence: Option<u64>) {
        let mut notes = self.0.notes.lock();
        notes.sequence = notes.sequence.into_iter().chain(sequence).min();
    }

    pub(crate) fn sequence(&self) -> Option<u64> {
        self.0.notes.lock().sequence
    }

    /// The caller, as far as it is known.
    pub(crate) fn party(&self) -> Party {
        self.0.notes.lock().party
    }

    /// Changes what is known of the caller.
    pub(crate) fn note_party(&self, change: impl FnOnce(&mut Party)) {
        change(&mut self.0.notes.lock().party);
    }

    /// Notes the order or other object that the request is about.
    pub(crate) fn note_command(&self, id: Option<Uuid>) {
        if id.is_some() {
            self.note_party(|party| party.command = id);
        }
    }

    /// Notes that the response repeats an earlier one.
    pub(crate) fn note_replayed(&self) {
        self.0.notes.lock().is_replayed = true;
    }

    pub(crate) fn is_replayed(&self) -> bool {
        self.0.notes.lock().is_replayed
    }

    /// The last charge.
    pub(crate) fn charged(&self) -> Option<Charged> {
        self.0.notes.lock().charged
    }

    fn limits(&self) -> &Limits {
        &self.0.tariff.limits
    }

    fn network_bucket(&self) -> Option<(&'static str, &Buckets<Network>)> {
        match self.0.fare {
            Fare::Free | Fare::Operators => None,
            Fare::Files => Some(("files", &self.limits().files)),
            Fare::Public => Some(("public", &self.limits().public)),
            Fare::Proof => Some(("proofs", &self.limits().proofs)),
        }
    }

    /// Charges the network, before anything else is done for the request.
    pub(crate) fn charge_network(&self) -> Result<(), Failure> {
        let Some((policy, buckets)) = self.network_bucket() else { return Ok(()) };
        let taken = buckets.take(self.network(), 1, self.now());
        self.0.notes.lock().tokens = u32::from(taken.is_ok());
        self.charge(policy, buckets.rate(), taken)
    }

    /// Charges a request on the operators' listener: to the operator whose token it carries, else to its network.
    pub(crate) fn charge_operator(&self, operator: Option<OperatorId>) -> Result<(), Failure> {
        let (limits, now) = (self.limits(), self.now());
        let (rate, taken) = match operator {
            Some(operator) => (limits.operators.rate(), limits.operators.take(operator, 1, now)),
            None => {
                let networks = &limits.operator_networks;
                (networks.rate(), networks.take(self.network(), 1, now))
            }
        };
        self.charge("operators", rate, taken)
    }

    /// Called when credentials are verified: refunds the network and charges the owner instead.
    pub(crate) fn charge_owner(&self, owner: BucketOwner, bucket: OwnerBucket) -> Result<(), Failure> {
        self.return_fare();
        self.charge_items(owner, bucket, 0, 1)
    }

    /// Charges a read by public key to the key at its network. A public key proves nothing, so the network stays
    /// charged as well; it is refunded only if the key's bucket is empty.
    pub(crate) fn charge_read_by_key(&self, owner: BucketOwner) -> Result<(), Failure> {
        self.charge_items(owner, OwnerBucket::Read, 0, 1).inspect_err(|_| self.return_fare())
    }

    /// Refunds what the network has paid for the request.
    fn return_fare(&self) {
        let tokens = std::mem::take(&mut self.0.notes.lock().tokens);
        if tokens > 0
            && let Some((_, buckets)) = self.network_bucket()
        {
            buckets.give_back(self.network(), tokens, self.now());
        }
    }

    /// Raises an owner's payment for a request from `paid` to `cost`. On refusal, `paid` is refunded.
    pub(crate) fn charge_items(
        &self,
        owner: BucketOwner,
        bucket: OwnerBucket,
        paid: u32,
        cost: u32,
    ) -> Result<(), Failure> {
        let (now, limits) = (self.now(), self.limits());
        let (rate, taken) = match bucket {
            OwnerBucket::Read => {
                (limits.read.rate(), limits.read.raise((owner, self.network()), paid, cost, now))
            }
            OwnerBucket::Write => (limits.write.rate(), limits.write.raise(owner, paid, cost, now)),
            OwnerBucket::Cancel => (limits.cancel.rate(), limits.cancel.raise(owner, paid, cost, now)),
        };
        self.charge(bucket.policy(), rate, taken)
    }

    /// Charges a public request for a response of up to `rows` rows. For other requests the owner has paid, regardless
    /// of size.
    pub(crate) fn charge_rows(&self, rows: usize) -> Result<(), Failure> {
        self.raise_public(|_| price_of_rows(u32::try_from(rows).unwrap_or(u32::MAX)))
    }

    /// Charges a public request for comparing the titles, closing dates or volumes of `events` events.
    pub(crate) fn charge_comparisons(&self, events: u64) -> Result<(), Failure> {
        self.raise_public(|paid| paid + price_of_comparisons(events))
    }

    /// Takes a token of the network's public requests for an addition to a response that is complete without it. False:
    /// leave the addition out.
    pub(crate) fn pay_for_addition(&self) -> bool {
        self.limits().public.take(self.network(), 1, self.now()).is_ok()
    }

    /// Charges a login or a password reset to its network, before anything is hashed or sequenced.
    pub(crate) fn charge_password_work(&self) -> Result<(), Failure> {
        let limit = &self.limits().passwords;
        self.charge("passwords", limit.rate(), limit.take(self.network(), 1, self.now()))
    }

    /// Charges what may stay in the journal though nobody is known to have sent it.
    pub(crate) fn charge_stranger(&self, site: Network) -> Result<(), Failure> {
        let limit = &self.limits().strangers;
        let taken = limit.take(site, 1, self.now());
        // A request that pays a second limit shows the one that leaves less.
        self.note_further(Charged::new("strangers", limit.rate(), &taken));
        self.passed("strangers", taken)
    }

    /// Whether strangers of a site may leave something in the journal.
    pub(crate) fn has_strangers_left(&self, site: Network) -> bool {
        self.limits().strangers.look(site, self.now()).remaining > 0
    }

    /// Returns what a login paid that then succeeded.
    pub(crate) fn return_stranger(&self, site: Network) {
        let (limits, now) = (self.limits(), self.now());
        let left = limits.strangers.give_back(site, 1, now);
        let work = limits.passwords.look(self.network(), now);
        self.0.notes.lock().charged = Some(Charged::new("passwords", limits.passwords.rate(), &Ok(work)));
        self.note_further(Charged::new("strangers", limits.strangers.rate(), &Ok(left)));
    }

    /// Charges a login in a browser from which its email has logged in before. False once that is used up.
    pub(crate) fn charge_known_browser(&self, email: Hash32) -> bool {
        let limit = &self.limits().known_browsers;
        let taken = limit.take(email, 1, self.now());
        taken.is_ok() && self.charge("known", limit.rate(), taken).is_ok()
    }

    /// Takes the attempt of an email at a site that has used up what its strangers may write.
    pub(crate) fn charge_unwritten_login(&self, email: Hash32) -> bool {
        self.limits().unwritten_logins.take(email, 1, self.now()).is_ok()
    }

    /// Raises the payment of a public request to a price.
    fn raise_public(&self, price: impl FnOnce(u32) -> u32) -> Result<(), Failure> {
        let paid = self.0.notes.lock().tokens;
        let price = price(paid);
        if self.0.fare != Fare::Public || price <= paid {
            return Ok(());
        }
        let public = &self.limits().public;
        let taken = public.raise(self.network(), paid, price, self.now());
        self.0.notes.lock().tokens = if taken.is_ok() { price } else { 0 };
        self.charge("public", public.rate(), taken)
    }

    /// Refunds what a public request paid for rows that the response does not have: it was charged for `most` rows and
    /// has `rows`. A payment for comparisons stays.
    pub(crate) fn settle_rows(&self, most: usize, rows: usize) {
        let paid = self.0.notes.lock().tokens;
        let price = |rows: usize| price_of_rows(u32::try_from(rows).unwrap_or(u32::MAX));
        let surplus = price(most).saturating_sub(price(rows)).min(paid.saturating_sub(1));
        if self.0.fare != Fare::Public || surplus == 0 {
            return;
        }
        let public = &self.limits().public;
        let left = public.give_back(self.network(), surplus, self.now());
        let mut notes = self.0.notes.lock();
        notes.tokens = paid - surplus;
        notes.charged = Some(Charged::new("public", public.rate(), &Ok(left)));
    }

    /// Records a charge for the response's headers, and returns 429 for an empty bucket.
    pub(crate) fn charge(
        &self,
        policy: &'static str,
        rate: Rate,
        taken: Result<Allowed, Refused>,
    ) -> Result<(), Failure> {
        self.0.notes.lock().charged = Some(Charged::new(policy, rate, &taken));
        self.passed(policy, taken)
    }

    /// Records a charge beside the last one; the headers show the one that leaves less.
    fn note_further(&self, charged: Charged) {
        let mut notes = self.0.notes.lock();
        if notes.charged.is_none_or(|last| charged.remaining <= last.remaining) {
            notes.charged = Some(charged);
        }
    }

    fn passed(&self, policy: &'static str, taken: Result<Allowed, Refused>) -> Result<(), Failure> {
        taken.map(drop).map_err(|refused| {
            self.0.tariff.refusals.record_rate_limit(policy);
            let message = "Too many requests: wait before the next one";
            ErrorBody::rate_limit(message, refused.retry_after_seconds).into()
        })
    }
}

/// `"policy";a=1;b=2`. Written by hand, because every response has two of these and `format!` is slower.
fn item(policy: &str, parameters: [(&str, u64); 2]) -> String {
    let mut text = String::with_capacity(48);
    text.push('"');
    text.push_str(policy);
    for (name, value) in parameters {
        text.push_str(name);
        push_digits(&mut text, value);
    }
    text
}

fn push_digits(text: &mut String, value: u64) {
    if value >= 10 {
        push_digits(text, value / 10);
    }
    text.push(char::from(b'0' + (value % 10) as u8));
}

#[cfg(test)]
mod tests {
    use super::{item, price_of_comparisons, price_of_rows};

    #[test]
    fn a_policy_is_written_with_its_numbers() {
        assert_eq!(item("write", [("\";r=", 0), (";t=", 1_200)]), r#""write";r=0;t=1200"#);
        let most = format!(r#""read";q={};w=1"#, u64::MAX);
        assert_eq!(item("read", [("\";q=", u64::MAX), (";w=", 1)]), most);
    }

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
