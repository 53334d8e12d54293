//! Encoded states: they round-trip, encode to the same bytes again, continue alike, and junk never causes a panic.

use exchange::Exchange;
use exchange::codec::{CodecError, decode_snapshot, encode_snapshot};
use exchange::command::{
    AmendOrders, CancelAllOrders, CancelOrder, CloseTrading, Command, CreateOperator, CreditWallet, MintSets,
    OpenOperatorSession, RecordMasterKey, RecordPrice, Request, RequestPasswordReset, ResetPassword,
    ResolveMarket, SetWatchlist, StartLogin,
};
use exchange::id::{Hash32, OperatorId, OrderId, RowId, UserId};
use exchange::idempotency::{IdempotencyKey, KeyWindow};
use exchange::identity::{Actor, LoginScope, Role};
use exchange::invariants;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Amendment, Item, NewOrder, Outcome, Side, TimeInForce};
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::samples::{every_command, new_series, sports, stage};
use crate::rules::world::{START, World, event_of, id, key_of, limit, market_id, market_order, price};

/// A long day: both engines, both currencies, amends, watchlists, sessions, resets, a series, a game.
fn busy_world() -> World {
    let mut world = stage();
    world.wait(Span::seconds(7));
    let gtd = NewOrder {
        time_in_force: Some(TimeInForce::Gtd),
        expires_at: Some(world.now + Span::hours(2)),
        client_order_id: Some(Text::from("mine")),
        ..limit("gtd", "rain", Outcome::No, Side::Buy, Shares::whole(20), 35)
    };
    let naira = NewOrder {
        currency: Currency::Ngn,
        ..limit("naira", "rain", Outcome::Yes, Side::Buy, Shares::whole(15), 20)
    };
    world.mint("bob", "rain", Currency::Usd, Money::whole(50)).expect("a mint");
    let orders = [
        ("alice", limit("bid 1", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40)),
        ("alice", limit("bid 2", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 41)),
        ("bob", limit("bid 3", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40)),
        ("alice", gtd),
        ("alice", naira),
        ("bob", limit("ask 1", "rain", Outcome::Yes, Side::Sell, Shares::whole(10), 70)),
        ("bob", limit("ask 2", "rain", Outcome::No, Side::Sell, Shares::whole(5), 65)),
        ("bob", market_order("take", "rain", Outcome::Yes, Side::Sell, Money::whole(3))),
        ("bob", market_order("pool", "snow", Outcome::Yes, Side::Buy, Money::whole(30))),
    ];
    for (user, order) in orders {
        world.wait(Span::seconds(1));
        world.place(user, order).expect("an order");
    }
    // The oldest bid moves to the tail of a level: its queue position no longer follows from its creation.
    let amend =
        Amendment { order: OrderId::new(id("bid 1")), new_price: None, new_size: Some(Shares::whole(30)) };
    world
        .by("alice", Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amend)] }))
        .expect("an amend");
    more_of_everything(&mut world);
    world
}

fn page_login() -> Command {
    let (address, address_on_network) = (Hash32::of("alice"), Hash32::of("alice at home"));
    Command::StartLogin(StartLogin { scope: LoginScope::Page { address, address_on_network } })
}

fn more_of_everything(world: &mut World) {
    let commands = [
        Command::StartLogin(StartLogin { scope: LoginScope::Api { address: Hash32::of("alice") } }),
        page_login(),
        Command::StartLogin(StartLogin {
            scope: LoginScope::Device { address_on_device: Hash32::of("her phone") },
        }),
        Command::RequestPasswordReset(RequestPasswordReset {
            user: UserId::new(id("bob")),
            token_hash: Hash32::of("reset"),
            code: Text::from("AB12CD"),
            network: Hash32::of("home"),
            address: None,
        }),
        Command::RecordMasterKey(RecordMasterKey { fingerprint: Hash32::of("master key") }),
        Command::CreateOperator(CreateOperator {
            id: OperatorId::new(1),
            name: Text::from("Olga"),
            role: Role::Operator,
            token_hash: Hash32::of("olga"),
        }),
        sports(),
        Command::CreateSeries(new_series("bitcoin")),
        Command::RecordPrice(RecordPrice {
            symbol: Text::from("BTC"),
            value: exchange::catalogue::AssetPrice(97_000_000_000),
            source: Text::from("feed"),
            source_time: world.now,
        }),
    ];
    for command in commands {
        world.system(command.clone()).unwrap_or_else(|reject| panic!("{command:?}: {reject:?}"));
    }
    for token in ["console", "another console"] {
        let open = Command::OpenOperatorSession(OpenOperatorSession { token_hash: Hash32::of(token) });
        world.apply(Actor::Operator { operator: OperatorId::new(1) }, open).expect("a session");
        world.wait(Span::seconds(1));
    }
    let watch =
        Command::SetWatchlist(SetWatchlist { event: event_of("rain"), watched: true, is_retired: false });
    let idempotency = Some(IdempotencyKey { scope: 1, scope_low: 2, body: 3, window: None });
    world.request(&Request { actor: key_of("alice"), idempotency, command: watch }).expect("followed");
}

/// Requests after the snapshot: enough to touch books, pools, holds, lists, timers and memory.
fn afterwards() -> Vec<(Span, Request)> {
    let by = |user: &str, command| Request { actor: key_of(user), idempotency: None, command };
    let system = |command| Request { actor: Actor::System, idempotency: None, command };
    let idempotency = Some(IdempotencyKey { scope: 1, scope_low: 2, body: 3, window: None });
    let watch =
        Command::SetWatchlist(SetWatchlist { event: event_of("rain"), watched: true, is_retired: false });
    let sell = limit("sell", "rain", Outcome::Yes, Side::Sell, Shares::whole(25), 40);
    let amend = Amendment { order: OrderId::new(id("ask 1")), new_price: Some(price(39)), new_size: None };
    let credit = Command::CreditWallet(CreditWallet {
        user: UserId::new(id("alice")),
        currency: Currency::Usd,
        amount: Money::whole(1),
        reference: Text::from("credit 3"),
    });
    let login = || {
        let scope = LoginScope::Api { address: Hash32::of("alice") };
        system(Command::StartLogin(StartLogin { scope }))
    };
    let mut steps = vec![
        (Span::seconds(1), Request { actor: key_of("alice"), idempotency, command: watch }),
        (Span::seconds(1), system(credit)),
        (Span::seconds(1), login()),
        (Span::seconds(1), system(page_login())),
        (Span::seconds(1), by("bob", Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amend)] }))),
        (Span::seconds(1), by("bob", Command::PlaceOrder(sell))),
        (Span::minutes(2), login()),
        (Span::hours(3), system(Command::Tick)),
        (
            Span::seconds(1),
            by(
                "alice",
                Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency: None }),
            ),
        ),
        (Span::hours(24), system(Command::Tick)),
        (
            Span::seconds(1),
            system(Command::ResetPassword(ResetPassword {
                token_hash: Hash32::of("reset"),
                row: RowId::new(7),
                expires_at: Time::NEVER,
                keep_keys: false,
            })),
        ),
        (
            Span::seconds(1),
            system(Command::CloseTrading(CloseTrading {
                target: exchange::command::Target::Event(event_of("rain")),
            })),
        ),
        (
            Span::seconds(1),
            system(Command::ResolveMarket(ResolveMarket {
                market: market_id("rain"),
                outcome: Outcome::Yes,
            })),
        ),
        (Span::days(30), system(Command::Tick)),
    ];
    let all = every_command().into_iter();
    steps.extend(
        all.map(|command| (Span::seconds(1), Request { actor: key_of("bob"), idempotency: None, command })),
    );
    steps
}

#[test]
fn a_decoded_snapshot_is_equal_and_continues_like_the_original() {
    let mut world = busy_world();
    let bytes = encode_snapshot(&world.exchange);
    let mut restored = decode_snapshot(&bytes).expect("a snapshot");
    assert!(encode_snapshot(&restored) == bytes, "the same state has the same bytes");
    invariants::check_all(&restored).expect("a sound state");
    assert_eq!(restored.next_due(), world.exchange.next_due());
    for (span, request) in afterwards() {
        world.wait(span);
        let original = world.exchange.apply(world.now, &request).expect("a request of this build");
        assert_eq!(
            restored.apply(world.now, &request).expect("a request of this build"),
            original,
            "{request:?}"
        );
        assert_eq!(restored.changes(), world.exchange.changes(), "{request:?}");
        assert_eq!(restored.next_due(), world.exchange.next_due(), "{request:?}");
        assert!(encode_snapshot(&restored) == encode_snapshot(&world.exchange), "{request:?}");
        invariants::check_all(&restored).expect("a sound state");
    }
}

#[test]
fn a_snapshot_can_be_taken_after_every_command_of_a_day() {
    let mut world = busy_world();
    for (span, request) in afterwards() {
        world.wait(span);
        let _ = world.exchange.apply(world.now, &request).expect("a request of this build");
        let bytes = encode_snapshot(&world.exchange);
        let restored = decode_snapshot(&bytes).expect("a snapshot");
        assert!(encode_snapshot(&restored) == bytes, "after {request:?}");
        assert_eq!(restored.next_due(), world.exchange.next_due(), "after {request:?}");
    }
}

#[test]
fn a_snapshot_does_not_show_where_things_lie_in_memory() {
    let mut through_other_slots = stage();
    let mut straight = stage();
    let bid = |name: &str, cents| limit(name, "rain", Outcome::Yes, Side::Buy, Shares::whole(10), cents);
    // Places two orders and cancels the first, so that the third reuses its slot.
    for world in [&mut through_other_slots, &mut straight] {
        world.place("alice", bid("a", 10)).expect("a bid");
        world.place("alice", bid("b", 20)).expect("a bid");
        world
            .by("alice", Command::CancelOrder(CancelOrder { order: OrderId::new(id("a")) }))
            .expect("a cancel");
    }
    let mut straight = decode_snapshot(&encode_snapshot(&straight.exchange)).expect("a snapshot");
    through_other_slots.place("alice", bid("c", 30)).expect("a bid");
    let request =
        Request { actor: key_of("alice"), idempotency: None, command: Command::PlaceOrder(bid("c", 30)) };
    straight.apply(START, &request).expect("a request of this build").expect("a bid");
    assert!(encode_snapshot(&straight) == encode_snapshot(&through_other_slots.exchange));
    assert_eq!(straight.digest(), through_other_slots.exchange.digest());
}

#[test]
fn an_empty_exchange_has_a_snapshot() {
    let bytes = encode_snapshot(&Exchange::new());
    let restored = decode_snapshot(&bytes).expect("a snapshot");
    assert!(encode_snapshot(&restored) == bytes);
    assert_eq!(restored.digest(), Exchange::new().digest());
}

#[test]
fn a_snapshot_cut_off_anywhere_or_followed_by_anything_is_refused() {
    let mut bytes = encode_snapshot(&busy_world().exchange);
    for length in 0..bytes.len() {
        assert!(decode_snapshot(&bytes[..length]).is_err(), "cut at {length}");
    }
    bytes.push(0);
    assert!(matches!(decode_snapshot(&bytes), Err(CodecError::TrailingBytes)));
    for version in [5, 7] {
        bytes[8] = version;
        assert!(
            matches!(decode_snapshot(&bytes), Err(CodecError::UnknownVersion(unknown)) if unknown == version)
        );
    }
    bytes[0] ^= 1;
    assert!(matches!(decode_snapshot(&bytes), Err(CodecError::NotASnapshot)));
}

#[test]
fn a_snapshot_with_any_byte_changed_is_read_or_refused_but_never_panics() {
    let good = encode_snapshot(&busy_world().exchange);
    let (mut refused, mut read) = (0, 0);
    for place in 0..good.len() {
        for value in [0x00, 0x1b, 0x5b, 0x9b, 0xff, good[place] ^ 1, good[place] ^ 0x80] {
            let mut bytes = good.clone();
            bytes[place] = value;
            match decode_snapshot(&bytes) {
                Err(_) => refused += 1,
                // A snapshot that decodes in spite of a changed byte is another state, and encodes differently.
                Ok(state) => {
                    assert!(value == good[place] || encode_snapshot(&state) != good, "byte {place}");
                    read += 1;
                }
            }
        }
    }
    assert!(refused > 0 && read > 0, "{refused} refused, {read} read");
}

#[test]
fn a_digest_is_the_hash_of_its_version_and_of_the_state_and_changes_with_the_state() {
    let mut world = busy_world();
    let digest = world.exchange.digest();
    // A snapshot is its magic number and its version, then the state.
    let state = &encode_snapshot(&world.exchange)[9..];
    let hashed = [b"bellwether state ", &1_u32.to_le_bytes()[..], state].concat();
    assert_eq!(digest, *blake3::hash(&hashed).as_bytes());
    assert_eq!(world.exchange.digest_version(), 1);
    assert_eq!(digest, world.clone().exchange.digest());
    world
        .by("alice", Command::CancelOrder(CancelOrder { order: OrderId::new(id("bid 1")) }))
        .expect("a cancel");
    assert_ne!(digest, world.exchange.digest());
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.roll(among.len() as u64) as usize]
    }
}

fn random_command(dice: &mut Dice, number: u64) -> Command {
    let order = |dice: &mut Dice| OrderId::new(id(&format!("order {}", dice.roll(number + 1))));
    match dice.roll(10) {
        0 => Command::CancelOrder(CancelOrder { order: order(dice) }),
        1 => {
            let new_price = (dice.roll(2) == 0).then(|| price(40 + dice.roll(20) as u8));
            let amend = Amendment {
                order: order(dice),
                new_price,
                new_size: Some(Shares::whole(5 + dice.roll(30) as i64)),
            };
            Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amend)] })
        }
        2 => {
            let (market, currency) = (market_id("rain"), Currency::Usd);
            Command::MintSets(MintSets {
                id: exchange::id::OperationId::new(number.into()),
                market,
                currency,
                amount: Money::whole(3),
            })
        }
        kind => {
            let (outcome, side) = (dice.pick(&Outcome::BOTH), dice.pick(&[Side::Buy, Side::Buy, Side::Sell]));
            let quantity = Shares::new(30_000 + dice.roll(200_000) as i64);
            let market = if kind == 9 { "snow" } else { "rain" };
            let mut new =
                limit(&format!("order {number}"), market, outcome, side, quantity, 35 + dice.roll(30) as u8);
            new.currency = dice.pick(&Currency::ALL);
            if dice.roll(5) == 0 {
                new.time_in_force = Some(TimeInForce::Gtd);
                new.expires_at = Some(START + Span::seconds(20 + number as i64 + dice.roll(40) as i64));
            }
            Command::PlaceOrder(new)
        }
    }
}

#[test]
fn a_day_interrupted_by_restarts_ends_like_an_uninterrupted_day() {
    for seed in 1..=20 {
        let mut dice = Dice(seed);
        let mut whole = stage();
        let mut interrupted = whole.exchange.clone();
        for number in 0..400 {
            whole.wait(Span::seconds(1));
            let user = dice.pick(&["alice", "bob"]);
            // Some keys end within the day, and not in the order in which they were used.
            let window = KeyWindow::new([60, 300, 86_400][(number % 3) as usize]);
            let idempotency = (dice.roll(3) == 0).then_some(IdempotencyKey {
                scope: number / 2,
                scope_low: 0,
                body: 1,
                window,
            });
            let request =
                Request { actor: key_of(user), idempotency, command: random_command(&mut dice, number) };
            let expected = whole.request(&request);
            assert_eq!(
                interrupted.apply(whole.now, &request).expect("a request of this build"),
                expected,
                "seed {seed}: {request:?}"
            );
            assert_eq!(interrupted.changes(), whole.changes(), "seed {seed}: {request:?}");
            if dice.roll(10) == 0 {
                interrupted = decode_snapshot(&encode_snapshot(&interrupted)).expect("a snapshot");
            }
        }
        assert_eq!(interrupted.digest(), whole.exchange.digest(), "seed {seed}");
        assert!(whole.exchange.orders().len() > 10, "seed {seed} leaves orders on the book");
    }
}
