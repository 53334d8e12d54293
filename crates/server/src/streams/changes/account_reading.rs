//! The first read of an account for its room: many short looks, and a result that is of one sequence.
//!
//! Each look reads a few rows, and the account may change between two looks. Meanwhile the apply thread records every
//! request that touches the account, with the new values. All records, applied in order to what the looks have read, give
//! the account at the last look: a row that changed since the first look has its last change, the others never changed.
//! The number of looks depends on the size of the account, not on the trading around it.

use api::response::ChangedPosition;
use exchange::Exchange;
use exchange::id::UserId;
use exchange::index::{ListingIndex, UserIndex};
use exchange::order::ReportedOrder;

use super::account::FullAccountState;
use super::watched::Watched;
use crate::pipeline::state::Shared;
use crate::view;

/// Rows that one look reads.
const ROWS_AT_ONCE: usize = 32;

/// Reads an account, which must be watched, and then whatever `finish` reads, all as of one sequence. `None` if there is
/// no such user.
pub(super) fn read<F>(
    shared: &Shared,
    watched: &Watched,
    user: UserId,
    finish: impl FnOnce(&Exchange) -> F,
) -> Option<(FullAccountState, F)> {
    let recording = watched.record(user);
    let (index, wallets) = {
        let exchange = shared.read();
        let index = exchange.directory().find(user)?;
        (index, view::changes::wallets(&exchange, index))
    };
    let mut state = FullAccountState::empty(user, wallets);
    read_positions(shared, index, &mut state);
    read_orders(shared, index, &mut state);
    let (updates, finished) = {
        let exchange = shared.read();
        (recording.take(), finish(&exchange))
    };
    drop(recording);
    for update in &updates {
        // The room has no reader yet to send the changes to.
        state.advance(&update.orders, &update.seen);
    }
    Some((state, finished))
}

fn read_positions(shared: &Shared, user: UserIndex, state: &mut FullAccountState) {
    let mut last: Option<ListingIndex> = None;
    let mut rows: Vec<(ListingIndex, [ChangedPosition; 2])> = Vec::with_capacity(ROWS_AT_ONCE);
    loop {
        {
            let exchange = shared.read();
            let listings = exchange.listings_after(user, last).take(ROWS_AT_ONCE);
            rows.extend(
                listings.map(|listing| (listing, view::changes::positions(&exchange, user, listing))),
            );
        }
        let Some((read_to, _)) = rows.last() else { return };
        last = Some(*read_to);
        for held in rows.drain(..).flat_map(|(_, held)| held) {
            state.hold(held);
        }
    }
}

fn read_orders(shared: &Shared, user: UserIndex, state: &mut FullAccountState) {
    let mut last: Option<u64> = None;
    let mut rows: Vec<ReportedOrder> = Vec::with_capacity(ROWS_AT_ONCE);
    loop {
        {
            let exchange = shared.read();
            let entries = exchange.directory().user(user).open_order_list().after(last).take(ROWS_AT_ONCE);
            rows.extend(entries.map(|entry| view::orders::report(&exchange, &exchange.orders()[entry.slot])));
        }
        let Some(read_to) = rows.last() else { return };
        last = Some(read_to.terms.serial);
        rows.drain(..).for_each(|shown| state.list_order(&shown));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use api::response::AccountChanges;
    use exchange::Request;
    use exchange::command::{CancelAllOrders, Command};
    use exchange::identity::Actor;
    use exchange::order::Outcome;

    use super::super::super::room::Room;
    use super::*;
    use crate::applied::Applied;
    use crate::pipeline::deciding::decide;
    use crate::view::stage::{MARKETS, START, TRADERS, busy_exchange, buy, key, mint};

    const USER: UserId = UserId::new(1);
    const EVERYTHING: CancelAllOrders = CancelAllOrders { event: None, market: None, currency: None };
    /// Reads during which the venue must have traded.
    const READS: usize = 25;

    /// The account as one look sees it.
    fn whole_in_one_look(exchange: &Exchange) -> AccountChanges {
        let user = exchange.directory().find(USER).expect("the trader");
        let mut state = FullAccountState::empty(USER, view::changes::wallets(exchange, user));
        for listing in exchange.listings_of(user) {
            for held in view::changes::positions(exchange, user, listing) {
                state.hold(held);
            }
        }
        for entry in exchange.directory().user(user).open_order_list().iter() {
            state.list_order(&view::orders::report(exchange, &exchange.orders()[entry.slot]));
        }
        state.whole()
    }

    /// A venue whose apply thread observes for the rooms, like the tap.
    struct Venue {
        shared: Shared,
        watched: Watched,
    }

    impl Venue {
        fn new() -> Venue {
            let (exchange, _) = busy_exchange();
            let venue = Venue { shared: Shared::new(exchange), watched: Watched::default() };
            venue.watched.add(&Room::AccountChanges { user: USER });
            venue
        }

        fn apply(&self, actor: Actor, command: Command) {
            let request = Request { actor, idempotency: None, command };
            let mut exchange = self.shared.write();
            let observe = |applied: &Applied<'_>| drop(self.watched.read_touched(applied));
            let decided = decide(&mut exchange, START, &request, false, observe);
            decided.expect("a request of this build").result.expect("the command is accepted");
        }

        /// Orders, fills, mints and cancels of all traders, half of them in one market.
        fn disturb(&self, number: u128) {
            let market = if number.is_multiple_of(2) { 1 } else { number * 31 % MARKETS + 1 };
            let id = 10_000 + number;
            let command = match number % 5 {
                // All three traders, so often that none reaches the limit of open orders in a market.
                _ if number % 400 < TRADERS => Command::CancelAllOrders(EVERYTHING),
                0 => mint(id, market),
                1 => Command::PlaceOrder(buy(id, market, Outcome::Yes, 35, 4)),
                2 => Command::PlaceOrder(buy(id, market, Outcome::No, 60, 4)),
                3 => Command::PlaceOrder(buy(id, market, Outcome::No, 72, 3)),
                _ => Command::PlaceOrder(buy(id, market, Outcome::Yes, 20, 6)),
            };
            self.apply(key(1 + number % TRADERS), command);
        }
    }

    #[test]
    fn an_account_read_in_parts_while_it_trades_is_that_of_one_look() {
        let (venue, is_over) = (Arc::new(Venue::new()), Arc::new(AtomicBool::new(false)));
        let trading = {
            let (venue, is_over) = (venue.clone(), is_over.clone());
            let is_wanted = move || !is_over.load(Ordering::Relaxed);
            thread::spawn(move || (0..).take_while(|_| is_wanted()).for_each(|number| venue.disturb(number)))
        };
        let mut disturbed = 0;
        while disturbed < READS && !trading.is_finished() {
            let before = venue.shared.read().seq();
            let finish = |exchange: &Exchange| (exchange.seq(), whole_in_one_look(exchange));
            let (state, (seq, expected)) =
                read(&venue.shared, &venue.watched, USER, finish).expect("the trader");
            assert_eq!(state.whole(), expected, "sequence {seq}");
            disturbed += usize::from(seq > before);
        }
        is_over.store(true, Ordering::Relaxed);
        trading.join().expect("every command was accepted");
    }

    #[test]
    fn a_change_between_two_looks_is_in_the_account() {
        let venue = Venue::new();
        let recording = venue.watched.record(USER);
        let (user, wallets) = {
            let exchange = venue.shared.read();
            let user = exchange.directory().find(USER).expect("the trader");
            (user, view::changes::wallets(&exchange, user))
        };
        let mut state = FullAccountState::empty(USER, wallets);
        read_positions(&venue.shared, user, &mut state);
        read_orders(&venue.shared, user, &mut state);
        // Fills the trader's order in market 1, then the trader places another one.
        venue.apply(key(2), Command::PlaceOrder(buy(20_000, 1, Outcome::No, 70, 10)));
        venue.apply(key(1), Command::PlaceOrder(buy(20_001, 2, Outcome::No, 10, 10)));
        let expected = whole_in_one_look(&venue.shared.read());
        assert_ne!(state.whole(), expected, "the looks alone are outdated");
        for update in recording.take() {
            state.advance(&update.orders, &update.seen);
        }
        assert_eq!(state.whole(), expected);
    }

    #[test]
    fn a_recording_ends_with_the_read() {
        let venue = Venue::new();
        for user in [USER, UserId::new(99)] {
            let found = read(&venue.shared, &venue.watched, user, |_| assert!(venue.watched.is_recording()));
            assert_eq!((found.is_some(), venue.watched.is_recording()), (user == USER, false));
        }
    }
}
