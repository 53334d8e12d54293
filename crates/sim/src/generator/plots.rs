//! Plots: several operators cooperate, step by step, to get a payout or a new operator past the two-person rule. Some
//! plots are legitimate.

use std::collections::VecDeque;

use exchange::catalogue::Series;
use exchange::command::{
    BreakGlass, ChangeRole, Command, ConfirmOperator, CreateOperator, Finalise, FinaliseSeries, Propose,
    Request, RevokeOperator, SuspendOperator,
};
use exchange::governance::{Evidence, Policy, Subject};
use exchange::id::{Hash32, OperatorId, ProposalId};
use exchange::identity::{Operator, Role};
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::opening::system_request;
use super::operators::request_of;
use super::{Generator, View};

/// One step of a plot.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Immediately.
    Now(Request),
    At(Time, Request),
    /// A user trades or mints, so that there is something to pay out.
    Trade,
}

impl From<Request> for Step {
    fn from(request: Request) -> Step {
        Step::Now(request)
    }
}

impl Generator {
    /// The first step of a plot; the others are queued.
    pub(super) fn begin_plot(&mut self, view: View<'_>) -> (Time, Request) {
        let steps = match self.random.below(13) {
            0..=2 => self.puppet(view),
            3 => self.puppets_puppet(view),
            4 => self.agreed_operator(view),
            5..=6 => self.confirmed_operator(view),
            7..=8 => self.rescue(view),
            9 => self.coup(view),
            10 => self.last_pair(view),
            _ => None,
        };
        let mut steps: VecDeque<Step> = match steps {
            Some(steps) => steps.into_iter().map(Step::Now).collect(),
            None => self.pushed_interval(view).unwrap_or_default().into(),
        };
        let first = steps.pop_front().unwrap_or(Step::Trade);
        self.plot.extend(steps);
        self.take_step(view, first)
    }

    pub(super) fn take_step(&mut self, view: View<'_>, step: Step) -> (Time, Request) {
        match step {
            Step::Now(request) => (view.now, request),
            Step::At(at, request) => (at.max(view.now), request),
            Step::Trade if self.random.chance(60) => (view.now, self.mint(view)),
            Step::Trade => (view.now, self.place(view)),
        }
    }

    /// One operator proposes, another finalises.
    pub(super) fn pact(
        &mut self,
        proposer: OperatorId,
        finaliser: OperatorId,
        subject: Subject,
    ) -> [Request; 2] {
        let id = ProposalId::new(self.fresh_id());
        let evidence = Evidence { text: Text::from("As everybody saw"), link: Text::default() };
        [
            request_of(proposer, Command::Propose(Propose { id, subject, evidence })),
            request_of(finaliser, Command::Finalise(Finalise { proposal: id })),
        ]
    }

    fn require_two(&mut self) -> Command {
        Command::SetPolicy(Policy { two_required: true, ..Policy::default() })
    }

    /// The goal of a plot.
    fn prize(&mut self, view: View<'_>) -> Subject {
        match self.random.chance(70) {
            true => self.resolution(view),
            false => Subject::Command(Box::new(self.proposed_command(view))),
        }
    }

    /// An approver creates a second operator alone, proposes with one and finalises with the other.
    fn puppet(&mut self, view: View<'_>) -> Option<Vec<Request>> {
        let maker = self.approver(view, None)?;
        let role = self.random.one_of([Role::Operator, Role::Approver]);
        let create = self.create_operator(view, role);
        let Command::CreateOperator(CreateOperator { id, .. }) = create else { return None };
        let mut steps = vec![request_of(maker, create)];
        if self.random.chance(60) {
            steps.push(request_of(maker, self.require_two()));
        }
        let (proposer, finaliser) = if self.random.chance(70) { (id, maker) } else { (maker, id) };
        let prize = self.prize(view);
        steps.extend(self.pact(proposer, finaliser, prize));
        Some(steps)
    }

    /// A puppet creates a puppet; or one operator creates two.
    fn puppets_puppet(&mut self, view: View<'_>) -> Option<Vec<Request>> {
        let maker = self.approver(view, None)?;
        let first = self.create_operator(view, Role::Approver);
        let second = self.create_operator(view, Role::Operator);
        let (
            Command::CreateOperator(CreateOperator { id, .. }),
            Command::CreateOperator(CreateOperator { id: last, .. }),
        ) = (&first, &second)
        else {
            return None;
        };
        let (id, last) = (*id, *last);
        let second_maker = if self.random.chance(60) { id } else { maker };
        let mut steps = vec![request_of(maker, first), request_of(second_maker, second)];
        steps.push(request_of(maker, self.require_two()));
        let (proposer, finaliser) = self.random.one_of([(last, maker), (last, id), (maker, id)]);
        let prize = self.prize(view);
        steps.extend(self.pact(proposer, finaliser, prize));
        Some(steps)
    }

    /// Two approvers agree on a third, who then finalises a proposal of one of them.
    fn agreed_operator(&mut self, view: View<'_>) -> Option<Vec<Request>> {
        let one = self.approver(view, None)?;
        let other = self.approver(view, Some(one))?;
        let create = self.create_operator(view, Role::Approver);
        let Command::CreateOperator(CreateOperator { id, .. }) = create else { return None };
        let mut steps = Vec::from(self.pact(one, other, Subject::Command(Box::new(create))));
        let prize = self.prize(view);
        steps.extend(self.pact(one, id, prize));
        Some(steps)
    }

    /// Two persons confirm a puppet, which then finalises a proposal of its creator.
    fn confirmed_operator(&mut self, view: View<'_>) -> Option<Vec<Request>> {
        let one = self.approver(view, None)?;
        let other = self.approver(view, Some(one))?;
        let is_doubtful = |operator: &Operator| !operator.is_own_person() && operator.is_active();
        let mut steps = Vec::new();
        let id = match self.operator_where(view, is_doubtful) {
            Some(id) => id,
            None => {
                let create = self.create_operator(view, Role::Approver);
                let Command::CreateOperator(CreateOperator { id, .. }) = create else { return None };
                steps.push(request_of(one, create));
                id
            }
        };
        let commands = [
            Command::ConfirmOperator(ConfirmOperator { operator: id }),
            Command::ChangeRole(ChangeRole { operator: id, role: Role::Approver }),
        ];
        for command in commands {
            steps.extend(self.pact(one, other, Subject::Command(Box::new(command))));
        }
        if self.random.chance(50) {
            steps.push(request_of(one, self.require_two()));
        }
        let prize = self.prize(view);
        steps.extend(self.pact(one, id, prize));
        Some(steps)
    }

    /// An approver suspends all others and is then the last one.
    fn coup(&mut self, view: View<'_>) -> Option<Vec<Request>> {
        let leader = self.approver(view, None)?;
        let is_other = |operator: &&Operator| operator.is_active_approver() && operator.id != leader;
        let others = view.exchange.directory().operators().filter(is_other);
        let others: Vec<_> = others.map(|operator| operator.id).collect();
        let suspend =
            |operator| Command::SuspendOperator(SuspendOperator { operator, suspended: true, until: None });
        let mut steps: Vec<_> = others.iter().map(|other| request_of(leader, suspend(*other))).collect();
        let last = match self.random.below(3) {
            0 => suspend(leader),
            1 => Command::RevokeOperator(RevokeOperator { operator: leader }),
            _ => Command::ChangeRole(ChangeRole { operator: leader, role: Role::Viewer }),
        };
        steps.extend([request_of(leader, last), request_of(leader, self.require_two())]);
        let prize = self.prize(view);
        steps.extend(self.pact(leader, leader, prize));
        let lift = |operator: &OperatorId| {
            system_request(Command::SuspendOperator(SuspendOperator {
                operator: *operator,
                suspended: false,
                until: None,
            }))
        };
        steps.extend(others.iter().map(lift));
        Some(steps)
    }

    /// An approver and a puppet of the same person would be the last two approvers.
    fn last_pair(&mut self, view: View<'_>) -> Option<Vec<Request>> {
        let maker = self.approver(view, None)?;
        let other = self.approver(view, Some(maker))?;
        let create = self.create_operator(view, Role::Operator);
        let Command::CreateOperator(CreateOperator { id, .. }) = create else { return None };
        let mut steps = vec![request_of(maker, create), request_of(maker, self.require_two())];
        let promote = Command::ChangeRole(ChangeRole { operator: id, role: Role::Approver });
        steps.extend(self.pact(maker, other, Subject::Command(Box::new(promote))));
        let is_third = |operator: &&Operator| {
            operator.is_active_approver() && operator.id != maker && operator.id != other
        };
        let thirds = view.exchange.directory().operators().filter(is_third).map(|operator| operator.id);
        let thirds: Vec<_> = thirds.collect();
        let suspend = |operator: &OperatorId, suspended| {
            Command::SuspendOperator(SuspendOperator { operator: *operator, suspended, until: None })
        };
        steps.extend(thirds.iter().map(|third| request_of(maker, suspend(third, true))));
        let less = match self.random.chance(50) {
            true => Command::RevokeOperator(RevokeOperator { operator: other }),
            false => Command::ChangeRole(ChangeRole { operator: other, role: Role::Viewer }),
        };
        steps.extend(self.pact(other, maker, Subject::Command(Box::new(less))));
        steps.extend(thirds.iter().map(|third| system_request(suspend(third, false))));
        Some(steps)
    }

    /// Operators push the prices at the boundaries of a series; then each of them, and another operator, finalises the
    /// result.
    fn pushed_interval(&mut self, view: View<'_>) -> Option<Vec<Step>> {
        let series: Vec<_> = view.exchange.catalogue().series().filter(|series| !series.paused).collect();
        let near = |series: &&Series| series.next_start - view.now < Span::hours(6);
        let series = self.random.pick(&series.into_iter().filter(near).collect::<Vec<_>>())?;
        let (terms, start) = (&series.terms, series.next_start);
        let is_able = |operator: &Operator| operator.is_active() && operator.role >= Role::Operator;
        let pushers = [self.operator_where(view, is_able)?, self.operator_where(view, is_able)?];
        let source = terms.sources.first().map_or("feed", |source| source.trim_start_matches("push:"));
        let mut steps = Vec::new();
        if self.random.chance(40) {
            steps.push(Step::Now(system_request(self.require_two())));
        }
        for number in 0..=self.random.between(1, 2) {
            let boundary = start + Span::minutes(terms.interval.span().micros() / 60_000_000 * number);
            let pusher = self.random.one_of(pushers);
            let price = self.price_of(&terms.asset_symbol, source, boundary - Span::seconds(1));
            steps.push(Step::At(boundary - Span::seconds(1), request_of(pusher, price)));
            steps.push(Step::At(boundary, system_request(Command::Tick)));
            steps.extend([Step::Trade, Step::Trade, Step::Trade]);
            if number > 0 {
                steps.push(Step::At(boundary + Span::seconds(60), system_request(Command::Tick)));
            }
        }
        let finalise = Command::FinaliseSeries(FinaliseSeries { series: terms.id });
        for operator in pushers.into_iter().chain(self.approver(view, Some(pushers[0]))) {
            steps.push(Step::Now(request_of(operator, finalise.clone())));
        }
        Some(steps)
    }

    /// Break-glass: the new approver creates another approver alone; then both, or either, try to pay out.
    fn rescue(&mut self, view: View<'_>) -> Option<Vec<Request>> {
        let rescuer = self.new_operator_id(view);
        let (name, token_hash) = (Text::from("rescue"), Hash32::of(&format!("token of {rescuer}")));
        let mut steps =
            vec![system_request(Command::BreakGlass(BreakGlass { id: rescuer, name, token_hash }))];
        let create = self.create_operator(view, Role::Approver);
        let Command::CreateOperator(CreateOperator { id, .. }) = create else { return None };
        steps.extend(self.pact(rescuer, rescuer, Subject::Command(Box::new(create))));
        let (proposer, finaliser) =
            self.random.one_of([(rescuer, id), (rescuer, id), (id, rescuer), (rescuer, rescuer)]);
        let prize = self.prize(view);
        steps.extend(self.pact(proposer, finaliser, prize));
        Some(steps)
    }
}
