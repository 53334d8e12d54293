//! The operations of a caller: the request of each, and its effect on the caller's holdings.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::demo::{Demo, market};

/// The markets: a book where orders only rest, and a pool.
pub struct Places {
    book_orders: String,
    book_yes: Value,
    book_market: String,
    pool_orders: String,
    pool_outcomes: [Value; 2],
}

impl Places {
    pub fn find(demo: &Demo) -> Places {
        let (book_orders, book_yes) = market(demo, "rain-in-lagos-on-new-years-day");
        let (pool_orders, pool_yes) = market(demo, "naira-below-1500-by-year-end");
        let (_, pool) = demo.get("/v1/pm/events/slug/naira-below-1500-by-year-end");
        let pool_outcomes = [pool_yes, pool["markets"][0]["outcome2Id"].clone()];
        let book_market = book_orders.split('/').nth(6).expect("a market in the path").to_owned();
        Places { book_orders, book_yes, book_market, pool_orders, pool_outcomes }
    }
}

/// A currency and the payout of a share in it.
#[derive(Clone, Copy)]
pub struct Money {
    pub code: &'static str,
    pub base: i64,
}

/// An order on the book: prices in cents, whole shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub cents: i64,
    pub shares: i64,
}

impl Terms {
    /// Cheap enough to match no other order, large enough for the minimum.
    fn random(rng: &mut Rng) -> Terms {
        Terms { cents: rng.i64(1..=3), shares: rng.i64(100..=200) }
    }

    /// The money held for it, in millionths.
    pub const fn hold(self, money: Money) -> i64 {
        self.cents * self.shares * money.base * 10_000
    }

    /// The terms that an order shows.
    pub fn of(order: &Value) -> Terms {
        Terms { cents: units(&order["price"], 100.0), shares: units(&order["size"], 1.0) }
    }
}

/// A JSON number in units of `1 / parts`.
pub fn units(value: &Value, parts: f64) -> i64 {
    (value.as_f64().unwrap_or_else(|| panic!("{value} is a number")) * parts).round() as i64
}

/// A caller's holdings, to the unit. Money in millionths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    pub free: i64,
    /// Held for orders that were there before.
    pub held_before: i64,
    /// Whole money in complete sets.
    pub sets: i64,
    pub open: BTreeMap<String, Terms>,
}

impl Holdings {
    pub fn held(&self, money: Money) -> i64 {
        self.held_before + self.open.values().map(|terms| terms.hold(money)).sum::<i64>()
    }
}

#[derive(Clone, Debug)]
pub enum Operation {
    Place { orders: Vec<(String, Terms)>, as_batch: bool },
    Cancel { ids: Vec<String>, as_batch: bool },
    Amend { orders: Vec<(String, Terms)> },
    Mint(i64),
    Burn(i64),
    Take { name: String, is_yes: bool },
}

impl Operation {
    /// A random operation that the holdings allow. `name` makes client order ids.
    pub fn choose(rng: &mut Rng, holdings: &Holdings, name: &str) -> Operation {
        let open: Vec<&String> = holdings.open.keys().collect();
        let some = |rng: &mut Rng, most: usize| {
            let mut ids: Vec<String> = open.iter().map(|id| (*id).clone()).collect();
            rng.shuffle(&mut ids);
            ids.truncate(rng.usize(1..=most));
            ids
        };
        match rng.u8(..100) {
            0..8 => Operation::Mint(rng.i64(1..=5)),
            8..14 if holdings.sets > 0 => Operation::Burn(rng.i64(1..=holdings.sets.min(5))),
            14..18 => Operation::Take { name: name.to_owned(), is_yes: rng.bool() },
            18..40 if !open.is_empty() => Operation::Cancel { ids: some(rng, 1), as_batch: false },
            40..55 if !open.is_empty() => Operation::Cancel { ids: some(rng, 4), as_batch: true },
            55..70 if !open.is_empty() => {
                let anew = |id: String, rng: &mut Rng| {
                    let old = holdings.open[&id];
                    // Always another price, so that a read shows whether the amendment was done.
                    (id, Terms { cents: old.cents % 3 + 1, ..Terms::random(rng) })
                };
                Operation::Amend { orders: some(rng, 4).into_iter().map(|id| anew(id, rng)).collect() }
            }
            part if open.len() < 30 => {
                let count = if part < 85 { 1 } else { rng.usize(1..=4) };
                let orders =
                    (0..count).map(|index| (format!("{name}-{index}"), Terms::random(rng))).collect();
                Operation::Place { orders, as_batch: part >= 85 }
            }
            _ => Operation::Cancel { ids: some(rng, 8), as_batch: true },
        }
    }

    /// Method, path, body.
    pub fn request(&self, places: &Places, money: Money) -> (&'static str, String, String) {
        let batch = || "/v1/pm/orders/batch".to_owned();
        let order = |(name, terms): &(String, Terms)| {
            json!({
                "side": "BUY", "outcomeId": places.book_yes, "type": "LIMIT", "currency": money.code,
                "price": terms.cents as f64 / 100.0, "quantity": terms.shares, "clientOrderId": name,
            })
        };
        let sets = |whole: i64| json!({"quantity": whole * money.base, "currency": money.code}).to_string();
        let market = &places.book_market;
        match self {
            Operation::Place { orders, as_batch: true } => {
                let orders: Vec<Value> = orders.iter().map(order).collect();
                ("POST", batch(), json!({"orders": orders}).to_string())
            }
            Operation::Place { orders, .. } => {
                ("POST", places.book_orders.clone(), order(&orders[0]).to_string())
            }
            Operation::Cancel { ids, as_batch: true } => {
                ("DELETE", batch(), json!({"orderIds": ids}).to_string())
            }
            Operation::Cancel { ids, .. } => ("DELETE", format!("/v1/pm/orders/{}", ids[0]), String::new()),
            Operation::Amend { orders } => {
                let item = |(id, terms): &(String, Terms)| json!({"orderId": id, "newPrice": terms.cents as f64 / 100.0, "newSize": terms.shares});
                let items: Vec<Value> = orders.iter().map(item).collect();
                ("POST", format!("{}/amend", batch()), json!({"items": items}).to_string())
            }
            Operation::Mint(whole) => ("POST", format!("/v1/pm/markets/{market}/mint"), sets(*whole)),
            Operation::Burn(whole) => ("POST", format!("/v1/pm/markets/{market}/burn"), sets(*whole)),
            Operation::Take { name, is_yes } => {
                let path = places.pool_orders.clone();
                let outcome = &places.pool_outcomes[usize::from(!*is_yes)];
                let body = json!({
                    "side": "BUY", "outcomeId": outcome, "type": "MARKET", "currency": money.code,
                    "amount": 2 * money.base, "clientOrderId": name,
                });
                ("POST", path, body.to_string())
            }
        }
    }
}
