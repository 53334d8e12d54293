//! Writes a venue whose series has results that wait for an approver: `pushed_series FOLDER PIA_HASH OTTO_HASH`.
//!
//! The walks in a browser need such a venue, and a series ends an interval only on the quarter of an hour. A node with
//! a clock of its own lives through four quarters of an hour of the past and stops; the executable under test then
//! opens the folder. `first` is an approver whose token is in `operator.token`. The hashes belong to tokens that the
//! caller made, for the approver `pia` and the operator `otto`, who pushed the prices.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use exchange::Request;
use exchange::catalogue::{
    AssetPrice, Automation, Engine, Interval, MarketDetails, NewSeries, SeriesCategory,
};
use exchange::command::{Command, CreateOperator, CreditWallet, PauseSeries, RecordPrice};
use exchange::governance::Policy;
use exchange::id::{Hash32, OperatorId, SeriesId, UserId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Currency, Money, PerCurrency};
use exchange::text::Text;
use exchange::time::{Span, Time};
use server::admin::access::ensure_first_operator;
use server::app::App;
use server::node::Node;
use server::pipeline::clock::{Clock, ManualClock, SystemClock};
use server::secrets::read_hash;

const HOUSE: UserId = UserId::new(0);
const PIA: OperatorId = OperatorId::new(1);
const OTTO: OperatorId = OperatorId::new(2);
const SERIES: SeriesId = SeriesId::new(1);
/// The price at each boundary in dollars, and the operator who pushed it. Between two boundaries lies an event.
const PRICES: [(i64, OperatorId); 4] = [(70, PIA), (72, OTTO), (71, PIA), (75, OTTO)];
/// The last interval ends long before the present, so that no boundary falls into a walk.
const BEGUN_BEFORE: Span = Span::hours(3);
const PUSHED_BEFORE: Span = Span::seconds(5);
/// An event of a series resolves a minute after its close.
const RESOLVED_AFTER: Span = Span::seconds(61);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pia, otto] = arguments.as_slice() else {
        return Err("takes a folder and two hashes of tokens".into());
    };
    let hash = |text: &str| read_hash(text).ok_or("64 hexadecimal digits are a hash");
    let (folder, pia, otto) = (Path::new(folder), hash(pia)?, hash(otto)?);

    let interval = Interval::FifteenMinute.span();
    let begin = (Time::from_micros(SystemClock.now()) - BEGUN_BEFORE).next_multiple(interval);
    let clock = Arc::new(ManualClock::new((begin - Span::minutes(5)).micros()));
    let node = Node::builder(folder).clock(clock.clone()).journal_clock(clock.clone()).start()?;
    let past = Past { app: node.app.clone(), clock };
    past.build(folder, pia, otto)?;
    past.live(begin, interval)?;
    let waiting = past.app.reading().state().governance().proposals().count();
    drop(past);
    node.stop()?;
    assert_eq!(waiting, PRICES.len() - 1, "each interval between two pushed prices ends with a proposal");
    Ok(())
}

struct Past {
    app: Arc<App>,
    clock: Arc<ManualClock>,
}

impl Past {
    /// Three operators of whom two approve, the policy that wants two persons, and a series on a pool of the house.
    fn build(&self, folder: &Path, pia: Hash32, otto: Hash32) -> Result<(), Box<dyn Error>> {
        ensure_first_operator(&self.app, &folder.join("operator.token"))?;
        let operators = [(PIA, "pia", Role::Approver, pia), (OTTO, "otto", Role::Operator, otto)];
        for (id, name, role, token_hash) in operators {
            let operator = CreateOperator { id, name: Text::from(name), role, token_hash };
            self.give(Actor::System, Command::CreateOperator(operator))?;
        }
        let policy = Policy { two_required: true, ..Policy::default() };
        self.give(Actor::System, Command::SetPolicy(policy))?;
        let (currency, amount, reference) = (Currency::Usd, Money::whole(1_000), Text::from("pools"));
        let credit = CreditWallet { user: HOUSE, currency, amount, reference };
        self.give(Actor::System, Command::CreditWallet(credit))?;
        self.give(Actor::System, Command::CreateSeries(series()))
    }

    fn live(&self, begin: Time, interval: Span) -> Result<(), Box<dyn Error>> {
        let mut boundary = begin;
        for (place, (dollars, operator)) in PRICES.into_iter().enumerate() {
            self.set(boundary - PUSHED_BEFORE);
            let price = RecordPrice {
                symbol: series().asset_symbol,
                value: AssetPrice(dollars * 1_000_000),
                source: Text::from("desk"),
                source_time: boundary - PUSHED_BEFORE,
            };
            self.give(Actor::Operator { operator }, Command::RecordPrice(price))?;
            if place + 1 == PRICES.len() {
                let pause = PauseSeries { series: SERIES, paused: true };
                self.give(Actor::System, Command::PauseSeries(pause))?;
            }
            for after in [Span::MICROSECOND, RESOLVED_AFTER] {
                self.set(boundary + after);
                self.give(Actor::System, Command::Tick)?;
            }
            boundary = boundary + interval;
        }
        Ok(())
    }

    fn set(&self, at: Time) {
        self.clock.advance_micros(at.micros() - self.clock.now());
    }

    fn give(&self, actor: Actor, command: Command) -> Result<(), Box<dyn Error>> {
        let request = Request { actor, idempotency: None, command };
        let answer = self.app.writing().sequencer().submit_blocking(request)?;
        answer.result.map(drop).map_err(|reject| format!("refused: {reject:?}").into())
    }
}

fn series() -> NewSeries {
    NewSeries {
        id: SERIES,
        slug: Text::from("harbour-oil-15min"),
        display_name: Text::from("Oil at the harbour"),
        description: Text::from("The desk at the harbour reads the price off the board."),
        category: SeriesCategory::Finance,
        interval: Interval::FifteenMinute,
        asset_symbol: Text::from("OIL"),
        automation: Automation::PriceUpDown,
        icon_url: Text::default(),
        engine: Engine::Amm,
        currencies: vec![Currency::Usd],
        market: MarketDetails::default(),
        seed: PerCurrency { usd: Money::whole(50), ngn: Money::ZERO },
        sources: vec![Text::from("push:desk")],
        tolerance_ppm: 0,
    }
}
