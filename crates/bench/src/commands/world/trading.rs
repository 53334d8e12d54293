//! Positions and resting orders.

use exchange::command::{CancelAllOrders, CancelOnDisconnect, Command, MintSets};
use exchange::id::{ConnectionId, MarketId, OrderId, OutcomeId};
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};

use super::{Script, Sizes};
use crate::ids::{self, Kind, Rest};

/// Different prices in the large book. Half of its orders rest at the worst one.
const PRICES: u32 = 50;
/// Markets of the large game: winner, margins, goals.
pub const GAME_MARKETS: u64 = 63;

/// A GTC limit order that buys.
pub fn limit(id: OrderId, outcome: OutcomeId, shares: i64, cents: i64) -> NewOrder {
    NewOrder {
        id,
        outcome,
        side: Side::Buy,
        kind: OrderKind::Limit,
        currency: Currency::Usd,
        sizing: Sizing::Quantity(Shares::whole(shares)),
        price: Some(Price::clamp(cents)),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

pub fn mint(script: &mut Script, user: u32, market: MarketId, whole: i64) {
    let (id, amount) = (script.next_operation(), Money::whole(whole));
    script.user(user, Command::MintSets(MintSets { id, market, currency: Currency::Usd, amount }));
}

fn place(script: &mut Script, user: u32, new: NewOrder) {
    script.user(user, Command::PlaceOrder(new));
}

/// One market with all holders, a combined event and a game with fewer of them in each market.
pub fn holdings(script: &mut Script, sizes: &Sizes) {
    let holder = |number: u32| ids::SPECIAL + number % sizes.holders;
    for number in 0..sizes.holders {
        mint(script, holder(number), ids::market(Kind::Held, 0, 0), 10);
    }
    for market in 0..sizes.markets {
        for number in 0..sizes.cup_each {
            let user = holder(market * sizes.cup_each + number);
            mint(script, user, ids::market(Kind::Cup, 0, market), 10);
        }
    }
    for market in 0..GAME_MARKETS {
        for number in 0..sizes.game_each {
            let user = holder(market as u32 * sizes.game_each + number);
            mint(script, user, ids::game_market(super::sports::LARGE, market), 5);
        }
    }
}

/// The large book, and shorter ones in the markets of the combined event and the game. Every order of the large book
/// expires at one instant.
pub fn books(script: &mut Script, sizes: &Sizes) {
    let maker = |number: u32| ids::SPECIAL + number % sizes.makers;
    let no = ids::outcome(Kind::Deep, 0, Outcome::No);
    for number in 0..sizes.orders() {
        let round = number / sizes.makers;
        let cents = 1 + i64::from(if round.is_multiple_of(2) { 0 } else { round / 2 % PRICES });
        let new = limit(ids::order(Rest::Deep, number), no, 110, cents);
        let (expires_at, time_in_force) = (Some(sizes.expiry()), Some(TimeInForce::Gtd));
        place(script, maker(number), NewOrder { expires_at, time_in_force, ..new });
    }
    for number in 0..sizes.markets * sizes.cup_each {
        let market = ids::market(Kind::Cup, 0, number / sizes.cup_each);
        let yes = OutcomeId::of(market, 0);
        place(
            script,
            maker(number),
            limit(ids::order(Rest::Cup, number), yes, 20, 10 + i64::from(number % 30)),
        );
    }
    for number in 0..GAME_MARKETS as u32 * sizes.game_each {
        let market = ids::game_market(super::sports::LARGE, u64::from(number / sizes.game_each));
        let yes = OutcomeId::of(market, 0);
        place(
            script,
            maker(number),
            limit(ids::order(Rest::Game, number), yes, 20, 10 + i64::from(number % 30)),
        );
    }
    for number in 0..sizes.shelf {
        let yes = ids::outcome(Kind::Shelf, number, Outcome::Yes);
        place(script, maker(number), limit(ids::order(Rest::Shelf, number), yes, 10, 40));
    }
}

/// Users with many positions and orders.
pub fn trader(script: &mut Script, sizes: &Sizes) {
    for number in 0..sizes.shelf {
        mint(script, ids::TRADER, ids::market(Kind::Shelf, number, 0), 10);
    }
    mint(script, ids::TRADER, ids::market(Kind::Deep, 0, 0), 1_000);
    // The last orders of the large book: a taker who walks over all of it meets them at the end.
    let no = ids::outcome(Kind::Deep, 0, Outcome::No);
    for number in 0..sizes.own_deep {
        place(script, ids::TRADER, limit(ids::order(Rest::OfTraderDeep, number), no, 110, 1));
    }
    for number in 0..sizes.shelf - sizes.own_deep {
        let no = ids::outcome(Kind::Shelf, number, Outcome::No);
        place(script, ids::TRADER, limit(ids::order(Rest::OfTrader, number), no, 10, 30));
    }
    place(script, ids::LAST_IN_LINE, limit(ids::order(Rest::Fresh, 0), no, 110, 1));
    let connection = ConnectionId::new(1);
    script.user(ids::TRADER, Command::CancelOnDisconnect(CancelOnDisconnect { connection, enabled: true }));
    for number in 0..sizes.shelf {
        let no = ids::outcome(Kind::Shelf, number, Outcome::No);
        place(script, ids::IDLER, limit(ids::order(Rest::Idle, number), no, 10, 30));
    }
    script.user(
        ids::IDLER,
        Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency: None }),
    );
    // A trade, so that there are fees.
    let yes = ids::outcome(Kind::Shelf, 0, Outcome::Yes);
    let sell = NewOrder { side: Side::Sell, ..limit(ids::order(Rest::Fresh, 1), yes, 10, 40) };
    place(script, ids::TRADER, sell);
}
