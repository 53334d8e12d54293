//! An exchange with a few operators, and the books that follow it: real requests, and false claims.

use exchange::Exchange;
use exchange::catalogue::{
    AssetPrice, Automation, Engine, EventDetails, EventKind, EventLink, Interval, MarketDetails, NewEvent,
    NewMarket, NewSeries, SeriesCategory,
};
use exchange::change::{Change, ProposalStep, Settled};
use exchange::command::{Command, CreateOperator, Finalise, Propose, RecordPrice, Request};
use exchange::governance::{Evidence, Policy, Subject, Verdict};
use exchange::id::{EventId, Hash32, MarketId, OperatorId, ProposalId, SeriesId, UserId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Cents, Currency, Money, PerCurrency, Shares};
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};
use sim::checks::{OperatorBook, PriceBook};
use sim::counts::Counts;
use sim::generator::START;

const INTERVAL: Span = Span::minutes(15);

pub(crate) fn operator(number: u128) -> OperatorId {
    OperatorId::new(number)
}

pub(crate) fn actor(number: u128) -> Actor {
    Actor::Operator { operator: operator(number) }
}

pub(crate) fn create(number: u128, role: Role) -> Command {
    let token_hash = Hash32::of(&number.to_string());
    Command::CreateOperator(CreateOperator {
        id: operator(number),
        name: Text::from("name"),
        role,
        token_hash,
    })
}

pub(crate) fn two_required() -> Command {
    Command::SetPolicy(Policy { two_required: true, ..Policy::default() })
}

pub(crate) fn verdict() -> Subject {
    Subject::Resolution { event: EventId::new(1), verdict: Verdict::Cancelled { yes: Cents::HALF } }
}

pub(crate) fn finalise(proposal: u128) -> Command {
    Command::Finalise(Finalise { proposal: ProposalId::new(proposal) })
}

pub(crate) fn step(proposal: u128, step: ProposalStep) -> Change {
    Change::Proposal { proposal: ProposalId::new(proposal), step }
}

pub(crate) fn paid(market: MarketId) -> Change {
    Change::Settled(Settled {
        user: UserId::new(1),
        market,
        currency: Currency::Usd,
        yes: Shares::ZERO,
        no: Shares::ZERO,
        yes_pays: Cents::HALF,
        payout: Money::ZERO,
        yes_cost: Money::ZERO,
        no_cost: Money::ZERO,
        trade_result: Money::ZERO,
        is_refund: false,
    })
}

pub(crate) fn new_event() -> NewEvent {
    let details = EventDetails {
        title: Text::from("Rain?"),
        category: Text::from("weather"),
        ..EventDetails::default()
    };
    let market = MarketDetails { title: Text::from("Rain?"), ..MarketDetails::default() };
    NewEvent {
        id: EventId::new(1),
        slug: Text::from("rain"),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details,
        markets: vec![NewMarket { id: MarketId::new(1), details: market }],
        link: EventLink::None,
    }
}

pub(crate) fn new_series() -> NewSeries {
    NewSeries {
        id: SeriesId::new(1),
        slug: Text::from("bitcoin"),
        display_name: Text::from("Bitcoin"),
        description: Text::default(),
        category: SeriesCategory::Crypto,
        interval: Interval::FifteenMinute,
        asset_symbol: Text::from("BTC"),
        automation: Automation::PriceUpDown,
        icon_url: Text::default(),
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        market: MarketDetails::default(),
        seed: PerCurrency::default(),
        sources: Vec::new(),
        tolerance_ppm: 0,
    }
}

/// An exchange and the books that follow it.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) exchange: Exchange,
    pub(crate) prices: PriceBook,
    pub(crate) book: OperatorBook,
    pub(crate) now: Time,
}

impl Stage {
    /// Operator 1, approvers 2 and 3, and an event.
    pub(crate) fn new() -> Stage {
        let (exchange, prices, book) = (Exchange::new(), PriceBook::default(), OperatorBook::default());
        let mut stage = Stage { exchange, prices, book, now: START };
        for (number, role) in [(1, Role::Operator), (2, Role::Approver), (3, Role::Approver)] {
            stage.run(Actor::System, create(number, role));
        }
        stage.run(Actor::System, Command::CreateEvent(new_event()));
        stage
    }

    /// Applies a command; no check may fire.
    pub(crate) fn run(&mut self, actor: Actor, command: Command) {
        let request = Request { actor, idempotency: None, command };
        let result = self.exchange.apply(self.now, &request).expect("a request of this build");
        assert!(result.is_ok(), "{request:?}: {result:?}");
        self.prices.follow(&self.exchange, &request).expect("true prices");
        let mut counts = Counts::default();
        let followed = self.book.follow(&self.exchange, &self.prices, &request, &result, &mut counts);
        followed.expect("a true report");
    }

    pub(crate) fn propose(&mut self, by: u128, id: u128, subject: Subject) {
        let evidence = Evidence { text: Text::from("because"), link: Text::default() };
        self.run(actor(by), Command::Propose(Propose { id: ProposalId::new(id), subject, evidence }));
    }

    pub(crate) fn agree(&mut self, proposer: u128, finaliser: u128, id: u128, command: Command) {
        self.propose(proposer, id, Subject::Command(Box::new(command)));
        self.run(actor(finaliser), finalise(id));
    }

    /// The rule that fires when the exchange claims to have done this.
    pub(crate) fn claim(&mut self, actor: Actor, command: Command, changes: &[Change]) -> Option<String> {
        let request = Request { actor, idempotency: None, command };
        let (exchange, prices, mut counts) = (&self.exchange, &self.prices, Counts::default());
        let result = Ok(Reply::Done);
        let followed = self.book.follow_changes(exchange, prices, &request, &result, changes, &mut counts);
        followed.err().map(|failure| failure.rule)
    }

    /// A proposal that the exchange claims to have accepted.
    pub(crate) fn claim_proposed(&mut self, by: u128, id: u128, command: Command) {
        let (subject, evidence) = (Subject::Command(Box::new(command)), Evidence::default());
        let propose = Command::Propose(Propose { id: ProposalId::new(id), subject, evidence });
        let named = self.claim(actor(by), propose, &[step(id, ProposalStep::Proposed)]);
        assert_eq!(named, None, "a proposal alone breaks nothing");
    }

    /// The rule that fires when `by` allegedly finalised a verdict that paid.
    pub(crate) fn claim_payout(&self, by: u128, id: u128) -> Option<String> {
        let changes = [step(id, ProposalStep::Finalised), paid(MarketId::new(1))];
        self.clone().claim(actor(by), finalise(id), &changes)
    }

    /// A price a second before a boundary, then the boundary.
    pub(crate) fn boundary(&mut self, by: Actor, number: i64) {
        let boundary = START + Span::seconds(number * INTERVAL.micros() / 1_000_000);
        self.now = boundary - Span::seconds(1);
        let (symbol, source) = (Text::from("BTC"), Text::from("desk"));
        let (value, source_time) = (AssetPrice(100 + number), self.now);
        self.run(by, Command::RecordPrice(RecordPrice { symbol, value, source, source_time }));
        self.now = boundary + Span::seconds(1);
        self.run(Actor::System, Command::Tick);
    }

    /// An event of a series that opened and closed by prices of `by`, and waits for the minute after its close.
    pub(crate) fn with_series(by: [Actor; 2]) -> Stage {
        let mut stage = Stage::new();
        stage.run(Actor::System, Command::CreateSeries(new_series()));
        stage.run(actor(2), two_required());
        stage.boundary(by[0], 1);
        stage.boundary(by[1], 2);
        stage.now = stage.now + Span::seconds(60);
        stage
    }

    pub(crate) fn series_market(&self) -> MarketId {
        let series = |event: &&exchange::catalogue::Event| matches!(event.link, EventLink::Series { .. });
        let catalogue = self.exchange.catalogue();
        let event = catalogue.events().map(|(_, event)| event).find(series).expect("an event of the series");
        catalogue.market(event.markets[0]).id
    }
}
