//! The sizes of the world.

use exchange::time::{Span, Time};

/// When the world begins.
pub const START: Time = Time::from_seconds(1_767_225_600);

/// Entries by which a table of the rules becomes full and splits a part.
pub const ENTRIES_OF_PART: u32 = 3_584;

#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Users whose orders are the large book.
    pub makers: u32,
    /// Orders of each of them in that book; the rules allow 500.
    pub orders_of_maker: u32,
    /// Users with a position in one market.
    pub holders: u32,
    pub games: u32,
    /// Games with three open events of seven markets together.
    pub linked_games: u32,
    /// Positions and open orders of the trader; the rules allow 5,000 orders.
    pub shelf: u32,
    /// Own orders of the trader in the large book.
    pub own_deep: u32,
    /// Markets of each large event.
    pub markets: u32,
    /// Holders and orders in each market of the cup.
    pub cup_each: u32,
    /// Holders and orders in each of the markets of the large game.
    pub game_each: u32,
    pub elections: u32,
    /// Pending commands; the rules allow 1,000, of one operator 100.
    pub proposals: u32,
    pub operators: u32,
    pub series: u32,
    /// Results of one series that wait.
    pub results: u32,
    pub pools: u32,
    pub idempotency_keys: u32,
    pub logins: u32,
}

impl Sizes {
    pub const LARGEST: Sizes = Sizes {
        makers: 400,
        orders_of_maker: 500,
        holders: 100_000,
        games: 100_000,
        linked_games: 1_000,
        shelf: 5_000,
        own_deep: 499,
        markets: 100,
        cup_each: 1_000,
        game_each: 200,
        elections: 100,
        proposals: 1_000,
        operators: 200,
        series: 200,
        results: 100,
        pools: 100,
        // The table that finds them is about to split the last of its parts that are not split yet, which is the longest.
        idempotency_keys: 127 * ENTRIES_OF_PART,
        logins: 262_144,
    };
    pub const SMALL: Sizes = Sizes {
        makers: 20,
        orders_of_maker: 100,
        holders: 1_000,
        games: 2_000,
        linked_games: 20,
        shelf: 300,
        own_deep: 99,
        markets: 20,
        cup_each: 20,
        game_each: 10,
        elections: 5,
        proposals: 1_000,
        operators: 40,
        series: 10,
        results: 5,
        pools: 5,
        idempotency_keys: 5_000,
        logins: 1_000,
    };

    pub fn orders(&self) -> u32 {
        self.makers * self.orders_of_maker
    }

    pub fn describe(&self) -> String {
        let Sizes { makers, holders, games, shelf, proposals, idempotency_keys, .. } = self;
        format!(
            "{} resting orders of {makers} users at 50 prices in one book, half of them at one, {holders} holders of one market, {games} games, \
             a trader with {shelf} positions and {shelf} open orders, {proposals} pending proposals, {idempotency_keys} \
             idempotency keys",
            self.orders()
        )
    }

    /// When people trade: after the results of the series that waits for them.
    pub fn morning(&self) -> Time {
        START + Span::hours(9)
    }

    /// When the world is complete: a minute and a half after a boundary of the series.
    pub fn now(&self) -> Time {
        self.morning() + Span::seconds(31 * 60 + 30)
    }

    /// When all orders of the large book expire.
    pub fn expiry(&self) -> Time {
        self.morning() + Span::days(20)
    }

    /// When all games begin.
    pub fn kick_off(&self) -> Time {
        self.morning() + Span::days(10)
    }

    /// The next boundary of the series.
    pub fn boundary(&self) -> Time {
        self.morning() + Span::minutes(45)
    }
}
