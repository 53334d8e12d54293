//! Planted bugs for the checks of changes: a falsified report or a falsified memory fires exactly its rule.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::catalogue::{Engine, Instrument, Status};
use exchange::change::{Change, MatchType, OrderCause, Party, Settled, Trade};
use exchange::command::{
    CancelMarkets, CloseTrading, Command, FeesTo, GrowPool, MintSets, Request, Target, UpgradeRules,
};
use exchange::id::{EventId, MarketId, OperationId, OrderId, OutcomeId, UserId};
use exchange::idempotency::IdempotencyKey;
use exchange::identity::Actor;
use exchange::index::{ListingIndex, MarketIndex};
use exchange::numbers::{Cents, Currency, FeeRate, Money, Ppm, Price, Shares};
use exchange::order::{
    NewOrder, OrderKind, OrderRecord, OrderState, OrderStatus, Outcome, ReportedOrder, SelfTrade, Side,
    Sizing, TimeInForce,
};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use sim::adversary::Arena;
use sim::checks::{
    Before, CashBook, KeyBook, PriceBook, Totals, check_closed_prices, check_fills, check_last_trade,
    check_lifecycle, check_money, check_pool_trade, check_pools, check_replies, check_sets,
    check_settlements,
};
use sim::counts::Counts;
use sim::failure::Failure;
use sim::generator::{Generator, START};
use sim::harness::Harness;
use sim::random::Random;
use sim::run::run_journal;
use sim::shadow::{Open, Shadow, check_minimums};

fn rule(result: Result<(), Failure>) -> String {
    result.expect_err("a planted bug is noticed").rule
}

fn arena() -> Arena {
    Arena::new(&mut Random::new(7))
}

fn look(arena: &Arena) -> Before {
    let mut before = Before::default();
    before.look(&arena.exchange);
    before
}

fn request(command: Command) -> Request {
    Request { actor: Actor::System, idempotency: None, command }
}

fn price(cents: u8) -> Price {
    Price::new(cents).expect("a price")
}

/// The taker: BUY YES 10 @ 0.60, filled at 0.55 by the maker's SELL YES @ 0.55.
fn reported(record: OrderRecord) -> ReportedOrder {
    let instrument = Instrument {
        event: EventId::new(1),
        market: record.market,
        engine: Engine::Clob,
        outcomes: [OutcomeId::new(1), OutcomeId::new(2)],
        labels: ["YES".into(), "NO".into()],
    };
    ReportedOrder { record, instrument: instrument.into() }
}

fn taker() -> OrderRecord {
    OrderRecord {
        user: UserId::new(1),
        market: MarketId::new(1),
        currency: Currency::Usd,
        status: OrderStatus::Filled,
        terms: OrderState {
            id: OrderId::new(1),
            serial: 1,
            outcome: Outcome::Yes,
            side: Side::Buy,
            kind: OrderKind::Limit,
            time_in_force: TimeInForce::Gtc,
            post_only: false,
            self_trade: SelfTrade::Skip,
            price: Some(price(60)),
            fee_rate: FeeRate::new(200).expect("2 %"),
            amount: Money::whole(6),
            size: Shares::whole(10),
            filled: Shares::whole(10),
            value: Money::new(5_500_000),
            taker_value: Money::new(5_500_000),
            fee: Money::new(110_000),
            trades: 1,
            expires_at: None,
            created_at: START,
            updated_at: START,
            client_order_id: None,
        },
    }
}

fn trade() -> Trade {
    let party = |user: u128, side| Party {
        user: UserId::new(user),
        order: OrderId::new(user),
        outcome: Outcome::Yes,
        side,
        price: price(55),
        cost: Money::ZERO,
    };
    Trade {
        index: 0,
        market: MarketId::new(1),
        currency: Currency::Usd,
        match_type: MatchType::Direct,
        size: Shares::whole(10),
        taker: party(1, Side::Buy),
        maker: party(2, Side::Sell),
        taker_fee: Money::new(110_000),
        fee_rate: FeeRate::new(200).expect("2 %"),
    }
}

fn open_orders() -> BTreeMap<u128, Open> {
    let maker = Open {
        id: 2,
        user: 2,
        listing: ListingIndex::new(first_market(), Currency::Usd),
        outcome: Outcome::Yes,
        side: Side::Sell,
        price: 55,
        size: 100_000,
        filled: 0,
        taker_value: 0,
        fee: 0,
        fee_rate: FeeRate::ZERO,
        post_only: false,
        serial: 0,
    };
    BTreeMap::from([(2, maker)])
}

fn first_market() -> MarketIndex {
    arena().exchange.catalogue().markets().next().expect("a market").0
}

#[test]
fn a_true_report_of_a_fill_breaks_no_rule() {
    let changes =
        [Change::Trade(trade()), Change::Order { record: reported(taker()), cause: OrderCause::Placed }];
    assert_eq!(check_fills(&open_orders(), &changes), Ok(()));
}

#[test]
fn a_last_price_that_misses_the_last_trade_is_named() {
    let arena = arena();
    assert_eq!(check_last_trade(&arena.exchange, &[]), Ok(()));
    let missed = check_last_trade(&arena.exchange, &[Change::Trade(trade())]);
    assert_eq!(rule(missed), "a listing's last price is that of its last trade");
}

#[test]
fn a_falsified_report_of_a_fill_is_named_by_its_rule() {
    type Plant = fn(&mut Trade, &mut OrderRecord);
    let plants: [(&str, Plant); 10] = [
        ("8 no user trades with themselves", |trade, _| trade.maker.user = trade.taker.user),
        ("8 a fill executes at the maker's price", |trade, _| trade.maker.price = price(54)),
        ("8 the two parties of a trade fit its match type", |trade, _| trade.taker.price = price(56)),
        ("8 the two parties of a trade fit its match type", |trade, _| trade.match_type = MatchType::Mint),
        ("8 a fill is never worse than the limit", |_, record| record.terms.price = Some(price(54))),
        ("8 postOnly never takes", |_, record| record.terms.post_only = true),
        ("8 FOK fills whole or not at all", |_, record| {
            record.terms.time_in_force = TimeInForce::Fok;
            record.terms.size = Shares::whole(11);
        }),
        ("9 an order's sizes fit its status", |_, record| record.status = OrderStatus::PartialFilled),
        ("9 an order's sizes fit its status", |_, record| {
            record.terms.time_in_force = TimeInForce::Fak;
            record.terms.size = Shares::whole(11);
            record.status = OrderStatus::PartialFilled;
        }),
        ("11 an order's fee is the rate on all it took, rounded up", |_, record| {
            record.terms.fee = Money::new(109_999);
        }),
    ];
    for (name, plant) in plants {
        let (mut trade, mut record) = (trade(), taker());
        plant(&mut trade, &mut record);
        let order = Change::Order { record: reported(record), cause: OrderCause::Placed };
        let changes = [Change::Trade(trade), order];
        assert_eq!(rule(check_fills(&open_orders(), &changes)), name);
    }
}

#[test]
fn an_order_that_is_answered_and_not_reported_is_named() {
    let answer = Ok(Reply::Order(reported(taker())));
    let reported = [Change::Order { record: reported(taker()), cause: OrderCause::Placed }];
    assert_eq!(check_replies(&answer, &reported), Ok(()));
    assert_eq!(rule(check_replies(&answer, &[])), "14 every order that is answered is reported");
}

#[test]
fn a_replay_of_what_was_never_sent_is_named() {
    let arena = arena();
    let key = IdempotencyKey { scope: 1, scope_low: 2, body: 3, window: None };
    let sent = Request { idempotency: Some(key), ..request(Command::Tick) };
    let mut keys = KeyBook::default();
    let name = "14 a repeated key is answered from memory, a new one is not";
    assert_eq!(rule(keys.follow(&arena.exchange, &sent, &Ok(Reply::Replayed { seq: 5 }))), name);
    assert_eq!(keys.follow(&arena.exchange, &sent, &Ok(Reply::Done)), Ok(()));
    assert_eq!(rule(keys.follow(&arena.exchange, &sent, &Ok(Reply::Done))), name, "it was carried out twice");
    let seq = arena.exchange.seq();
    assert_eq!(keys.follow(&arena.exchange, &sent, &Ok(Reply::Replayed { seq })), Ok(()));
}

#[test]
fn a_status_off_the_table_or_unreported_is_named() {
    let arena = arena();
    let market = MarketId::new(1);
    let mut before = look(&arena);
    assert_eq!(check_lifecycle(&before, &arena.exchange, &[]), Ok(()));
    let jump = [Change::MarketStatus { market, status: Status::Resolved }];
    let off_the_table = "9 statuses move by the table, and final is final";
    assert_eq!(rule(check_lifecycle(&before, &arena.exchange, &jump)), off_the_table);
    before.markets.insert(first_market(), Status::Paused);
    assert_eq!(rule(check_lifecycle(&before, &arena.exchange, &[])), "9 every move of a status is reported");
    let mut before = look(&arena);
    let first_event = *before.events.keys().next().expect("an event");
    before.events.insert(first_event, Status::Cancelled);
    assert_eq!(rule(check_lifecycle(&before, &arena.exchange, &[])), off_the_table);
}

#[test]
fn a_closed_market_whose_price_moves_is_named() {
    let mut arena = arena();
    let open = look(&arena);
    let close = request(Command::CloseTrading(CloseTrading { target: Target::Market(MarketId::new(1)) }));
    arena.exchange.apply(arena.now, &close).expect("a request of this build").expect("a close");
    let name = "12 a closed market shows the price that it was closed at";
    let listing = ListingIndex::new(first_market(), Currency::Usd);
    let closed = look(&arena);
    for before in [open, closed] {
        let check = |before: &Before| check_closed_prices(before, &arena.exchange, arena.exchange.changes());
        assert_eq!(check(&before), Ok(()));
        let mut moved = before.clone();
        moved.prices.insert(listing, Ppm::new(before.prices[&listing].units() + 1));
        assert_eq!(rule(check(&moved)), name);
    }
}

#[test]
fn money_that_moves_wrongly_is_named() {
    let arena = arena();
    let before = look(&arena);
    assert_eq!(check_money(&before, &arena.exchange, &[]), Ok(()));
    let mut poorer = look(&arena);
    poorer.deposited[1] -= Money::new(1);
    let apart = "6 money of a currency comes and goes by credits and debits alone";
    assert_eq!(rule(check_money(&poorer, &arena.exchange, &[])), apart);
    let mut richer = look(&arena);
    richer.fees[0] += Money::new(1);
    let fees = "6 fees leave as reported and otherwise only come in";
    assert_eq!(rule(check_money(&richer, &arena.exchange, &[])), fees);
    let moved = |to| Change::FeesMoved {
        currency: Currency::Usd,
        amount: Money::new(1),
        to,
        reference: Text::from("fees"),
    };
    assert_eq!(check_money(&richer, &arena.exchange, &[moved(FeesTo::House)]), Ok(()));
    assert_eq!(rule(check_money(&before, &arena.exchange, &[moved(FeesTo::House)])), fees);
    assert_eq!(rule(check_money(&richer, &arena.exchange, &[moved(FeesTo::Outside)])), apart);
    let mut totals = Totals::of(&arena.exchange, Currency::Usd);
    assert_eq!(totals.check(), Ok(()));
    totals.fees += Money::new(1);
    assert_eq!(rule(totals.check()), "1 the accounts of a currency sum to zero");
    // A settlement without payouts, though the makers' sets were backed.
    let unpaid = [Change::MarketStatus { market: MarketId::new(1), status: Status::Cancelled }];
    let payouts = "5 the payouts of a settlement are its collateral";
    assert_eq!(rule(check_money(&before, &arena.exchange, &unpaid)), payouts);
}

#[test]
fn a_share_that_pays_something_else_than_decided_is_named() {
    let settled = Settled {
        user: UserId::new(1),
        market: MarketId::new(1),
        currency: Currency::Ngn,
        yes: Shares::whole(2),
        no: Shares::whole(1),
        yes_pays: Cents::HALF,
        payout: Money::whole(150),
        yes_cost: Money::ZERO,
        no_cost: Money::ZERO,
        trade_result: Money::ZERO,
        is_refund: true,
    };
    let cancel = |yes| {
        request(Command::CancelMarkets(CancelMarkets { target: Target::Market(MarketId::new(1)), yes }))
    };
    let name = "5 a settled share pays what was decided";
    let exchange = Exchange::new();
    let check = |request: Request, settled| {
        check_settlements(&Before::default(), &exchange, &request, &[Change::Settled(settled)])
    };
    assert_eq!(check(cancel(Cents::HALF), settled), Ok(()));
    assert_eq!(rule(check(cancel(Cents::WHOLE), settled)), name);
    let short = Settled { payout: Money::new(149_999_999), ..settled };
    assert_eq!(rule(check(cancel(Cents::HALF), short)), name);
}

#[test]
fn sets_that_move_a_price_are_named() {
    let arena = arena();
    let (id, market) = (OperationId::new(1), MarketId::new(1));
    let mint =
        request(Command::MintSets(MintSets { id, market, currency: Currency::Usd, amount: Money::whole(1) }));
    let mut before = look(&arena);
    assert_eq!(check_sets(&before, &arena.exchange, &mint, &Ok(Reply::Done)), Ok(()));
    before.prices.insert(ListingIndex::new(first_market(), Currency::Usd), Ppm::ZERO);
    let name = "6 mint and burn change no price and no reserve";
    assert_eq!(rule(check_sets(&before, &arena.exchange, &mint, &Ok(Reply::Done))), name);
}

#[test]
fn a_pool_that_loses_or_moves_by_itself_is_named() {
    let arena = arena();
    let mut before = look(&arena);
    let pool = before.pools.values_mut().next().expect("a pool");
    pool.yes += Shares::new(1);
    let grow = request(Command::GrowPool(GrowPool {
        market: MarketId::new(3),
        currency: Currency::Usd,
        amount: Money::whole(1),
        between: None,
    }));
    let fallen = check_pools(&before, &arena.exchange, &grow, &Ok(Reply::Done));
    assert_eq!(rule(fallen), "10 a pool's product never falls");
    let moved = check_pools(&before, &arena.exchange, &request(Command::Tick), &Ok(Reply::Done));
    assert_eq!(rule(moved), "10 only trades and the house move a pool");
}

#[test]
fn money_from_nowhere_breaks_the_cash_identity() {
    let mut arena = arena();
    let (id, market) = (OperationId::new(1), MarketId::new(1));
    let mint = Command::MintSets(MintSets { id, market, currency: Currency::Usd, amount: Money::whole(1) });
    arena.exchange.apply(arena.now, &arena.request(mint)).expect("a request of this build").expect("a mint");
    let name = "cash paid less cash received is cost less result";
    assert_eq!(rule(CashBook::default().follow(&arena.exchange)), name);
}

#[test]
fn a_queue_that_the_naive_book_does_not_have_is_named() {
    let arena = arena();
    let name = "7 the quick book and the naive book are the same";
    assert_eq!(rule(Shadow::default().compare_queues(&arena.exchange)), name);
}

#[test]
fn a_journal_that_lost_a_request_does_not_replay() {
    let mut harness = day(3, 60);
    assert_eq!(harness.replay(), Ok(()));
    assert_eq!(run_journal(&harness.journal), Ok(()));
    harness.journal.pop();
    assert_eq!(rule(harness.replay()), "13 the journal replays to the same digest");
}

#[test]
fn a_panic_becomes_a_failure_with_its_message() {
    let failure =
        sim::run::catch::<()>(|| panic!("a posting balances to zero: by 1")).expect_err("it failed");
    assert_eq!(failure.rule, "panic: a posting balances to zero");
}

#[test]
fn an_order_that_is_wrongly_taken_or_refused_for_its_size_is_named() {
    let mut arena = arena();
    let sale = NewOrder {
        id: OrderId::new(5),
        outcome: OutcomeId::of(MarketId::new(1), Outcome::Yes as u64),
        side: Side::Sell,
        kind: OrderKind::Limit,
        currency: Currency::Usd,
        sizing: Sizing::Quantity(Shares::new(1)),
        price: Some(price(60)),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    };
    let taken = Ok(Reply::Order(reported(taker())));
    let (side, currency, minimum) = (Side::Sell, Currency::Usd, Money::whole(1));
    let refused = Err(Reject::BelowMinimum { side, currency, minimum });
    let check = |arena: &Arena, order: &NewOrder, result: &Result<Reply, Reject>| {
        let sent = arena.request(Command::PlaceOrder(order.clone()));
        check_minimums(&arena.exchange, &BTreeMap::new(), &sent, result, &mut Counts::default())
    };
    let name = "an order is refused as too small exactly when it is below the minimum";
    assert_eq!(check(&arena, &sale, &taken), Ok(()), "the first rules have no minimum here");
    assert_eq!(rule(check(&arena, &sale, &refused)), name);
    let upgrade = request(Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION }));
    arena.exchange.apply(arena.now, &upgrade).expect("a request of this build").expect("newer rules");
    assert_eq!(check(&arena, &sale, &refused), Ok(()));
    assert_eq!(rule(check(&arena, &sale, &taken)), name);
    let leaving = NewOrder { time_in_force: Some(TimeInForce::Fak), ..sale };
    assert_eq!(check(&arena, &leaving, &taken), Ok(()));
    assert_eq!(rule(check(&arena, &leaving, &refused)), name);
}

#[test]
fn a_pool_trade_that_is_a_unit_off_is_named() {
    let mut arena = arena();
    let mut before = look(&arena);
    let order = NewOrder {
        id: OrderId::new(5),
        outcome: OutcomeId::of(MarketId::new(3), Outcome::Yes as u64),
        side: Side::Buy,
        kind: OrderKind::Market,
        currency: Currency::Usd,
        sizing: Sizing::Amount(Money::whole(1)),
        price: None,
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    };
    let sent = arena.request(Command::PlaceOrder(order));
    let result = arena.exchange.apply(arena.now, &sent).expect("a request of this build");
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(check_pool_trade(&before, &arena.exchange, &sent, &result), Ok(()));
    let pool = before.pools.values_mut().next().expect("a pool");
    pool.no += Shares::new(1);
    let name = "10 a pool trade is exact to the unit";
    assert_eq!(rule(check_pool_trade(&before, &arena.exchange, &sent, &result)), name);
}

/// The journal of a short random day.
fn day(seed: u64, commands: usize) -> Harness {
    let (mut harness, mut generator) = (Harness::default(), Generator::new(seed));
    for _ in 0..commands {
        let (at, request) = generator.next(&harness.exchange, &harness.shadow);
        let result = harness.step(at, &request).expect("a sound day");
        generator.learn(&request, &result);
    }
    harness
}

#[test]
fn a_boundary_value_that_was_never_recorded_is_named() {
    let has_value = |change: &Change| matches!(change, Change::SeriesBoundary { value: Some(_), .. });
    let is_price = |change: &Change| matches!(change, Change::PriceRecorded { .. });
    for seed in 1..30 {
        let mut exchange = Exchange::new();
        for (at, request) in &day(seed, 800).journal {
            // Refused or not, only the effects of the clock count.
            let _ = exchange.apply(*at, request).expect("a request of this build");
            let changes = exchange.changes();
            if changes.iter().any(has_value) && !changes.iter().any(is_price) {
                let name = "a boundary's value is the last fresh price at or before it";
                assert_eq!(rule(PriceBook::default().follow(&exchange, request)), name);
                return;
            }
        }
    }
    panic!("no boundary came with a value");
}
