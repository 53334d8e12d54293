//! The whole state, and the only way to change it: `Exchange::apply`.
//!
//! Pure and synchronous. Time is an argument; ids are arguments or derived; there is no input or output.

use std::ops::Bound;

use crate::book::Plan;
use crate::catalogue::Catalogue;
use crate::change::Change;
use crate::command::Request;
use crate::governance::Governance;
use crate::id::{OrderId, UserId};
use crate::idempotency::IdempotencyMemory;
use crate::identity::{Directory, User};
use crate::index::{ListingIndex, UserIndex};
use crate::ledger::Ledger;
use crate::lifecycle::REFUNDED_AT_ONCE;
use crate::next::is_next;
use crate::order::{Order, Orders};
use crate::position::{Position, Positions};
use crate::references::References;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;
use crate::time::Time;
use crate::timers::Timers;
use crate::undecidable::Undecidable;

/// The decision on a request: done, or refused by the rules.
pub type Decision = Result<Reply, Reject>;

#[derive(Clone, Debug)]
pub struct Exchange {
    /// The number of applied requests: the sequence of the last one.
    pub(crate) seq: u64,
    /// Time of the last request; never decreases.
    pub(crate) now: Time,
    pub(crate) rules_version: u32,
    pub(crate) directory: Directory,
    pub(crate) ledger: Ledger,
    pub(crate) catalogue: Catalogue,
    pub(crate) governance: Governance,
    pub(crate) orders: Orders,
    pub(crate) positions: Positions,
    pub(crate) memory: IdempotencyMemory,
    pub(crate) references: References,
    pub(crate) timers: Timers,
    /// When the ageing timer is due.
    pub(crate) ageing_at: Option<Time>,
    /// When the retirement timer is due.
    pub(crate) retirement_at: Option<Time>,
    /// The serial of the next order.
    pub(crate) next_serial: u64,
    /// The number that `DrillUpgrade` stores. Only the rules of the next version set it.
    #[cfg(any(test, feature = "next"))]
    pub(crate) drill: u64,

    // Not state: the refunds that this request may still make, the changes of the last `apply`, and buffers.
    pub(crate) refunds_left: usize,
    pub(crate) changes: Vec<Change>,
    pub(crate) plan: Plan,
}

impl Default for Exchange {
    fn default() -> Exchange {
        Exchange::new()
    }
}

impl Exchange {
    /// The newest rules that this build supports. A journal moves to newer rules only by `UpgradeRules`, so that
    /// earlier commands are decided as before. Rules 2 added `rest_has_minimum`, `RecordPicture`
    /// and `RecordNews`; rules 3 `KeyWindow` and `Interval::FiveMinute`; rules 4 who decides (`governance/consent.rs`);
    /// rules 5 fixed names, keys of each operator and results that leave a market open.
    pub const RULES_VERSION: u32 = 5;

    /// The newest rules that this process supports: one more in a drill of an upgrade.
    pub fn rules_known() -> u32 {
        Exchange::RULES_VERSION + u32::from(is_next())
    }

    /// The house's user id.
    pub const HOUSE: UserId = UserId::new(0);

    /// An exchange that contains only the house.
    pub fn new() -> Exchange {
        let mut exchange = Exchange::empty();
        exchange.add_user(User::new(Exchange::HOUSE, Text::from("house"), Time::ZERO));
        exchange
    }

    pub(crate) fn empty() -> Exchange {
        Exchange {
            seq: 0,
            now: Time::ZERO,
            rules_version: 1,
            directory: Directory::default(),
            ledger: Ledger::default(),
            catalogue: Catalogue::default(),
            governance: Governance::default(),
            orders: Orders::default(),
            positions: Positions::default(),
            memory: IdempotencyMemory::default(),
            references: References::default(),
            timers: Timers::default(),
            ageing_at: None,
            retirement_at: None,
            next_serial: 0,
            #[cfg(any(test, feature = "next"))]
            drill: 0,
            refunds_left: 0,
            changes: Vec::new(),
            plan: Plan::default(),
        }
    }

    /// Applies one request that the journal ordered and stamped. Its effects are in `changes` afterwards. A request
    /// that this build cannot decide changes nothing.
    pub fn apply(&mut self, at: Time, request: &Request) -> Result<Decision, Undecidable> {
        Exchange::check_decidable_by(self.rules_version, request)?;
        self.changes.clear();
        self.seq += 1;
        self.now = self.now.max(at);
        self.ledger.set_now(self.now);
        self.catalogue.set_seq(self.seq);
        self.refunds_left = REFUNDED_AT_ONCE;
        if self.timers.next_due().is_some_and(|due| due <= self.now) {
            self.fire_timers();
        }
        self.refund_leaving();
        Ok(self.decide(request))
    }

    pub(crate) fn add_user(&mut self, user: User) -> UserIndex {
        self.ledger.add_user();
        self.directory.add_user(user)
    }

    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub fn now(&self) -> Time {
        self.now
    }

    pub fn rules_version(&self) -> u32 {
        self.rules_version
    }

    /// Whether the log has these rules or newer ones.
    #[inline]
    pub(crate) const fn since(&self, rules: u32) -> bool {
        self.rules_version >= rules
    }

    /// The changes of the last `apply`, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// When something is due: a timer, or now the next refunds of closed markets. The node must send a `Tick` by then if
    /// there is no other request.
    pub fn next_due(&self) -> Option<Time> {
        match self.catalogue.first_leaving() {
            Some(_) => Some(self.now),
            None => self.timers.next_due(),
        }
    }

    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    pub fn governance(&self) -> &Governance {
        &self.governance
    }

    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    /// The serial of the next order.
    pub fn next_order_serial(&self) -> u64 {
        self.next_serial
    }

    pub fn memory(&self) -> &IdempotencyMemory {
        &self.memory
    }

    pub fn order(&self, id: OrderId) -> Option<&Order> {
        self.orders.find(id).map(|slot| &self.orders[slot])
    }

    /// A user's position on a listing; `None` if the user never traded or had an order there.
    pub fn position(&self, user: UserIndex, listing: ListingIndex) -> Option<&Position> {
        let slot = self.directory.users.get(user.slot())?.positions.get(&listing)?;
        Some(&self.positions[*slot])
    }

    /// The listings where a user has a position, ascending.
    pub fn listings_of(&self, user: UserIndex) -> impl Iterator<Item = ListingIndex> {
        self.directory.user(user).positions.keys().copied()
    }

    /// The listings after `last` where a user has a position, ascending.
    pub fn listings_after(
        &self,
        user: UserIndex,
        last: Option<ListingIndex>,
    ) -> impl Iterator<Item = ListingIndex> {
        let begin = last.map_or(Bound::Unbounded, Bound::Excluded);
        let positions = &self.directory.user(user).positions;
        positions.range((begin, Bound::Unbounded)).map(|(listing, _)| *listing)
    }

    /// All positions of a user, by listing.
    pub fn positions_of(&self, user: UserIndex) -> impl Iterator<Item = &Position> {
        self.directory.user(user).positions.values().map(|slot| &self.positions[*slot])
    }
}
