//! Heap bytes of a person, an open event and a resting order, counted by the allocator, unused capacity included.
//!
//! A binary of its own, because it sets the allocator. One test, because a second one would allocate beside it. The
//! venue is an eighth of one with 100,000 people, 10,000 events and 700,000 resting orders. Its hash tables are filled
//! to the same degree, because they grow by doubling.

mod crowd;

use std::alloc::System;

use cap::Cap;
use exchange::Exchange;

#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

const PERSON_BYTES_MAX: usize = 700;
const EVENT_BYTES_MAX: usize = 3_072;
const ORDER_BYTES_MAX: usize = 250;

/// Heap bytes that `grow` adds for each of `count` things.
fn bytes_each(exchange: &mut Exchange, count: u32, mut grow: impl FnMut(&mut Exchange, u32)) -> usize {
    let before = HEAP.allocated();
    for index in 0..count {
        grow(exchange, index);
    }
    (HEAP.allocated() - before) / count as usize
}

const PEOPLE: u32 = 12_500;
const EVENTS: u32 = 1_250;
const ORDERS: u32 = 87_500;

#[test]
fn a_person_an_event_and_a_resting_order_take_few_bytes() {
    let exchange = &mut Exchange::new();
    crowd::upgrade(exchange);
    let person = bytes_each(exchange, PEOPLE, crowd::add_person);
    let event = bytes_each(exchange, EVENTS, crowd::add_event);
    // Each order is the first of its owner on its listing: its position counts too.
    let order = bytes_each(exchange, ORDERS, |exchange, index| {
        crowd::add_order(exchange, index, PEOPLE, EVENTS);
    });
    let further = bytes_each(exchange, ORDERS / 8, |exchange, index| {
        crowd::add_further_order(exchange, ORDERS + index, index / 400, index / 2_000);
    });
    println!(
        "person {person} B, event {event} B, resting order {order} B, beside others of its owner {further} B"
    );
    assert!(person <= PERSON_BYTES_MAX, "a person takes {person} bytes");
    assert!(event <= EVENT_BYTES_MAX, "an event takes {event} bytes");
    assert!(order <= ORDER_BYTES_MAX, "a resting order takes {order} bytes");
    assert!(further <= ORDER_BYTES_MAX, "an order beside others of its owner takes {further} bytes");
}
