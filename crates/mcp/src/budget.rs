//! The cap that no tool can pass.
//!
//! A BUY or a mint is reserved with the most that it can cost before it is sent; two calls at once cannot share what is
//! left. It stays counted until the exchange reports how it ended. A call that was dropped, an answer that was lost and an
//! order that rests are all counted in full. Only `close` and `release` give something back.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use api::decimal::Money;
use api::terms::Currency;
use parking_lot::Mutex;
use uuid::Uuid;

use crate::cost::BuyTerms;
use crate::settings::Caps;
use crate::spent_file::{Change, SpentFile};

/// The caps and everything that is counted against them.
#[derive(Debug)]
pub(crate) struct Budget {
    caps: Caps,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The cost of everything that has ended.
    closed: Money,
    /// Everything else, by idempotency key.
    pending: BTreeMap<String, Pending>,
    /// None if the cap is that of this process only.
    file: Option<SpentFile>,
}

/// A BUY or a mint that was sent and has not been reported as closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    /// The most that it can cost.
    pub(crate) cost: Money,
    /// None for a mint.
    pub(crate) terms: Option<BuyTerms>,
    /// None until the exchange has answered.
    pub(crate) order: Option<Uuid>,
}

/// A cost that is not reserved, so nothing is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverCap {
    /// More than one order may cost.
    Order { max: Money },
    /// More than is left.
    Spend { left: Money },
    /// The file of what was spent cannot be written.
    Unrecorded,
}

impl Budget {
    pub(crate) fn new(caps: Caps) -> Budget {
        Budget { caps, state: Mutex::default() }
    }

    /// Continues the count in a file.
    pub(crate) fn open(caps: Caps, path: &Path, currency: Currency) -> io::Result<Budget> {
        let (file, changes) = SpentFile::open(path, currency)?;
        let mut state = State::default();
        for (key, change) in changes {
            state.apply(&key, change);
        }
        state.file = Some(file);
        Ok(Budget { caps, state: Mutex::new(state) })
    }

    pub(crate) fn caps(&self) -> Caps {
        self.caps
    }

    /// Everything that is counted.
    pub(crate) fn spent(&self) -> Money {
        self.state.lock().spent()
    }

    pub(crate) fn left(&self) -> Money {
        self.state.lock().left(self.caps)
    }

    /// Whether a cost could be reserved now.
    pub(crate) fn check(&self, cost: Money) -> Result<(), OverCap> {
        self.state.lock().check(self.caps, cost)
    }

    /// Counts a cost before its request is sent.
    pub(crate) fn reserve(&self, key: &str, cost: Money, terms: Option<BuyTerms>) -> Result<(), OverCap> {
        let mut state = self.state.lock();
        state.check(self.caps, cost)?;
        assert!(!state.pending.contains_key(key), "a key names one request");
        if state.change(key, Change::Reserve { cost, terms }) { Ok(()) } else { Err(OverCap::Unrecorded) }
    }

    /// Gives everything back: the exchange refused, nothing happened. An order that the exchange has reported exists, so it
    /// stays counted.
    pub(crate) fn release(&self, key: &str) {
        let mut state = self.state.lock();
        if state.pending.get(key).is_some_and(|pending| pending.order.is_none()) {
            state.change(key, Change::Release);
        }
    }

    /// The order exists and is not closed; it stays counted.
    pub(crate) fn keep(&self, key: &str, order: Uuid) {
        let mut state = self.state.lock();
        if state.pending.get(key).is_some_and(|pending| pending.order != Some(order)) {
            state.change(key, Change::Keep { order });
        }
    }

    /// Counts what the exchange reports instead of the most that it could be. A key that is not pending changes nothing, so
    /// a second report of one order gives nothing back.
    pub(crate) fn close(&self, key: &str, cost: Money) {
        let mut state = self.state.lock();
        if state.pending.contains_key(key) {
            state.change(key, Change::Close { cost });
        }
    }

    /// Everything that is counted at the most that it can cost.
    pub(crate) fn pending(&self) -> Vec<(String, Pending)> {
        self.state.lock().pending.iter().map(|(key, pending)| (key.clone(), *pending)).collect()
    }
}

impl State {
    /// Records a change, then makes it. A change that cannot be recorded is not made: it stays counted.
    fn change(&mut self, key: &str, change: Change) -> bool {
        let is_recorded = self.file.as_mut().is_none_or(|file| file.record(key, change).is_ok());
        if is_recorded {
            self.apply(key, change);
        }
        is_recorded
    }

    fn apply(&mut self, key: &str, change: Change) {
        match change {
            Change::Reserve { cost, terms } => {
                self.pending.insert(key.to_owned(), Pending { cost, terms, order: None });
            }
            Change::Keep { order } => {
                if let Some(pending) = self.pending.get_mut(key) {
                    pending.order = Some(order);
                }
            }
            Change::Close { cost } => {
                if self.pending.remove(key).is_some() {
                    self.closed = sum(self.closed, cost);
                }
            }
            Change::Release => {
                self.pending.remove(key);
            }
        }
    }

    fn spent(&self) -> Money {
        self.pending.values().fold(self.closed, |total, pending| sum(total, pending.cost))
    }

    fn left(&self, caps: Caps) -> Money {
        Money::from_units(caps.spend_max.units().saturating_sub(self.spent().units()).max(0))
    }

    fn check(&self, caps: Caps, cost: Money) -> Result<(), OverCap> {
        assert!(cost >= Money::ZERO, "a cost is not negative");
        if cost > caps.order_max {
            return Err(OverCap::Order { max: caps.order_max });
        }
        let left = self.left(caps);
        if cost > left { Err(OverCap::Spend { left }) } else { Ok(()) }
    }
}

/// A total beyond the range is the end of the range, which is over every cap.
fn sum(one: Money, other: Money) -> Money {
    Money::from_units(one.units().saturating_add(other.units()))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::Arc;
    use std::thread;

    use api::decimal::Money;
    use api::terms::Currency;
    use uuid::Uuid;

    use super::{Budget, OverCap};
    use crate::cost::BuyTerms;
    use crate::settings::Caps;
    use crate::spent_file::SpentFile;

    fn usd(text: &str) -> Money {
        Money::parse(text).unwrap()
    }

    fn budget(spend: &str, order: &str) -> Budget {
        Budget::new(Caps { spend_max: usd(spend), order_max: usd(order) })
    }

    #[test]
    fn an_order_above_either_cap_is_refused_to_the_unit() {
        let budget = budget("100", "60");
        assert_eq!(budget.reserve("a", usd("60.000001"), None), Err(OverCap::Order { max: usd("60") }));
        assert_eq!(budget.reserve("b", usd("60"), None), Ok(()));
        assert_eq!(budget.reserve("c", usd("40.000001"), None), Err(OverCap::Spend { left: usd("40") }));
        assert_eq!(budget.reserve("d", usd("40"), None), Ok(()));
        assert_eq!((budget.spent(), budget.left()), (usd("100"), Money::ZERO));
    }

    #[test]
    fn concurrent_reservations_never_exceed_the_cap() {
        let budget = Arc::new(budget("10", "1"));
        let tries: Vec<_> = (0..16)
            .map(|thread| {
                let budget = Arc::clone(&budget);
                thread::spawn(move || {
                    (0..4)
                        .filter(|n| budget.reserve(&format!("{thread}-{n}"), usd("1"), None).is_ok())
                        .count()
                })
            })
            .collect();
        let passed: usize = tries.into_iter().map(|tried| tried.join().unwrap()).sum();
        assert_eq!((passed, budget.spent()), (10, usd("10")));
    }

    #[test]
    fn only_a_report_gives_something_back() {
        let budget = budget("100", "100");
        budget.reserve("unknown", usd("30"), None).unwrap();
        budget.reserve("refused", usd("30"), None).unwrap();
        budget.reserve("partly", usd("30"), None).unwrap();
        assert_eq!(budget.spent(), usd("90"));
        budget.release("refused");
        budget.close("partly", usd("12.5"));
        assert_eq!(budget.spent(), usd("42.5"), "the unknown one stays counted");
        budget.close("partly", Money::ZERO);
        budget.release("partly");
        budget.close("never sent", Money::ZERO);
        assert_eq!(budget.spent(), usd("42.5"), "a second report changes nothing");
    }

    #[test]
    fn a_refusal_gives_nothing_back_of_an_order_that_exists() {
        let budget = budget("100", "100");
        budget.reserve("a", usd("30"), None).unwrap();
        budget.keep("a", Uuid::from_u128(7));
        budget.release("a");
        assert_eq!(budget.spent(), usd("30"));
        budget.close("a", usd("12"));
        assert_eq!(budget.spent(), usd("12"));
    }

    #[test]
    fn a_report_above_the_expectation_counts_in_full() {
        let budget = budget("100", "100");
        budget.reserve("a", usd("30"), None).unwrap();
        budget.close("a", usd("31"));
        assert_eq!((budget.spent(), budget.left()), (usd("31"), usd("69")));
    }

    #[test]
    fn a_cap_of_nothing_permits_nothing() {
        let budget = budget("0", "0");
        assert!(budget.reserve("a", usd("0.000001"), None).is_err());
    }

    #[test]
    fn amounts_at_the_end_of_the_range_do_not_wrap_around() {
        let most = Money::from_units(i64::MAX);
        let budget = Budget::new(Caps { spend_max: most, order_max: most });
        budget.reserve("a", most, None).unwrap();
        assert!(budget.reserve("b", usd("1"), None).is_err());
    }

    #[test]
    fn a_new_process_with_the_file_continues_the_old_cap() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spent");
        let caps = Caps { spend_max: usd("10"), order_max: usd("10") };
        let open = || Budget::open(caps, &path, Currency::Usd).unwrap();
        let terms = Some(BuyTerms::Market { amount: usd("3") });
        let order = Uuid::from_u128(7);
        {
            let budget = open();
            for key in ["resting", "closed", "refused", "unknown"] {
                budget.reserve(key, usd("2.5"), terms).unwrap();
            }
            budget.keep("resting", order);
            budget.close("closed", usd("1"));
            budget.release("refused");
            assert_eq!(budget.spent(), usd("6"));
        }
        let budget = open();
        assert_eq!((budget.spent(), budget.left()), (usd("6"), usd("4")));
        let resting = budget.pending().into_iter().find(|(key, _)| key == "resting").unwrap().1;
        assert_eq!((resting.order, resting.terms), (Some(order), terms), "it can still be looked up");
        assert_eq!(budget.reserve("more", usd("4.000001"), None), Err(OverCap::Spend { left: usd("4") }));
    }

    #[test]
    fn a_change_that_cannot_be_recorded_is_neither_sent_nor_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spent");
        let caps = Caps { spend_max: usd("10"), order_max: usd("10") };
        let budget = Budget::open(caps, &path, Currency::Usd).unwrap();
        budget.reserve("a", usd("3"), None).unwrap();
        // A handle that can only read: every write fails from here on.
        budget.state.lock().file = Some(SpentFile::new(File::open(&path).unwrap()));
        assert_eq!(budget.reserve("b", usd("1"), None), Err(OverCap::Unrecorded));
        budget.release("a");
        budget.close("a", Money::ZERO);
        assert_eq!(budget.spent(), usd("3"));
    }
}
