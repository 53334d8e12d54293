//! A venue of the largest sizes that are allowed, as commands.

use exchange::Request;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    Command, CreateOperator, CreateUser, MintSets, OpenEvent, RequestPasswordReset, SetWatchlist,
};
use exchange::id::{EventId, Hash32, MarketId, OperationId, OperatorId, OrderId, RowId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::Time;
use load::Problem;
use load::venue::{Size, actor, market, outcome, requests_of, user};
use server::app::App;
use server::secrets::token_hash;

pub const TOKEN: &str = "the token of the operator of the bench";
/// The owner of the orders and positions that are listed.
pub const TRADER: u32 = 0;
/// Open orders of one maker; the rules allow as many.
const ORDERS_OF_MAKER: u32 = 5_000;
/// Requests that wait at once.
const CHUNK: usize = 2_000;

#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub people: u32,
    /// Events with one market.
    pub events: u32,
    /// Events with a hundred markets.
    pub combined: u32,
    /// Open orders and positions of the trader.
    pub orders: u32,
    pub watched: u32,
    pub resets: u32,
}

impl Sizes {
    pub const LARGEST: Sizes = Sizes {
        people: 100_000,
        events: 100_000,
        combined: 100,
        orders: 5_000,
        watched: 1_000,
        resets: 1_000,
    };
    pub const SMALL: Sizes =
        Sizes { people: 10_000, events: 10_000, combined: 10, orders: 500, watched: 100, resets: 100 };

    pub fn describe(&self) -> String {
        let Sizes { people, events, combined, orders, watched, resets } = self;
        format!(
            "{people} people, {events} events and {combined} of 100 markets; one trader with {orders} open orders, \
             {orders} positions and {watched} watched events; {resets} password resets"
        )
    }

    /// Makers that together have one order in each event.
    fn makers(&self) -> u32 {
        self.events.div_ceil(ORDERS_OF_MAKER)
    }
}

pub fn create(app: &App, sizes: &Sizes) -> Result<(), Problem> {
    let traders = 1 + sizes.makers() + DEEPER;
    let size = Size { people: traders, books: sizes.events, pools: 0, stake: 100_000 };
    submit(app, requests_of(size))?;
    submit(app, (traders..sizes.people).map(plain_user))?;
    submit(app, (0..sizes.combined).flat_map(combined_event))?;
    submit(app, [operator()])?;
    submit(app, (0..sizes.orders).flat_map(holding))?;
    submit(app, (0..sizes.events).map(|index| bid(1 + index / ORDERS_OF_MAKER, index, 30)))?;
    let deeper = (0..DEEPER).flat_map(|level| {
        (0..sizes.orders).map(move |index| bid(1 + sizes.makers() + level, index, 31 + i64::from(level)))
    });
    submit(app, deeper)?;
    submit(app, (0..sizes.orders).map(trader_order))?;
    // Partial fills of every tenth order of the trader.
    submit(app, (0..sizes.orders).step_by(10).map(taker))?;
    submit(app, (0..sizes.watched).map(watch))?;
    submit(app, (0..sizes.resets).map(move |number| reset(sizes.people - 1 - number)))
}

/// Further levels in the markets of the trader.
const DEEPER: u32 = 4;

fn submit(app: &App, requests: impl IntoIterator<Item = Request>) -> Result<(), Problem> {
    let mut requests = requests.into_iter().peekable();
    while requests.peek().is_some() {
        let chunk: Vec<Request> = requests.by_ref().take(CHUNK).collect();
        for answer in app.writing().sequencer().submit_all_blocking(chunk)? {
            answer.result.map_err(|reject| format!("the venue cannot be created: {reject:?}"))?;
        }
    }
    Ok(())
}

fn system(command: Command) -> Request {
    Request { actor: Actor::System, idempotency: None, command }
}

fn by(trader: u32, command: Command) -> Request {
    Request { actor: actor(trader), idempotency: None, command }
}

fn plain_user(number: u32) -> Request {
    let id = user(number);
    system(Command::CreateUser(CreateUser {
        id,
        address: Hash32::of(&format!("user{number}@example.com")),
        tag: Text::from(format!("user{number}")),
        row: RowId::new(id.as_u128()),
        expires_at: Time::NEVER,
    }))
}

fn operator() -> Request {
    system(Command::CreateOperator(CreateOperator {
        id: OperatorId::new(1),
        name: Text::from("bench"),
        role: Role::Approver,
        token_hash: token_hash(TOKEN.as_bytes()),
    }))
}

pub const fn combined_id(index: u32) -> EventId {
    EventId::new(7 << 96 | index as u128)
}

fn combined_event(index: u32) -> [Request; 2] {
    let id = combined_id(index);
    let market = |place: u32| NewMarket {
        id: MarketId::new(8 << 96 | u128::from(index) << 32 | u128::from(place)),
        details: MarketDetails {
            title: Text::from(format!("Candidate {place} of election {index}")),
            rules: Text::from("The commission's final list decides."),
            ..MarketDetails::default()
        },
    };
    let new = NewEvent {
        id,
        slug: Text::from(format!("election-{index}")),
        kind: EventKind::Combined,
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails {
            title: Text::from(format!("Who wins election {index}?")),
            category: Text::from("politics"),
            ..EventDetails::default()
        },
        markets: (0..100).map(market).collect(),
        link: EventLink::None,
    };
    [system(Command::CreateEvent(new)), system(Command::OpenEvent(OpenEvent { event: id }))]
}

/// A position with shares of both outcomes.
fn holding(index: u32) -> [Request; 1] {
    [by(
        TRADER,
        Command::MintSets(MintSets {
            id: OperationId::new(u128::from(index) + 1),
            market: market(index),
            currency: Currency::Usd,
            amount: Money::whole(10),
        }),
    )]
}

fn limit(id: u128, index: u32, outcome_of: Outcome, price: i64, shares: i64) -> NewOrder {
    NewOrder {
        id: OrderId::new(id),
        outcome: outcome(index, outcome_of),
        side: Side::Buy,
        kind: OrderKind::Limit,
        currency: Currency::Usd,
        sizing: Sizing::Quantity(Shares::whole(shares)),
        price: Some(Price::clamp(price)),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

fn bid(maker: u32, index: u32, price: i64) -> Request {
    let id = (u128::from(maker) << 64) | (u128::from(index) + 1);
    by(maker, Command::PlaceOrder(limit(id, index, Outcome::Yes, price, 4)))
}

fn trader_order(index: u32) -> Request {
    let mut new = limit(9 << 96 | u128::from(index), index, Outcome::No, 40, 8);
    new.client_order_id = Some(Text::from(format!("order-{index}")));
    by(TRADER, Command::PlaceOrder(new))
}

/// Fills a part of the trader's order for NO at 0.40 by a buyer of YES at 0.60.
fn taker(index: u32) -> Request {
    by(1, Command::PlaceOrder(limit(10 << 96 | u128::from(index), index, Outcome::Yes, 60, 3)))
}

fn watch(index: u32) -> Request {
    by(
        TRADER,
        Command::SetWatchlist(SetWatchlist {
            event: load::venue::event(index * 7),
            watched: true,
            is_retired: false,
        }),
    )
}

fn reset(number: u32) -> Request {
    system(Command::RequestPasswordReset(RequestPasswordReset {
        user: user(number),
        token_hash: Hash32::of(&format!("reset {number}")),
        code: Text::from(format!("A{:05}", number % 100_000)),
        network: Hash32::of(&format!("network {number}")),
        address: None,
    }))
}
