//! Test: the bots trade for a simulated day on an exchange in memory, and no book is ever locked or crossed. As a control,
//! orders that skip their owner's other orders do cross books.

use exchange::book::BookSide;
use exchange::catalogue::{AssetPrice, Engine};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, OpenEvent, OpenSession, PlaceOrders, RecordPrice,
    SeedPool, UpgradeRules,
};
use exchange::id::{Hash32, KeyId, RowId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money, Price};
use exchange::order::{Item, SelfTrade};
use exchange::text::Text;
use exchange::time::{Span, Time};
use exchange::{Exchange, Request};
use fastrand::Rng;

use super::bots::Bot;
use super::linked::SERIES;
use super::samples::SAMPLES;

const START: Time = Time::from_seconds(1_767_225_600);
/// Steps of five minutes in a day; they divide every interval of a series.
const STEPS: i64 = 24 * 12;
const BOTS: u128 = 3;
/// Requests of each bot per step.
const ACTS: i64 = 40;

struct Day {
    exchange: Exchange,
    now: Time,
    rng: Rng,
    /// Accepted requests.
    done: u64,
    /// Checks of books with both sides, and how many of those had a bid at or above an ask.
    looks: u64,
    crossed: u64,
}

impl Day {
    fn begin() -> Day {
        let mut day = Day {
            exchange: Exchange::new(),
            now: START,
            rng: Rng::with_seed(7),
            done: 0,
            looks: 0,
            crossed: 0,
        };
        day.system(Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION }));
        for currency in Currency::ALL {
            day.credit(Exchange::HOUSE, currency, 1_000_000);
        }
        for number in 1..=BOTS {
            day.person(number);
        }
        for sample in SAMPLES {
            day.event(sample);
        }
        for sample in SERIES {
            day.system(Command::CreateSeries(sample.series()));
        }
        day
    }

    fn apply(&mut self, actor: Actor, command: Command) -> bool {
        let request = Request { actor, idempotency: None, command };
        self.exchange.apply(self.now, &request).expect("a request of this build").is_ok()
    }

    /// Applies a setup command, which must not be refused.
    fn system(&mut self, command: Command) {
        let told = format!("{command:?}");
        assert!(self.apply(Actor::System, command), "{told}");
    }

    fn credit(&mut self, user: UserId, currency: Currency, dollars: i64) {
        let amount = Money::whole(dollars * currency.base());
        let reference = Text::from(format!("{user} {}", currency.code()));
        self.system(Command::CreditWallet(CreditWallet { user, currency, amount, reference }));
    }

    fn person(&mut self, number: u128) {
        let (user, session) = (UserId::new(number), SessionId::new(number));
        let text = |word: &str| Text::from(format!("{word}{number}"));
        self.system(Command::CreateUser(CreateUser {
            id: user,
            address: Hash32::of(&format!("{number}@demo.example")),
            tag: text("bot"),
            row: RowId::new(number),
            expires_at: Time::NEVER,
        }));
        for currency in Currency::ALL {
            self.credit(user, currency, 100_000);
        }
        let token_hash = Hash32::of(&number.to_string());
        let device = text("device");
        self.system(Command::OpenSession(OpenSession {
            user,
            password_version: 0,
            id: session,
            token_hash,
            device,
        }));
        let key = Command::CreateApiKey(CreateApiKey {
            id: KeyId::new(number),
            name: text("key"),
            public_key: text("pk_"),
        });
        assert!(self.apply(Actor::Session { session }, key), "a key");
    }

    fn event(&mut self, sample: &super::samples::Sample) {
        let new = sample.event(self.now);
        let (event, engine) = (new.id, new.engine);
        let markets: Vec<_> = new.markets.iter().map(|market| market.id).collect();
        self.system(Command::CreateEvent(new));
        for (market, (_, cents)) in markets.into_iter().zip(sample.markets) {
            for currency in Currency::ALL.into_iter().filter(|_| engine == Engine::Amm) {
                let (amount, price) =
                    (Money::whole(10_000 * currency.base()), Price::clamp(i64::from(*cents)));
                self.system(Command::SeedPool(SeedPool { market, currency, amount, price }));
            }
        }
        self.system(Command::OpenEvent(OpenEvent { event }));
    }

    /// A random walk with steps of up to a thousandth.
    fn prices(&mut self, walked: &mut [i64]) {
        for (sample, value) in SERIES.iter().zip(walked) {
            *value += *value / 1_000 * self.rng.i64(-1_000..=1_000) / 1_000;
            let (symbol, source) = (Text::from(sample.symbol), Text::from("demo"));
            let (value, source_time) = (AssetPrice(*value), self.now);
            self.system(Command::RecordPrice(RecordPrice { symbol, value, source, source_time }));
        }
    }

    fn live(mut self, mode: SelfTrade) -> Day {
        let mut bots: Vec<Bot> = (1..=BOTS).map(|number| Bot::new(number as u64)).collect();
        let mut walked: Vec<i64> = SERIES.iter().map(|sample| sample.price).collect();
        for step in 1..=STEPS {
            let begin = START + Span::minutes(5 * step);
            self.now = begin - Span::seconds(15);
            self.prices(&mut walked);
            self.now = begin + Span::MICROSECOND;
            self.system(Command::Tick);
            for act in 0..ACTS {
                self.now = begin + Span::seconds(1 + act * 6);
                for (number, bot) in (1..=BOTS).zip(&mut bots) {
                    let Some(command) = bot.choose(&self.exchange, UserId::new(number)) else { continue };
                    let actor = Actor::Key { key: KeyId::new(number), generation: 0 };
                    self.done += u64::from(self.apply(actor, with_mode(command, mode)));
                    self.watch();
                }
            }
        }
        self
    }

    fn watch(&mut self) {
        for (_, listing) in self.exchange.catalogue().listings() {
            let Some(book) = listing.book() else { continue };
            if let (Some(bid), Some(ask)) = (book.best(BookSide::Bid), book.best(BookSide::Ask)) {
                self.looks += 1;
                self.crossed += u64::from(bid >= ask);
            }
        }
    }
}

/// Sets the self-trade mode: the bots' own, or the control's.
fn with_mode(command: Command, self_trade: SelfTrade) -> Command {
    let changed = |order| exchange::order::NewOrder { self_trade, ..order };
    match command {
        Command::PlaceOrder(order) => {
            assert_eq!(order.self_trade, SelfTrade::CancelOldest, "what a bot asks for");
            Command::PlaceOrder(changed(order))
        }
        Command::PlaceOrders(PlaceOrders { items }) => {
            let item = |item| match item {
                Item::Valid(order) => Item::Valid(changed(order)),
                other => other,
            };
            Command::PlaceOrders(PlaceOrders { items: items.into_iter().map(item).collect() })
        }
        other => other,
    }
}

#[test]
fn no_book_of_the_demo_is_crossed_in_a_day_of_its_bots() {
    let day = Day::begin().live(SelfTrade::CancelOldest);
    assert!(day.done > 20_000 && day.looks > 1_000_000, "{} requests, {} looks", day.done, day.looks);
    assert_eq!(day.crossed, 0, "of {} looks", day.looks);
}

#[test]
fn a_day_of_bots_that_skip_their_own_orders_crosses_books() {
    let day = Day::begin().live(SelfTrade::Skip);
    assert!(day.crossed > 1_000, "{} of {} looks", day.crossed, day.looks);
}
