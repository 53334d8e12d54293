//! Lines that set the stage: markets, money, sets, time, and what an operator does to a market.

use exchange::catalogue::{Engine, EventKind};
use exchange::command::{
    CancelMarkets, CloseTrading, Command, DebitWallet, OpenEvent, PauseTrading, ResolveMarket, ResumeTrading,
    SeedPool, Target,
};
use exchange::id::UserId;
use exchange::numbers::{Cents, Currency, Money, Price, Shares};
use exchange::text::Text;

use super::Script;
use super::words::Words;
use crate::rules::world::{event_of, id, market_id, new_event, price};

/// A parsed `market` line.
struct MarketLine {
    names: Vec<String>,
    kind: EventKind,
    engine: Engine,
    fee: u16,
    minimum: Option<Money>,
    seed: (i64, Price),
    currencies: Vec<Currency>,
    is_draft: bool,
}

impl Script {
    /// `market NAME… clob|amm [combined|grouped] [fee 2%] [min 5] [seed 7000 at 0.70] [in USD] [draft]`.
    pub(crate) fn open_market(&mut self, words: &mut Words<'_>) {
        let line = market_line(words);
        let names: Vec<&str> = line.names.iter().map(String::as_str).collect();
        let mut event = new_event(line.kind, line.engine, line.fee, &names);
        event.currencies.clone_from(&line.currencies);
        for market in &mut event.markets {
            if let Some(minimum) = line.minimum {
                for currency in Currency::ALL {
                    let minimum = Money::new(minimum.units() * currency.base());
                    *market.details.order_min.get_mut(currency) = minimum;
                }
            }
        }
        self.world.system(Command::CreateEvent(event)).expect("a new event");
        if line.engine == Engine::Amm {
            self.seed(&line);
        }
        if !line.is_draft {
            self.world
                .system(Command::OpenEvent(OpenEvent { event: event_of(names[0]) }))
                .expect("an open event");
        }
        self.markets.extend(line.names);
    }

    fn seed(&mut self, line: &MarketLine) {
        let (sets, price) = line.seed;
        for name in &line.names {
            for currency in line.currencies.iter().copied() {
                let (market, amount) = (market_id(name), Money::whole(sets * currency.base()));
                self.world.credit("house", currency, amount);
                let seed = Command::SeedPool(SeedPool { market, currency, amount, price });
                self.world.system(seed).expect("a seeded pool");
            }
        }
    }

    /// `has 209.08 USD`: exactly so much, free. `has 100 sets [of rain] [in NGN]`: minted, at no cost to its wallet.
    pub(crate) fn give(&mut self, user: &str, words: &mut Words<'_>) {
        let amount = words.clone().next();
        let number = words.money();
        if words.take("sets") {
            let shares = Words::of(amount).shares();
            let (market, currency) = (self.market_name(words), Script::currency_in(words));
            return self.give_sets(user, &market, currency, shares);
        }
        let currency = words.currency();
        let missing = number - self.world.free(user, currency);
        if missing.is_negative() {
            let reference = Text::from(format!("debit {}", self.world.exchange.seq()));
            let (user, amount) = (UserId::new(id(user)), -missing);
            self.world
                .system(Command::DebitWallet(DebitWallet { user, currency, amount, reference }))
                .expect("a debit");
        } else {
            self.world.credit(user, currency, missing);
        }
    }

    fn give_sets(&mut self, user: &str, market: &str, currency: Currency, sets: Shares) {
        let cost = sets.payout(currency);
        self.world.credit(user, currency, cost);
        self.world.mint(user, market, currency, cost).expect("a mint");
    }

    /// `wait 10 minutes`, and let what is due happen.
    pub(crate) fn wait(&mut self, words: &mut Words<'_>) {
        self.world.wait(words.span());
        let result = self.world.system(Command::Tick);
        self.say_result("waited", result);
    }

    /// `pause rain`, `close rain`, `resolve rain YES`, `cancel rain at 0.37`.
    pub(crate) fn lifecycle(&mut self, verb: &str, words: &mut Words<'_>) {
        let name = words.next();
        let market = market_id(name);
        let target = Target::Market(market);
        let (command, done) = match verb {
            "pause" => (Command::PauseTrading(PauseTrading { target }), "paused"),
            "resume" => (Command::ResumeTrading(ResumeTrading { target }), "resumed"),
            "close" => (Command::CloseTrading(CloseTrading { target }), "closed"),
            "resolve" => {
                (Command::ResolveMarket(ResolveMarket { market, outcome: words.outcome() }), "resolved")
            }
            _ => {
                words.expect("at");
                let yes = Cents::new(words.cents()).unwrap_or_else(|| words.fail("0 to 1.00"));
                (Command::CancelMarkets(CancelMarkets { target, yes }), "cancelled")
            }
        };
        let result = self.world.system(command);
        self.say_result(&format!("{name} {done}"), result);
    }
}

fn market_line(words: &mut Words<'_>) -> MarketLine {
    let mut line = MarketLine {
        names: Vec::new(),
        kind: EventKind::Single,
        engine: Engine::Clob,
        fee: 0,
        minimum: None,
        seed: (10_000, price(50)),
        currencies: Currency::ALL.to_vec(),
        is_draft: false,
    };
    while words.peek().is_some() {
        match words.next() {
            "clob" => line.engine = Engine::Clob,
            "amm" => line.engine = Engine::Amm,
            "combined" => line.kind = EventKind::Combined,
            "grouped" => line.kind = EventKind::Grouped,
            "fee" => line.fee = words.basis_points(),
            "min" => line.minimum = Some(words.money()),
            "seed" => {
                let sets = words.money().units() / Money::whole(1).units();
                words.expect("at");
                line.seed = (sets, words.price());
            }
            "in" => line.currencies = vec![words.currency()],
            "draft" => line.is_draft = true,
            name => line.names.push(name.to_owned()),
        }
    }
    line
}
