//! The reference for `Book` in tests and in the simulator: a list of orders in plain integers, sorted at each read.
//!
//! It follows the rules, not the code of `Book`. It stays slow and obvious. Compiled only with the feature `testing`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Bid,
    Ask,
}

/// What a taker does when it reaches an order of its own user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    Skip,
    CancelOldest,
    CancelNewest,
    CancelBoth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    Shares(i64),
    Money(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: u128,
    pub user: u32,
    pub side: Side,
    /// In cents of YES.
    pub price: i64,
    pub remaining: i64,
    /// Queue position: lower is earlier.
    pub arrival: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct Taker {
    pub user: u32,
    pub side: Side,
    /// The taker trades NO: its price is 100 minus the book's.
    pub in_no: bool,
    /// The worst book price that it accepts, in cents of YES.
    pub limit: i64,
    pub want: Want,
    pub base: i64,
    pub own: Own,
}

/// A quantity taken from one resting order, at its price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    pub id: u128,
    pub shares: i64,
    pub price: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    pub fills: Vec<Fill>,
    pub cancels: Vec<u128>,
    pub shares: i64,
    pub value: i64,
    pub complete: bool,
    pub stopped_at_own: bool,
    /// The walk reached an own order.
    pub met_own: bool,
}

#[derive(Clone, Debug, Default)]
pub struct NaiveBook {
    entries: Vec<Entry>,
    arrivals: u64,
}

impl NaiveBook {
    /// One side: best price first, oldest first within a price.
    pub fn side(&self, side: Side) -> Vec<Entry> {
        let mut entries: Vec<Entry> =
            self.entries.iter().filter(|entry| entry.side == side).copied().collect();
        entries.sort_by_key(|entry| match side {
            Side::Bid => (-entry.price, entry.arrival),
            Side::Ask => (entry.price, entry.arrival),
        });
        entries
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn find(&self, id: u128) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    pub fn rest(&mut self, side: Side, price: i64, user: u32, id: u128, remaining: i64) {
        self.arrivals += 1;
        self.entries.push(Entry { id, user, side, price, remaining, arrival: self.arrivals });
    }

    pub fn remove(&mut self, id: u128) -> Option<Entry> {
        let place = self.entries.iter().position(|entry| entry.id == id)?;
        Some(self.entries.remove(place))
    }

    /// Reduces an order; it keeps its queue position.
    pub fn reduce(&mut self, id: u128, remaining: i64) {
        for entry in self.entries.iter_mut().filter(|entry| entry.id == id) {
            entry.remaining = remaining;
        }
    }

    pub fn take(&mut self, fills: &[Fill]) {
        for fill in fills {
            for entry in self.entries.iter_mut().filter(|entry| entry.id == fill.id) {
                entry.remaining -= fill.shares;
            }
        }
        self.entries.retain(|entry| entry.remaining != 0);
    }

    /// The orders that a taker with this side and limit could trade with, in order, including own orders.
    pub fn makers(&self, side: Side, limit: i64) -> Vec<Entry> {
        let mut makers = self.side(match side {
            Side::Bid => Side::Ask,
            Side::Ask => Side::Bid,
        });
        makers.retain(|maker| match side {
            Side::Bid => maker.price <= limit,
            Side::Ask => maker.price >= limit,
        });
        makers
    }

    /// The best price that other users offer to a taker on this side.
    pub fn best_of_others(&self, side: Side, user: u32) -> Option<i64> {
        let anywhere = match side {
            Side::Bid => 99,
            Side::Ask => 1,
        };
        self.makers(side, anywhere).iter().find(|maker| maker.user != user).map(|maker| maker.price)
    }

    /// Computes what a taker would do; changes nothing.
    pub fn walk(&self, taker: &Taker) -> Walk {
        let mut walk = Walk::default();
        let (mut left, by_money) = match taker.want {
            Want::Shares(shares) => (shares, false),
            Want::Money(money) => (money, true),
        };
        let mut last_unit = None;
        for maker in self.makers(taker.side, taker.limit) {
            let is_own = maker.user == taker.user;
            walk.met_own |= is_own;
            // A skipped order is treated as absent.
            if is_own && taker.own == Own::Skip {
                continue;
            }
            let own_price = if taker.in_no { 100 - maker.price } else { maker.price };
            let unit = own_price * taker.base;
            let fits = if by_money { left / unit } else { left };
            if fits == 0 {
                walk.complete = true;
                return walk;
            }
            if is_own {
                if taker.own != Own::CancelNewest {
                    walk.cancels.push(maker.id);
                }
                if taker.own != Own::CancelOldest {
                    walk.stopped_at_own = true;
                    return walk;
                }
                continue;
            }
            let shares = maker.remaining.min(fits);
            walk.fills.push(Fill { id: maker.id, shares, price: maker.price });
            walk.shares += shares;
            walk.value += shares * unit;
            left -= if by_money { shares * unit } else { shares };
            last_unit = Some(unit);
            if shares < maker.remaining {
                walk.complete = true;
                return walk;
            }
        }
        // No acceptable maker is left. An amount below the price of one unit does not count as a remainder.
        walk.complete = if by_money { last_unit.is_some_and(|unit| left < unit) } else { left == 0 };
        walk
    }
}
