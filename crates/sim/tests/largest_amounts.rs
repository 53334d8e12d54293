//! The largest amounts that the rules allow, again and again: nothing in `apply` overflows, and totals over a lifetime
//! stop at the end of their range. docs/arithmetic.md, "Bounds", has the reasons.

use exchange::command::{
    BurnSets, CancelAllOrders, CloseTrading, Command, CreditWallet, MintSets, Request, ResolveMarket,
    SetMarketTerms, Target,
};
use exchange::id::{KeyId, MarketId, OperationId, OrderId, OutcomeId, UserId};
use exchange::identity::Actor;
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::{Exchange, invariants};
use sim::adversary::{Arena, BOOKS, POOLS};
use sim::random::Random;

const NGN: Currency = Currency::Ngn;
/// The largest order at 0.99 NGN: its value is just below `Money::ORDER_MAX`.
const LARGEST: Shares = Shares::new(101_010_101_010);

struct Giants {
    arena: Arena,
    number: u128,
}

impl Giants {
    /// Three makers who own all the money that the rules allow.
    fn new(seed: u64) -> Giants {
        let mut giants = Giants { arena: Arena::new(&mut Random::new(seed)), number: 1_000_000 };
        for currency in Currency::ALL {
            let mut user = 0;
            loop {
                user = user % 3 + 1;
                let credit = Command::CreditWallet(CreditWallet {
                    user: UserId::new(user),
                    currency,
                    amount: Money::ORDER_MAX,
                    reference: Text::from(format!("giant {}", giants.next())),
                });
                match giants.give(Actor::System, credit) {
                    Ok(_) => {}
                    Err(Reject::TotalTooLarge) => break,
                    Err(reject) => panic!("a credit of the largest amount: {reject:?}"),
                }
            }
        }
        for market in BOOKS.map(MarketId::new) {
            let order_min = PerCurrency { usd: Money::whole(1), ngn: Money::whole(100) };
            let terms = SetMarketTerms { market, fee_rate: FeeRate::ZERO, order_min };
            giants.give(Actor::System, Command::SetMarketTerms(terms)).expect("a market without a fee");
        }
        giants
    }

    fn next(&mut self) -> u128 {
        self.number += 1;
        self.number
    }

    fn give(&mut self, actor: Actor, command: Command) -> Result<Reply, Reject> {
        let request = Request { actor, idempotency: None, command };
        self.arena.exchange.apply(self.arena.now, &request).expect("a request of this build")
    }

    fn order(&mut self, market: u128, side: Side, kind: OrderKind, sizing: Sizing, cents: i64) -> NewOrder {
        NewOrder {
            id: OrderId::new(self.next()),
            outcome: OutcomeId::of(MarketId::new(market), Outcome::Yes as u64),
            side,
            kind,
            currency: NGN,
            sizing,
            price: (kind == OrderKind::Limit).then(|| Price::clamp(cents)),
            time_in_force: None,
            post_only: false,
            self_trade: SelfTrade::CancelOldest,
            max_slippage: None,
            expires_at: None,
            client_order_id: None,
            path: None,
        }
    }

    /// `seller` rests an ask, `buyer` takes it.
    fn trade(&mut self, market: u128, buyer: u128, seller: u128, cents: i64) {
        for (user, side) in [(seller, Side::Sell), (buyer, Side::Buy)] {
            let order = self.order(market, side, OrderKind::Limit, Sizing::Quantity(LARGEST), cents);
            self.give(key(user), Command::PlaceOrder(order)).expect("an order of the largest amount");
        }
    }

    fn clear(&mut self) {
        for user in [1, 2, 3] {
            let all = CancelAllOrders { event: None, market: None, currency: None };
            self.give(key(user), Command::CancelAllOrders(all)).expect("a cancel of all orders");
        }
    }

    fn check(&self) {
        invariants::check_all(&self.arena.exchange).unwrap_or_else(|broken| panic!("{broken}"));
    }
}

fn key(user: u128) -> Actor {
    Actor::Key { key: KeyId::new(user), generation: 0 }
}

fn listing(exchange: &Exchange, market: u128) -> ListingIndex {
    let market = exchange.catalogue().find_market(MarketId::new(market)).expect("a market of the arena");
    ListingIndex::new(market, NGN)
}

fn realised(exchange: &Exchange, user: u128, market: u128) -> Money {
    let user: UserIndex = exchange.directory().find(UserId::new(user)).expect("a maker");
    exchange.position(user, listing(exchange, market)).expect("a position").yes.realised
}

/// Two accounts pass the largest amount back and forth: one loses on the first market what it wins on the second. A sum in 64
/// bits, which is how volumes and results were counted, leaves its range.
#[test]
fn totals_over_a_lifetime_stop_at_the_end_of_their_range() {
    let mut giants = Giants::new(1);
    giants.clear();
    for (user, market) in [(1, 1), (1, 1), (2, 2), (2, 2)] {
        let (id, market) = (OperationId::new(giants.next()), MarketId::new(market));
        let mint = MintSets { id, market, currency: NGN, amount: Money::ORDER_MAX };
        giants.give(key(user), Command::MintSets(mint)).expect("the largest mint");
    }
    let value = LARGEST.value_at(Price::clamp(99).into(), NGN).units();
    let mut plain = Some(0_i64);
    let mut rounds = 0;
    while rounds < 9_600 {
        // 2 buys dear from 1 and sells cheap; on the other market the roles change.
        giants.trade(1, 2, 1, 99);
        giants.trade(1, 1, 2, 1);
        giants.trade(2, 1, 2, 99);
        giants.trade(2, 2, 1, 1);
        plain = plain.and_then(|sum| sum.checked_add(value));
        rounds += 1;
        if rounds % 2_000 == 0 {
            giants.check();
        }
    }
    assert_eq!(plain, None, "a plain sum of the traded values has left its range");
    let exchange = &giants.arena.exchange;
    let most = Money::new(i64::MAX);
    assert_eq!(exchange.catalogue().listing(listing(exchange, 1)).volume, most);
    assert_eq!(realised(exchange, 2, 1), Money::new(i64::MIN), "the result of the losing user");
    giants.check();
    let close = CloseTrading { target: Target::Market(MarketId::new(1)) };
    giants.give(Actor::System, Command::CloseTrading(close)).expect("a close");
    let resolve = ResolveMarket { market: MarketId::new(1), outcome: Outcome::Yes };
    giants.give(Actor::System, Command::ResolveMarket(resolve)).expect("a settlement");
    giants.check();
}

/// Random commands with amounts from both ends of the allowed range, by users who own all the money that can exist.
#[test]
fn random_commands_at_the_largest_amounts_overflow_nothing() {
    for seed in 1..=4 {
        let (mut giants, mut random) = (Giants::new(seed), Random::new(seed));
        let mut accepted = 0;
        for step in 0..4_000 {
            let user = 1 + random.below(3) as u128;
            let market = random.one_of([BOOKS[0], BOOKS[1], POOLS[0], POOLS[1]]);
            let command = choose(&mut giants, &mut random, market);
            accepted += u32::from(giants.give(key(user), command).is_ok());
            if step % 500 == 0 {
                giants.check();
            }
        }
        giants.check();
        assert!(accepted > 1_000, "{accepted} of the commands of seed {seed} were accepted");
    }
}

fn choose(giants: &mut Giants, random: &mut Random, market: u128) -> Command {
    let amount = Money::new(Money::ORDER_MAX.units() - random.between(0, 1));
    let id = OperationId::new(giants.next());
    match random.below(12) {
        0 | 1 => Command::MintSets(MintSets { id, market: MarketId::new(market), currency: NGN, amount }),
        2 => Command::BurnSets(BurnSets { id, market: MarketId::new(market), currency: NGN, amount }),
        3 => Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency: None }),
        _ => {
            let side = random.one_of([Side::Buy, Side::Sell]);
            let kind = random.one_of([OrderKind::Limit, OrderKind::Limit, OrderKind::Market]);
            let sizing = random.one_of([
                Sizing::Amount(amount),
                Sizing::Quantity(LARGEST),
                Sizing::Quantity(Shares::ORDER_MAX),
                Sizing::Quantity(Shares::new(1)),
            ]);
            let cents = random.one_of([1, 1, 50, 99, 99]);
            Command::PlaceOrder(giants.order(market, side, kind, sizing, cents))
        }
    }
}
