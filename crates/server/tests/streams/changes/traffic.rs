//! Random trading for the checker: two users, a book and a pool in both currencies, and everything that can happen to them.

use exchange::Request;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    AmendOrders, BurnSets, CancelAfter, CancelAllOrders, CancelMarkets, CancelOrder, CancelOrders,
    ChangeTerms, CloseTrading, Command, CreditWallet, Finalise, MintSets, OpenEvent, PauseTrading,
    PlaceOrders, Propose, ResolveMarket, ResumeTrading, SeedPool, Target, Withdraw,
};
use exchange::governance::{Evidence, Ruling, Subject, Verdict};
use exchange::id::{EventId, KeyId, MarketId, OperationId, OrderId, OutcomeId, ProposalId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Cents, Currency, FeeRate, Money, PerCurrency, Price, Shares};
use exchange::order::{Amendment, Item, NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use exchange::text::Text;
use exchange::time::Span;
use fastrand::Rng;
use server::app::App;
use server::view::orders::open_orders;
use stage::node::{Stage, User};
use uuid::Uuid;

/// One run's users and markets.
pub struct World {
    pub users: [User; 2],
    pub event: Uuid,
    pub book: MarketId,
    pub pool_event: Uuid,
    pub pool: MarketId,
    references: u64,
}

fn new_id() -> u128 {
    Uuid::now_v7().as_u128()
}

fn pick<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.usize(..choices.len())]
}

impl World {
    pub async fn build(stage: &Stage, name: &str) -> World {
        let users = [stage.join(&format!("a{name}")).await, stage.join(&format!("b{name}")).await];
        let (event, book) = create(stage, &format!("book-{name}"), Engine::Clob).await;
        let (pool_event, pool) = create(stage, &format!("pool-{name}"), Engine::Amm).await;
        World { users, event, book, pool_event, pool, references: 0 }
    }

    /// A random request of a user, sensible or not.
    pub fn request(&mut self, app: &App, rng: &mut Rng) -> Request {
        let user = rng.usize(..2);
        let command = match rng.u8(..100) {
            0..34 => Command::PlaceOrder(self.order(app, rng, self.book)),
            34..46 => Command::PlaceOrder(self.order(app, rng, self.pool)),
            46..50 => {
                let items = (0..rng.usize(1..5)).map(|_| Item::Valid(self.order(app, rng, self.book)));
                Command::PlaceOrders(PlaceOrders { items: items.collect() })
            }
            50..58 => self.cancel(app, rng, user),
            58..70 => self.amend(app, rng, user),
            70..78 => {
                let (id, amount) = (OperationId::new(new_id()), Money::whole(rng.i64(1..30)));
                Command::MintSets(MintSets {
                    id,
                    market: self.book,
                    currency: pick(rng, &Currency::ALL),
                    amount,
                })
            }
            78..83 => {
                let (id, amount) = (OperationId::new(new_id()), Money::whole(rng.i64(1..10)));
                Command::BurnSets(BurnSets {
                    id,
                    market: self.book,
                    currency: pick(rng, &Currency::ALL),
                    amount,
                })
            }
            83..86 => Command::CancelAfter(CancelAfter { seconds: rng.u32(0..3) }),
            _ => return Request { actor: Actor::System, idempotency: None, command: self.operate(app, rng) },
        };
        Request { actor: self.actor(app, user), idempotency: None, command }
    }

    fn actor(&self, app: &App, user: usize) -> Actor {
        let key = KeyId::new(self.users[user].key.id.as_u128());
        let exchange = app.reading().state();
        let directory = exchange.directory();
        let owner = directory.find_by_key(key).map(|owner| directory.user(owner));
        let generation = owner.and_then(|owner| owner.keys.iter().find(|held| held.id == key));
        Actor::Key { key, generation: generation.map_or(0, |held| held.generation) }
    }

    fn order(&self, app: &App, rng: &mut Rng, market: MarketId) -> NewOrder {
        let kind = if rng.u8(..4) == 0 { OrderKind::Market } else { OrderKind::Limit };
        let tif = match (kind, rng.u8(..10)) {
            (_, 0) => Some(TimeInForce::Fak),
            (_, 1) => Some(TimeInForce::Fok),
            (OrderKind::Limit, 2) => Some(TimeInForce::Gtd),
            _ => None,
        };
        let currency = pick(rng, &[Currency::Usd, Currency::Usd, Currency::Ngn]);
        let whole = rng.i64(1..40) * if currency == Currency::Ngn { 100 } else { 1 };
        let by_quantity = rng.bool();
        NewOrder {
            id: OrderId::new(new_id()),
            outcome: OutcomeId::of(market, u64::from(rng.bool())),
            side: if rng.u8(..3) == 0 { Side::Sell } else { Side::Buy },
            kind,
            currency,
            sizing: if by_quantity {
                Sizing::Quantity(Shares::new(rng.i64(10_000..400_000)))
            } else {
                Sizing::Amount(Money::whole(whole))
            },
            // Few prices, so that orders match.
            price: (kind == OrderKind::Limit).then(|| Price::new(rng.u8(35..66)).expect("a price")),
            time_in_force: tif,
            post_only: kind == OrderKind::Limit && tif.is_none() && rng.u8(..8) == 0,
            self_trade: pick(
                rng,
                &[SelfTrade::Skip, SelfTrade::CancelOldest, SelfTrade::CancelNewest, SelfTrade::CancelBoth],
            ),
            max_slippage: None,
            expires_at: (tif == Some(TimeInForce::Gtd)).then(|| app.now() + Span::seconds(rng.i64(1..6))),
            client_order_id: (rng.u8(..5) == 0).then(|| Text::from(format!("c{}", rng.u32(..)))),
            path: None,
        }
    }

    /// One of the user's open orders; now and then another user's.
    fn open(&self, app: &App, rng: &mut Rng, user: usize) -> OrderId {
        let exchange = app.reading().state();
        let id = UserId::new(self.users[user].id.as_u128());
        let index = exchange.directory().find(id).expect("a user");
        let open: Vec<OrderId> = open_orders(&exchange, index).map(|order| order.terms.id).collect();
        if open.is_empty() { OrderId::new(new_id()) } else { pick(rng, &open) }
    }

    fn cancel(&self, app: &App, rng: &mut Rng, user: usize) -> Command {
        match rng.u8(..5) {
            0 => {
                let orders = (0..3).map(|_| self.open(app, rng, user)).collect();
                Command::CancelOrders(CancelOrders { orders })
            }
            1 if rng.u8(..4) == 0 => {
                let currency = rng.bool().then_some(Currency::Ngn);
                Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency })
            }
            _ => Command::CancelOrder(CancelOrder { order: self.open(app, rng, user) }),
        }
    }

    fn amend(&self, app: &App, rng: &mut Rng, user: usize) -> Command {
        let amendment = |rng: &mut Rng| {
            Item::Valid(Amendment {
                order: self.open(app, rng, user),
                new_price: rng.bool().then(|| Price::new(rng.u8(35..66)).expect("a price")),
                new_size: rng.bool().then(|| Shares::new(rng.i64(10_000..400_000))),
            })
        };
        Command::AmendOrders(AmendOrders { items: (0..rng.usize(1..4)).map(|_| amendment(rng)).collect() })
    }

    /// Commands of operators; the ends of markets are rare.
    fn operate(&mut self, app: &App, rng: &mut Rng) -> Command {
        let market = if rng.u8(..4) == 0 { self.pool } else { self.book };
        let target = Target::Market(market);
        let outcome = if rng.bool() { Outcome::Yes } else { Outcome::No };
        match rng.u8(..80) {
            0..5 => Command::PauseTrading(PauseTrading { target }),
            5..30 => Command::ResumeTrading(ResumeTrading { target }),
            30..38 => self.propose(rng, outcome),
            38..44 => match self.proposal(app) {
                Some(proposal) if rng.u8(..8) == 0 => Command::Finalise(Finalise { proposal }),
                Some(proposal) => Command::Withdraw(Withdraw { proposal, reason: Text::from("not yet") }),
                None => Command::Tick,
            },
            44 => Command::CloseTrading(CloseTrading { target }),
            45..48 => Command::ResolveMarket(ResolveMarket { market, outcome }),
            48 if rng.bool() => Command::CancelMarkets(CancelMarkets {
                target,
                yes: Cents::new(rng.u8(..=100)).expect("cents"),
            }),
            49..70 => {
                self.references += 1;
                let (user, currency) = (&self.users[rng.usize(..2)], pick(rng, &Currency::ALL));
                let reference = Text::from(format!("{} {}", user.id, self.references));
                let (user, amount) = (UserId::new(user.id.as_u128()), Money::whole(rng.i64(100..10_000)));
                Command::CreditWallet(CreditWallet { user, currency, amount, reference })
            }
            // A higher fee or minimum is announced, and another change may take it back.
            70..76 => {
                let fee_rate = FeeRate::new(pick(rng, &[0, 200, 500]));
                let usd = rng.bool().then(|| Money::whole(rng.i64(1..4)));
                let order_min = PerCurrency { usd, ngn: None };
                Command::ChangeTerms(ChangeTerms { market, fee_rate, order_min })
            }
            _ => Command::Tick,
        }
    }

    fn propose(&self, rng: &mut Rng, outcome: Outcome) -> Command {
        let (event, market) = if rng.bool() { (self.event, self.book) } else { (self.pool_event, self.pool) };
        let verdict = if rng.bool() {
            Verdict::Outcomes(vec![Ruling { market, outcome }])
        } else {
            Verdict::Cancelled { yes: Cents::new(rng.u8(..=100)).expect("cents") }
        };
        let subject = Subject::Resolution { event: EventId::new(event.as_u128()), verdict };
        let evidence = Evidence { text: Text::from("the papers say so"), link: Text::default() };
        Command::Propose(Propose { id: ProposalId::new(new_id()), subject, evidence })
    }

    fn proposal(&self, app: &App) -> Option<ProposalId> {
        let exchange = app.reading().state();
        let pending = |event: Uuid| exchange.governance().proposal_for(EventId::new(event.as_u128()));
        pending(self.event).or_else(|| pending(self.pool_event)).map(|proposal| proposal.id)
    }
}

async fn create(stage: &Stage, slug: &str, engine: Engine) -> (Uuid, MarketId) {
    let (event, market) = (Uuid::now_v7(), MarketId::new(new_id()));
    let id = EventId::new(event.as_u128());
    let details = MarketDetails {
        title: Text::from(slug),
        fee_rate: FeeRate::new(200).expect("two percent"),
        ..MarketDetails::default()
    };
    let title = Text::from(slug);
    let new = NewEvent {
        id,
        slug: title.clone(),
        kind: EventKind::Single,
        engine,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails { title, category: Text::from("tests"), ..EventDetails::default() },
        markets: vec![NewMarket { id: market, details }],
        link: EventLink::None,
    };
    stage.operate(Command::CreateEvent(new)).await;
    if engine == Engine::Amm {
        for (currency, amount) in [(Currency::Usd, 500), (Currency::Ngn, 50_000)] {
            let amount = Money::whole(amount);
            let reference = Text::from(format!("{slug} {}", currency.code()));
            let credit = Command::CreditWallet(CreditWallet {
                user: exchange::Exchange::HOUSE,
                currency,
                amount,
                reference,
            });
            stage.operate(credit).await;
            let price = Price::new(50).expect("a price");
            stage.operate(Command::SeedPool(SeedPool { market, currency, amount, price })).await;
        }
    }
    stage.operate(Command::OpenEvent(OpenEvent { event: id })).await;
    (event, market)
}

/// The time until the next request.
pub fn pass_time(stage: &Stage, rng: &mut Rng) {
    stage.clock.advance_micros(rng.i64(300_000..1_500_000));
}
