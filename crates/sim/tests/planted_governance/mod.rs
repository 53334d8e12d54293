//! Planted bugs for the checks on operators and persons: the exchange does, or claims to have done, something that no
//! person may do alone.

mod stage;

use exchange::change::{Change, ProposalStep};
use exchange::command::{
    ApprovePasswordReset, BreakGlass, ChangeRole, Command, ConfirmOperator, CreditWallet, FeesTo,
    FinaliseSeries, FreezeUser, MoveFees, Request, ResolveMarket, RevokeOperator, SuspendOperator,
    SuspendUser,
};
use exchange::governance::{Policy, Subject};
use exchange::id::{Hash32, MarketId, SeriesId, UserId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Currency, Money, PerCurrency};
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::Span;
use sim::checks::{Before, PriceBook, check_governance};
use sim::counts::Counts;

use stage::{Stage, actor, create, finalise, operator, paid, step, two_required, verdict};

const ANOTHER: &str = "13 where two are required no person finalises what that person proposed";
const PAYOUTS: &str = "13 where two are required no payout rests on one person";
const GLASS: &str = "13 a break-glass operator finalises what is about operators alone";
const ALONE: &str = "13 where two are required no person changes alone who may pay";
const PROPOSED: &str = "13 fees move, and operators become persons, by proposals alone";
const CAPS: &str = "13 no operator moves more than a cap alone";
const OPERATORS: &str = "13 operators and the policy change by their own commands alone";
const PUSHERS: &str = "13 a result out of pushed prices is proposed by all who pushed one";
const BY_NAME: &str = "13 a proposal is finalised by the command that names it";
const TWO_STAY: &str = "13 where two are required two persons who may approve stay";
const STANDS: &str = "13 a verdict stands in public before it pays";

#[test]
fn a_second_operator_of_the_proposer_who_finalises_is_named() {
    let mut stage = Stage::new();
    stage.run(actor(2), create(5, Role::Operator));
    stage.run(actor(2), create(6, Role::Approver));
    stage.run(actor(6), create(7, Role::Operator));
    stage.run(actor(3), two_required());
    for (proposer, id) in [(2, 12), (5, 15), (7, 17)] {
        let mut proposed = stage.clone();
        proposed.propose(proposer, id, verdict());
        let fires = |finaliser| match (proposer, finaliser) {
            (2 | 5, 2) | (7, 2 | 6) | (_, 1 | 5) => Some(ANOTHER.to_owned()),
            _ => None,
        };
        for finaliser in [1, 2, 3, 5, 6] {
            assert_eq!(
                proposed.claim_payout(finaliser, id),
                fires(finaliser),
                "{finaliser} finalises what {proposer} proposed"
            );
        }
    }
}

#[test]
fn an_operator_is_another_person_from_its_confirmation_on() {
    let mut stage = Stage::new();
    stage.run(actor(2), create(5, Role::Operator));
    stage.run(actor(3), two_required());
    stage.agree(2, 3, 21, Command::ChangeRole(ChangeRole { operator: operator(5), role: Role::Approver }));
    stage.propose(2, 12, verdict());
    assert_eq!(stage.claim_payout(5, 12).as_deref(), Some(ANOTHER), "2 made 5 alone");
    stage.agree(2, 3, 22, Command::ConfirmOperator(ConfirmOperator { operator: operator(5) }));
    assert_eq!(stage.claim_payout(5, 12), None);
    stage.agree(2, 3, 23, create(8, Role::Approver));
    assert_eq!(stage.claim_payout(8, 12), None, "made by two persons");
}

#[test]
fn a_payout_by_one_person_alone_is_named_where_two_are_required() {
    let at_once =
        || Command::ResolveMarket(ResolveMarket { market: MarketId::new(1), outcome: Outcome::Yes });
    let changes = [paid(MarketId::new(1))];
    assert_eq!(Stage::new().claim(actor(2), at_once(), &changes), None, "one is enough");
    let mut stage = Stage::new();
    stage.run(actor(2), two_required());
    assert_eq!(stage.clone().claim(actor(2), at_once(), &changes).as_deref(), Some(PAYOUTS));
    assert_eq!(stage.clone().claim(Actor::System, Command::Tick, &changes).as_deref(), Some(PAYOUTS));
    assert_eq!(stage.clone().claim(Actor::System, at_once(), &changes), None, "the owner of the machine");
    // A proposal about something else pays no user.
    stage.propose(2, 12, Subject::Command(Box::new(create(9, Role::Viewer))));
    let changes = [step(12, ProposalStep::Finalised), paid(MarketId::new(1))];
    assert_eq!(stage.claim(actor(3), finalise(12), &changes).as_deref(), Some(PAYOUTS));
}

#[test]
fn a_result_out_of_pushed_prices_that_pays_by_the_clock_is_named() {
    for pushed in [[actor(1), Actor::System], [Actor::System, actor(1)]] {
        let mut stage = Stage::with_series(pushed);
        stage.run(Actor::System, Command::Tick);
        let changes = [paid(stage.series_market())];
        assert_eq!(stage.claim(Actor::System, Command::Tick, &changes).as_deref(), Some(PAYOUTS));
    }
    let mut stage = Stage::with_series([Actor::System, Actor::System]);
    stage.run(Actor::System, Command::Tick);
    let changes = [paid(stage.series_market())];
    assert_eq!(stage.claim(Actor::System, Command::Tick, &changes), None, "both prices are from a feed");
}

#[test]
fn a_pusher_who_finalises_the_result_is_named() {
    let mut stage = Stage::with_series([actor(2), actor(1)]);
    stage.run(Actor::System, Command::Tick);
    let waiting = stage.exchange.governance().proposals().next().expect("a proposal").id;
    let finalise = Command::FinaliseSeries(FinaliseSeries { series: SeriesId::new(1) });
    let changes =
        [Change::Proposal { proposal: waiting, step: ProposalStep::Finalised }, paid(stage.series_market())];
    assert_eq!(stage.clone().claim(actor(2), finalise.clone(), &changes).as_deref(), Some(ANOTHER));
    assert_eq!(stage.claim(actor(3), finalise, &changes), None);
}

#[test]
fn a_result_that_a_pusher_did_not_propose_is_named() {
    let mut stage = Stage::with_series([actor(1), Actor::System]);
    let tick = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
    let result = stage.exchange.apply(stage.now, &tick).expect("a request of this build");
    let empty = PriceBook::default();
    let followed = stage.book.follow(&stage.exchange, &empty, &tick, &result, &mut Counts::default());
    assert_eq!(followed.expect_err("it is noticed").rule, PUSHERS);
}

#[test]
fn a_break_glass_operator_that_pays_is_named_and_may_make_operators() {
    let mut stage = Stage::new();
    stage.run(actor(2), two_required());
    let (id, name, token_hash) = (operator(9), Text::from("rescue"), Hash32::of("rescue"));
    stage.run(Actor::System, Command::BreakGlass(BreakGlass { id, name, token_hash }));
    stage.agree(9, 9, 20, create(10, Role::Approver));
    stage.propose(2, 12, verdict());
    stage.propose(3, 13, Subject::Command(Box::new(two_required())));
    assert_eq!(stage.claim_payout(9, 12).as_deref(), Some(GLASS));
    let changes = [step(13, ProposalStep::Finalised)];
    assert_eq!(stage.clone().claim(actor(9), finalise(13), &changes).as_deref(), Some(GLASS));
    assert_eq!(stage.claim_payout(10, 12), None);
    stage.now = stage.now + Span::hours(24);
    stage.run(Actor::System, Command::Tick);
    assert_eq!(stage.claim_payout(9, 12), None, "an ordinary approver by now");
}

#[test]
fn a_command_for_two_persons_done_by_one_is_named() {
    let mut stage = Stage::new();
    stage.run(actor(2), two_required());
    let commands = [
        create(9, Role::Viewer),
        Command::ChangeRole(ChangeRole { operator: operator(1), role: Role::Approver }),
        Command::SuspendOperator(SuspendOperator { operator: operator(1), suspended: false, until: None }),
        Command::RevokeOperator(RevokeOperator { operator: operator(1) }),
        Command::SetPolicy(Policy::default()),
        Command::SuspendUser(SuspendUser { user: UserId::new(1), suspended: false, keep_orders: false }),
        Command::FreezeUser(FreezeUser { user: UserId::new(1), frozen: false }),
        Command::ApprovePasswordReset(ApprovePasswordReset {
            user: UserId::new(1),
            token_hash: Hash32::of("token"),
        }),
    ];
    for command in commands {
        assert_eq!(
            stage.clone().claim(actor(2), command.clone(), &[]).as_deref(),
            Some(ALONE),
            "{command:?}"
        );
    }
}

#[test]
fn fees_moved_by_one_operator_and_a_person_made_by_one_are_named() {
    let (currency, amount, to) = (Currency::Usd, Money::new(1), FeesTo::House);
    let reference = || Text::from("fees");
    let command = Command::MoveFees(MoveFees { currency, amount, to, reference: reference() });
    let changes = [Change::FeesMoved { currency, amount, to, reference: reference() }];
    assert_eq!(Stage::new().claim(actor(2), command, &changes).as_deref(), Some(PROPOSED));
    let confirm = Command::ConfirmOperator(ConfirmOperator { operator: operator(1) });
    assert_eq!(Stage::new().claim(actor(2), confirm, &[]).as_deref(), Some(PROPOSED));
}

#[test]
fn an_operator_who_changed_by_another_command_is_named() {
    let behind = [
        create(9, Role::Viewer),
        Command::ChangeRole(ChangeRole { operator: operator(1), role: Role::Approver }),
        Command::SuspendOperator(SuspendOperator { operator: operator(1), suspended: true, until: None }),
        Command::RevokeOperator(RevokeOperator { operator: operator(1) }),
        Command::ConfirmOperator(ConfirmOperator { operator: operator(5) }),
        two_required(),
    ];
    let mut stage = Stage::new();
    stage.run(actor(2), create(5, Role::Operator));
    for command in behind {
        let mut stage = stage.clone();
        let request = Request { actor: Actor::System, idempotency: None, command };
        stage.exchange.apply(stage.now, &request).expect("a request of this build").expect("a command");
        let named = stage.claim(Actor::System, Command::Tick, &[]);
        assert_eq!(named.as_deref(), Some(OPERATORS), "{request:?}");
    }
}

#[test]
fn a_last_pair_of_approvers_who_are_one_person_is_named() {
    let mut stage = Stage::new();
    stage.run(actor(2), create(5, Role::Operator));
    stage.run(actor(3), two_required());
    stage.agree(2, 3, 21, Command::ChangeRole(ChangeRole { operator: operator(5), role: Role::Approver }));
    let changes = [step(12, ProposalStep::Finalised)];
    let less = [
        Command::RevokeOperator(RevokeOperator { operator: operator(3) }),
        Command::ChangeRole(ChangeRole { operator: operator(3), role: Role::Viewer }),
    ];
    for command in less {
        let mut stage = stage.clone();
        stage.claim_proposed(3, 12, command);
        assert_eq!(stage.claim(actor(2), finalise(12), &changes).as_deref(), Some(TWO_STAY));
    }
}

#[test]
fn a_proposal_that_ended_by_another_command_is_named() {
    let mut stage = Stage::new();
    stage.propose(2, 12, verdict());
    let changes = [step(12, ProposalStep::Finalised)];
    for command in
        [Command::Tick, finalise(13), Command::FinaliseSeries(FinaliseSeries { series: SeriesId::new(1) })]
    {
        assert_eq!(stage.clone().claim(actor(3), command, &changes).as_deref(), Some(BY_NAME));
    }
    assert_eq!(stage.claim(actor(3), finalise(12), &[]).as_deref(), Some(BY_NAME), "finalised and waiting");
}

#[test]
fn an_entry_over_a_cap_is_named() {
    let caps = |amount| PerCurrency { usd: Money::whole(amount), ngn: Money::whole(amount) };
    let mut stage = Stage::new();
    let policy = Policy { entry_max: caps(50), day_max: caps(120), ..Policy::default() };
    stage.run(actor(2), Command::SetPolicy(policy));
    let mut moved = |amount: i64| {
        let (user, currency, reference) = (UserId::new(1), Currency::Usd, Text::from("r"));
        let amount = Money::whole(amount);
        let credit =
            Command::CreditWallet(CreditWallet { user, currency, amount, reference: reference.clone() });
        stage.claim(actor(1), credit, &[Change::Funds { user, currency, amount, reference }])
    };
    assert_eq!(moved(50), None);
    assert_eq!(moved(50), None);
    assert_eq!(moved(21).as_deref(), Some(CAPS), "more than a day's");
    assert_eq!(moved(51).as_deref(), Some(CAPS), "more than an entry");
}

#[test]
fn a_payout_before_its_time_is_named() {
    let mut stage = Stage::new();
    let policy = Policy { resolution_delay_seconds: 60, ..Policy::default() };
    stage.run(actor(2), Command::SetPolicy(policy));
    stage.propose(2, 12, verdict());
    let mut before = Before::default();
    before.look(&stage.exchange);
    let changes = [step(12, ProposalStep::Finalised), paid(MarketId::new(1))];
    let check = |stage: &Stage| {
        let request = Request { actor: actor(3), idempotency: None, command: finalise(12) };
        check_governance(&before, &stage.exchange, &request, &changes).err().map(|failure| failure.rule)
    };
    assert_eq!(check(&stage).as_deref(), Some(STANDS));
    stage.now = stage.now + Span::seconds(60);
    stage.run(Actor::System, Command::Tick);
    assert_eq!(check(&stage), None);
}
