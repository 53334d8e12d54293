//! A healthy state for the planted bugs: users with money, a book with orders and trades, a seeded pool, a won combined
//! event. Built directly from fields, so that trading is the only command needed.

use crate::catalogue::{Engine, Event, EventDetails, EventKind, EventLink, Listing, Market, MarketDetails};
use crate::catalogue::{Settlement, Status, Venue};
use crate::command::{Command, MintSets, Request};
use crate::exchange::Exchange;
use crate::id::{EventId, KeyId, MarketId, OperationId, OrderId, OutcomeId, UserId};
use crate::identity::{Actor, ApiKey, User};
use crate::index::{ListingIndex, MarketIndex, UserIndex};
use crate::ledger::Account;
use crate::numbers::{Cents, Currency, FeeRate, Money, Ppm, Price, Shares};
use crate::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use crate::pool::Pool;
use crate::position::PositionSlot;
use crate::text::Text;
use crate::time::{Span, Time};

pub(crate) const NOW: Time = Time::from_seconds(1_767_225_600);
/// The CLOB market in US dollars.
pub(crate) const BOOK: ListingIndex = ListingIndex::new(MarketIndex(0), Currency::Usd);
/// The AMM market in US dollars.
pub(crate) const POOL: ListingIndex = ListingIndex::new(MarketIndex(1), Currency::Usd);
/// The markets of the combined event; the first one won.
pub(crate) const WON: MarketIndex = MarketIndex(2);
pub(crate) const LOST: MarketIndex = MarketIndex(3);
pub(crate) const ALICE: UserIndex = UserIndex(1);
pub(crate) const BOB: UserIndex = UserIndex(2);

/// Alice bids 0.40 (twice) and sells YES at 0.60, Bob bids 0.38 until tomorrow; Bob has taken from Alice with a fee.
pub(crate) fn healthy() -> Exchange {
    let mut exchange = Exchange::new();
    exchange.now = NOW;
    for number in 1..=2 {
        add_rich_user(&mut exchange, number);
    }
    add_event(&mut exchange, 1, EventKind::Single, Engine::Clob, &[Status::Open]);
    add_event(&mut exchange, 2, EventKind::Single, Engine::Amm, &[Status::Open]);
    add_event(&mut exchange, 3, EventKind::Combined, Engine::Clob, &[Status::Resolved, Status::Resolved]);
    exchange.catalogue.market_mut(WON).settlement = Some(Settlement { yes: Cents::WHOLE, at: NOW });
    exchange.catalogue.market_mut(LOST).settlement = Some(Settlement { yes: Cents::NOTHING, at: NOW });
    exchange.list_ended_events();
    seed_pools(&mut exchange);
    mint(&mut exchange, ALICE, 100);
    let whole = Shares::whole;
    place(&mut exchange, ALICE, limit(1, Outcome::Yes, Side::Buy, whole(10), 40));
    place(&mut exchange, ALICE, limit(2, Outcome::Yes, Side::Buy, whole(20), 40));
    place(&mut exchange, ALICE, limit(3, Outcome::Yes, Side::Sell, whole(30), 60));
    let until = Some(NOW + Span::days(1));
    let gtd = NewOrder {
        time_in_force: Some(TimeInForce::Gtd),
        expires_at: until,
        ..limit(4, Outcome::No, Side::Buy, whole(5), 38)
    };
    place(&mut exchange, BOB, gtd);
    let crossing = NewOrder {
        client_order_id: Some(Text::from("mine")),
        ..limit(5, Outcome::Yes, Side::Buy, whole(35), 60)
    };
    place(&mut exchange, BOB, crossing);
    exchange
}

fn add_rich_user(exchange: &mut Exchange, number: u32) {
    let mut user = User::new(UserId::new(number.into()), format!("tag{number}").into(), NOW);
    user.keys = Box::new([ApiKey {
        id: KeyId::new(number.into()),
        name: Text::from("key"),
        public_key: format!("pk_{number}").into(),
        generation: 0,
        created_at: NOW,
        needs_rotation: false,
    }]);
    let index = exchange.add_user(user);
    for currency in Currency::ALL {
        let amount = Money::whole(10_000);
        exchange.ledger.post(currency, &[(Account::External, -amount), (Account::Free(index), amount)]);
    }
}

fn add_event(exchange: &mut Exchange, number: u128, kind: EventKind, engine: Engine, markets: &[Status]) {
    let event = exchange.catalogue.add_event(Event {
        id: EventId::new(number),
        serial: exchange.catalogue.next_event_serial,
        slug: format!("event-{number}").into(),
        kind,
        engine,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails::default(),
        link: EventLink::None,
        status: Status::of_event(markets.iter().copied()),
        markets: Vec::new(),
        created_at: NOW,
        resolved_at: None,
        threshold: None,
        close_value: None,
        open_samples: Vec::new(),
        close_samples: Vec::new(),
        is_result_proposed: false,
        resolutions: Vec::new(),
        edited_at: None,
        never_opened: false,
    });
    exchange.catalogue.next_event_serial += 1;
    for (place, status) in markets.iter().enumerate() {
        let details = MarketDetails { fee_rate: FeeRate::new(200).expect("2 %"), ..MarketDetails::default() };
        let id = MarketId::new(number * 100 + place as u128);
        let market = Market { id, event, status: *status, details, settlement: None, announced: None };
        let venue = || match engine {
            _ if status.is_final() => Venue::Idle,
            Engine::Clob => Venue::Book(Box::default()),
            Engine::Amm => Venue::Pool(None),
        };
        let listing = || {
            let closing_price = (*status == Status::Resolved).then_some(Ppm::HALF);
            Listing { closing_price, ..Listing::new(venue()) }
        };
        let index = exchange.catalogue.add_market(market, [listing(), listing()]);
        exchange.ledger.add_market();
        exchange.catalogue.events[event.slot()].markets.push(index);
    }
}

fn seed_pools(exchange: &mut Exchange) {
    for currency in Currency::ALL {
        let listing = ListingIndex::new(POOL.market(), currency);
        let seed = Pool::seed(Shares::whole(1_000), Price::clamp(50)).expect("a seed inside the band");
        exchange.catalogue.listing_mut(listing).venue = Venue::Pool(Some(seed.pool));
        let cash = seed.pool.yes.payout(currency);
        exchange.ledger.post(currency, &[(Account::External, -cash), (Account::Collateral(listing), cash)]);
    }
}

fn mint(exchange: &mut Exchange, user: UserIndex, sets: i64) {
    let market = exchange.catalogue.market(BOOK.market()).id;
    let amount = Money::whole(sets);
    let command =
        Command::MintSets(MintSets { id: OperationId::new(1), market, currency: Currency::Usd, amount });
    apply(exchange, user, command);
}

pub(super) fn place(exchange: &mut Exchange, user: UserIndex, new: NewOrder) {
    apply(exchange, user, Command::PlaceOrder(new));
}

fn apply(exchange: &mut Exchange, user: UserIndex, command: Command) {
    let actor = Actor::Key { key: KeyId::new(user.0.into()), generation: 0 };
    let request = Request { actor, idempotency: None, command };
    exchange
        .apply(NOW, &request)
        .expect("a request of this build")
        .expect("no command of the stage is refused");
}

pub(super) fn limit(id: u128, outcome: Outcome, side: Side, shares: Shares, cents: u8) -> NewOrder {
    NewOrder {
        id: OrderId::new(id),
        outcome: OutcomeId::of(MarketId::new(100), outcome as u64),
        side,
        kind: OrderKind::Limit,
        currency: Currency::Usd,
        sizing: Sizing::Quantity(shares),
        price: Price::new(cents),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

/// The slot of a user's position on the book's listing.
pub(super) fn position(exchange: &Exchange, user: UserIndex) -> PositionSlot {
    exchange.directory.user(user).positions[&BOOK]
}
