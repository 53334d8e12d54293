//! Planted bugs for the checks on operators: a payout that one person made alone, one that came too early, one entry
//! over its cap.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::change::{Change, Settled};
use exchange::command::{Command, Request};
use exchange::governance::{Evidence, Policy, Subject, Verdict};
use exchange::id::{EventId, Hash32, MarketId, OperatorId, ProposalId, UserId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Cents, Currency, Money, PerCurrency, Shares};
use exchange::order::Outcome;
use exchange::text::Text;
use sim::checks::{Before, check_governance};
use sim::generator::START;

const ALONE: &str = "13 where two are required no operator pays alone";
const STANDS: &str = "13 a verdict stands in public before it pays";
const CAPS: &str = "13 no operator moves more than a cap";

fn apply(exchange: &mut Exchange, actor: Actor, command: Command) {
    exchange.apply(START, &Request { actor, idempotency: None, command }).expect("a stage");
}

fn actor(operator: u128) -> Actor {
    Actor::Operator { operator: OperatorId::new(operator) }
}

/// Operator 1, approvers 2 and 3, and a proposal of approver 2 to call an event off.
fn stage(policy: Policy) -> Exchange {
    let mut exchange = Exchange::new();
    for (number, role) in [(1, Role::Operator), (2, Role::Approver), (3, Role::Approver)] {
        let create = Command::CreateOperator {
            id: OperatorId::new(number),
            name: Text::from("name"),
            role,
            token_hash: Hash32::of(&number.to_string()),
        };
        apply(&mut exchange, Actor::System, create);
    }
    let details = EventDetails {
        title: Text::from("Rain?"),
        category: Text::from("weather"),
        ..EventDetails::default()
    };
    let market = MarketDetails { title: Text::from("Rain?"), ..MarketDetails::default() };
    let event = NewEvent {
        id: EventId::new(1),
        slug: Text::from("rain"),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details,
        markets: vec![NewMarket { id: MarketId::new(1), details: market }],
        link: EventLink::None,
    };
    apply(&mut exchange, Actor::System, Command::CreateEvent(event));
    apply(&mut exchange, Actor::System, Command::SetPolicy(policy));
    let propose = Command::Propose {
        id: ProposalId::new(1),
        subject: Subject::Resolution {
            event: EventId::new(1),
            verdict: Verdict::Cancelled { yes: Cents::HALF },
        },
        evidence: Evidence { text: Text::from("because"), link: Text::default() },
    };
    apply(&mut exchange, actor(2), propose);
    exchange
}

fn paid() -> [Change; 1] {
    [Change::Settled(Settled {
        user: UserId::new(1),
        market: MarketId::new(1),
        currency: Currency::Usd,
        yes: Shares::ZERO,
        no: Shares::ZERO,
        yes_pays: Cents::HALF,
        payout: Money::ZERO,
        yes_cost: Money::ZERO,
        no_cost: Money::ZERO,
        trade_result: Money::ZERO,
        is_refund: false,
    })]
}

/// The rule that fires when `operator` did this with these changes.
fn fired(exchange: &Exchange, operator: u128, command: Command, changes: &[Change]) -> Option<String> {
    let mut before = Before::default();
    before.look(exchange);
    let request = Request { actor: actor(operator), idempotency: None, command };
    check_governance(&before, exchange, &request, changes).err().map(|failure| failure.rule)
}

#[test]
fn a_payout_by_one_person_alone_is_named_where_two_are_required() {
    let finalise = || Command::Finalise { proposal: ProposalId::new(1) };
    let at_once = || Command::ResolveMarket { market: MarketId::new(1), outcome: Outcome::Yes };
    let exchange = stage(Policy { two_required: true, ..Policy::default() });
    for (operator, command, fires) in
        [(2, at_once(), true), (2, finalise(), true), (1, finalise(), true), (3, finalise(), false)]
    {
        let named = fired(&exchange, operator, command.clone(), &paid());
        assert_eq!(named.as_deref(), fires.then_some(ALONE), "{command:?} by {operator}");
    }
    assert_eq!(fired(&stage(Policy::default()), 1, at_once(), &paid()), None, "one is enough");
}

#[test]
fn a_payout_before_its_time_is_named() {
    let exchange = stage(Policy { resolution_delay_seconds: 60, ..Policy::default() });
    let finalise = Command::Finalise { proposal: ProposalId::new(1) };
    assert_eq!(fired(&exchange, 3, finalise, &paid()).as_deref(), Some(STANDS));
}

#[test]
fn an_entry_over_its_cap_is_named() {
    let entry_max = PerCurrency { usd: Money::whole(50), ngn: Money::whole(50) };
    let exchange = stage(Policy { entry_max, ..Policy::default() });
    let moved = |amount| {
        let (user, currency, reference) = (UserId::new(1), Currency::Usd, Text::from("r"));
        let command = Command::CreditWallet {
            user,
            currency,
            amount: Money::whole(amount),
            reference: reference.clone(),
        };
        fired(
            &exchange,
            1,
            command,
            &[Change::Funds { user, currency, amount: Money::whole(amount), reference }],
        )
    };
    assert_eq!(moved(50), None);
    assert_eq!(moved(51).as_deref(), Some(CAPS));
}
