//! The other actors: the clock, the owner of the machine, traders, and honest operators, who agree with one
//! another and never with the rogue.

use exchange::catalogue::{Engine, Game, GameStatus, Status};
use exchange::command::{
    ChangeRole, Command, ConfirmOperator, CreditWallet, EraseUser, FeesTo, FreezeUser, ImportSports,
    MoveFees, OpenEvent, RecordGameResult, RequestPasswordReset, ResolveMarket, ResumeTrading,
    RevokeOperator, SetCancelOnly, SuspendOperator, SuspendUser, Target,
};
use exchange::governance::{CancelOnlyCause, Score, Subject};
use exchange::id::{EventId, GameId, Hash32, MarketId, OperatorId, OrderId, OutcomeId, ProposalId, UserId};
use exchange::identity::Role;
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::Span;

use super::play::{Play, Read};
use super::samples::{finalise, new_series, propose};
use super::stage::{ABEL, ADA, CARL, OLGA, POOL, ROGUE, Stage, TRADERS, Who, create_operator, soccer_events};
use super::tally::Reached;
use crate::failure::Failure;

const HONEST: [OperatorId; 4] = [OLGA, ADA, ABEL, CARL];
/// Drafts that were read and will be edited.
const READS_MAX: usize = 4;

impl Play {
    pub(super) fn pass_time(&mut self) -> Result<(), Failure> {
        let due = self.stage.exchange.next_due();
        match self.random.below(40) {
            0..=3 => self.stage.wait(Span::minutes(self.random.between(1, 30))),
            4 if self.random.chance(30) => self.stage.wait(Span::hours(self.random.between(1, 8))),
            5 if self.random.chance(15) => self.stage.wait(Span::days(1)),
            6..=9 => return self.pass_boundary(),
            10 | 11 => {
                if let Some(due) = due.filter(|due| *due < self.stage.now + Span::hours(6)) {
                    self.stage.now = due.max(self.stage.now);
                }
            }
            12..=14 => {}
            _ => self.stage.wait(Span::seconds(self.random.between(1, 20))),
        }
        self.stage.owner(Command::Tick)
    }

    /// A price just before the next interval of the series, then its beginning.
    fn pass_boundary(&mut self) -> Result<(), Failure> {
        let starts = self.stage.exchange.catalogue().series().filter(|series| !series.paused);
        let Some(start) = starts.map(|series| series.next_start).min() else { return Ok(()) };
        self.stage.now = self.stage.now.max(start - Span::seconds(1));
        let price = self.price();
        // The rogue may push the price that counts.
        let by = if self.random.chance(30) { Who::Operator(ROGUE) } else { Who::Owner };
        let _ = self.stage.run(by, price)?;
        self.stage.now = self.stage.now.max(start + Span::seconds(1));
        self.stage.owner(Command::Tick)?;
        self.stage.wait(Span::seconds(70));
        self.stage.owner(Command::Tick)
    }

    pub(super) fn trade(&mut self) -> Result<(), Failure> {
        let trader = 1 + self.random.below(TRADERS as usize) as u128;
        let market = if self.random.chance(30) { MarketId::new(POOL * 10) } else { self.market() };
        let outcome = self.random.one_of(Outcome::BOTH);
        let amount = Sizing::Amount(Money::whole(self.random.between(1, 200)));
        let is_market = self.random.chance(40);
        let side = if self.random.chance(70) { Side::Buy } else { Side::Sell };
        let sizing = if side == Side::Buy {
            amount
        } else {
            Sizing::Quantity(Shares::whole(self.random.between(1, 60)))
        };
        let order = NewOrder {
            id: OrderId::new(self.stage.fresh_id()),
            outcome: OutcomeId::of(market, outcome as u64),
            side,
            kind: if is_market { OrderKind::Market } else { OrderKind::Limit },
            currency: Currency::Usd,
            sizing,
            price: (!is_market).then(|| Price::clamp(self.random.between(35, 65))),
            time_in_force: None,
            post_only: false,
            self_trade: SelfTrade::Skip,
            max_slippage: None,
            expires_at: None,
            client_order_id: None,
            path: None,
        };
        let _ = self.stage.run(Who::Trader(trader), Command::PlaceOrder(order))?;
        Ok(())
    }

    /// The owner of the machine undoes what only hinders, imports games and opens events.
    pub(super) fn own(&mut self) -> Result<(), Failure> {
        let command = match self.random.below(12) {
            0..=3 => return self.reinstate(),
            4 => {
                let cause = CancelOnlyCause::Operator;
                Command::SetCancelOnly(SetCancelOnly { cause, on: false })
            }
            5 => self.import_game(),
            6 => soccer_events(self.game().as_u128()),
            7 => Command::OpenEvent(OpenEvent { event: self.event_that(Status::Draft) }),
            8 => {
                let target = Target::Event(self.event_that(Status::Paused));
                Command::ResumeTrading(ResumeTrading { target })
            }
            9 => return self.request_reset(),
            10 => {
                let market = self.market();
                return self.stage.hold(market);
            }
            _ => {
                let user = UserId::new(1 + self.random.below(TRADERS as usize) as u128);
                let credit = self.stage.credit(user, Currency::Usd, Money::whole(50));
                let _ = self.stage.run(Who::Owner, credit)?;
                let lift = SuspendUser { user, suspended: false, keep_orders: true };
                let _ = self.stage.run(Who::Owner, Command::SuspendUser(lift))?;
                Command::FreezeUser(FreezeUser { user, frozen: false })
            }
        };
        let _ = self.stage.run(Who::Owner, command)?;
        Ok(())
    }

    fn reinstate(&mut self) -> Result<(), Failure> {
        if self.random.chance(30) {
            // There is little to see while the rogue is suspended.
            let lift = SuspendOperator { operator: ROGUE, suspended: false, until: None };
            let _ = self.stage.run(Who::Owner, Command::SuspendOperator(lift))?;
        }
        for operator in HONEST {
            let found = self.stage.exchange.directory().operator(operator).cloned();
            let found = found.as_ref();
            // Carl is left suspended more often: his proposals wait.
            if found.is_some_and(|found| found.suspended) && (operator != CARL || self.random.chance(20)) {
                let lift = SuspendOperator { operator, suspended: false, until: None };
                let _ = self.stage.run(Who::Owner, Command::SuspendOperator(lift))?;
            }
            let role = if [ADA, ABEL].contains(&operator) { Role::Approver } else { Role::Operator };
            if found.is_some_and(|found| found.role != role) && self.random.chance(50) {
                let _ = self.stage.run(Who::Owner, Command::ChangeRole(ChangeRole { operator, role }))?;
            }
        }
        Ok(())
    }

    /// A later game, or another start of a known one.
    fn import_game(&mut self) -> Command {
        let number = 1 + self.random.below(4) as u128;
        let start = self.stage.now + Span::minutes(self.random.between(20, 400));
        let known = self.stage.exchange.catalogue().sports().games.get(&GameId::new(number)).cloned();
        let status = if self.random.chance(15) { GameStatus::Live } else { GameStatus::Unplayed };
        let game = known.unwrap_or_else(|| self.stage.game(number));
        let game = Game { start, status, ..game };
        Command::ImportSports(ImportSports { leagues: Vec::new(), teams: Vec::new(), games: vec![game] })
    }

    fn event_that(&mut self, is: Status) -> EventId {
        let catalogue = self.stage.exchange.catalogue();
        let events = catalogue.events().filter(|(_, event)| event.status == is).map(|(_, event)| event.id);
        self.random.pick(&events.collect::<Vec<_>>()).unwrap_or(EventId::new(404))
    }

    fn request_reset(&mut self) -> Result<(), Failure> {
        let number = self.random.below(6);
        let request = RequestPasswordReset {
            user: UserId::new(1 + self.random.below(TRADERS as usize) as u128),
            token_hash: Hash32::of(&format!("reset {number}")),
            code: Text::from(format!("CODE0{number}")),
            network: Hash32::of("network"),
            address: None,
        };
        let _ = self.stage.run(Who::Owner, Command::RequestPasswordReset(request))?;
        Ok(())
    }

    /// Honest operators propose, agree, edit and repeat.
    pub(super) fn be_honest(&mut self) -> Result<(), Failure> {
        match self.random.below(14) {
            0..=5 => self.propose_honestly(),
            6..=8 => self.finalise_honestly(),
            9 | 10 => self.edit_honestly(),
            11 => self.send_with_key(),
            12 => self.repeat_reference(),
            _ => self.remove_somebody(),
        }
    }

    fn honest(&mut self) -> OperatorId {
        self.random.one_of([OLGA, ADA, ABEL, CARL, CARL])
    }

    /// An honest proposal; half of them are finalised at once, the others wait for anybody.
    fn propose_honestly(&mut self) -> Result<(), Failure> {
        let by = self.honest();
        let subject = match self.random.below(6) {
            0 | 1 => self.verdict(),
            2 => Subject::GameResult { game: self.game(), score: self.score() },
            _ => Subject::Command(Box::new(self.honest_command())),
        };
        let id = self.stage.fresh_id();
        let answer = self.stage.run(Who::Operator(by), propose(id, subject))?;
        self.stage.tally.note_answer(&answer);
        if answer.is_ok() && self.random.chance(50) { self.agree(by, ProposalId::new(id)) } else { Ok(()) }
    }

    fn honest_command(&mut self) -> Command {
        let is_newer = self.is_newer();
        let amount = Money::whole(self.random.between(150, 600));
        let (user, reference) = (self.user_or_house(), self.reference());
        match self.random.below(10) {
            0 | 1 if is_newer => Command::ChangePolicy(self.some_policy()),
            0 | 1 => {
                let change = self.some_policy();
                Command::SetPolicy(change.over(&self.stage.exchange.governance().policy))
            }
            2 => {
                let (market, currency) = (MarketId::new(POOL * 10), Currency::Usd);
                self.growth(market, currency, amount)
            }
            3 if is_newer => {
                let market = self.market();
                self.terms(market)
            }
            4 if is_newer => {
                let number = self.stage.fresh_id();
                Command::CreateSeries(new_series(number, Engine::Amm, amount))
            }
            5 => {
                let amount = self.stage.exchange.ledger().accounts(Currency::Usd).fees();
                Command::MoveFees(MoveFees { currency: Currency::Usd, amount, to: FeesTo::House, reference })
            }
            6 => Command::ChangeRole(ChangeRole {
                operator: CARL,
                role: self.random.one_of([Role::Viewer, Role::Operator]),
            }),
            7 => Command::ConfirmOperator(ConfirmOperator { operator: OLGA }),
            8 => Command::EraseUser(EraseUser { user: UserId::new(100 + self.random.below(20) as u128) }),
            _ => {
                let currency = Currency::Usd;
                Command::CreditWallet(CreditWallet { user, currency, amount, reference })
            }
        }
    }

    /// Another honest approver finalises a proposal of one who is honest too.
    fn agree(&mut self, by: OperatorId, id: ProposalId) -> Result<(), Failure> {
        let other = if by == ADA || (by != ABEL && self.random.chance(50)) { ABEL } else { ADA };
        let answer = self.stage.run(Who::Operator(other), finalise(id.as_u128()))?;
        self.stage.tally.note_answer(&answer);
        self.stage.tally.note_if(answer.is_ok(), Reached::HonestAgreed);
        Ok(())
    }

    fn finalise_honestly(&mut self) -> Result<(), Failure> {
        let id = self.pending();
        let proposal = self.stage.exchange.governance().proposal(id);
        let proposers: Vec<OperatorId> =
            proposal.map(|found| found.proposers().collect()).unwrap_or_default();
        match proposers.first() {
            Some(by) if proposers.iter().all(|proposer| HONEST.contains(proposer)) => self.agree(*by, id),
            _ => Ok(()),
        }
    }

    /// Reads a draft, or edits one that was read earlier.
    fn edit_honestly(&mut self) -> Result<(), Failure> {
        if self.reads.len() < READS_MAX && self.random.chance(60) {
            let event = self.event_that(Status::Draft);
            let edit = self.edit(event);
            let edits = self.stage.judge.edits_of(event);
            self.reads.push(Read { edits, edit: self.over_read(edit) });
            return Ok(());
        }
        if self.reads.is_empty() {
            return Ok(());
        }
        let Read { edits, edit } = self.reads.remove(self.random.below(self.reads.len()));
        let by = Who::Operator(self.honest());
        let answer = self.stage.edit(by, edit, edits)?;
        self.stage.tally.note_answer(&answer);
        Ok(())
    }

    /// An honest edit names what it was made over, where the rules have that.
    fn over_read(&self, edit: Command) -> Command {
        let Command::EditEvent(mut edit) = edit else { return edit };
        let catalogue = self.stage.exchange.catalogue();
        let known = catalogue.find_event(edit.event).map(|event| catalogue.event(event).edited_at);
        edit.over = self.is_newer().then(|| known.flatten().unwrap_or(0));
        Command::EditEvent(edit)
    }

    /// A request under a key, or an earlier one again.
    fn send_with_key(&mut self) -> Result<(), Failure> {
        if self.keyed.is_empty() || self.random.chance(40) {
            let by = self.honest();
            let command = self.about_money();
            let scope = self.stage.fresh_id() as u64;
            self.keyed.push((by, command, scope));
        }
        let (by, command, scope) = self.keyed[self.random.below(self.keyed.len())].clone();
        let body = if self.random.chance(95) { 1 } else { 2 };
        let answer = self.stage.run_with_key(Who::Operator(by), command, scope, body)?;
        self.stage
            .tally
            .note_if(matches!(answer, Ok(exchange::reply::Reply::Replayed { .. })), Reached::KeyReplayed);
        Ok(())
    }

    fn repeat_reference(&mut self) -> Result<(), Failure> {
        let number = self.random.below(12);
        // One in ten of these is another movement under the same reference.
        let amount = Money::whole(if self.random.chance(90) { 3 } else { 4 });
        let (user, currency) = (UserId::new(1), Currency::Usd);
        let reference = Text::from(format!("bank {number}"));
        let credit = Command::CreditWallet(CreditWallet { user, currency, amount, reference });
        let by = Who::Operator(self.honest());
        let answer = self.stage.run(by, credit)?;
        self.stage.tally.note_answer(&answer);
        let is_replayed = matches!(answer, Ok(exchange::reply::Reply::Repeated { .. }));
        self.stage.tally.note_if(is_replayed, Reached::ReferenceReplayed);
        Ok(())
    }

    /// Honest approvers suspend Carl or the rogue, lift it again, and now and then revoke the rogue.
    fn remove_somebody(&mut self) -> Result<(), Failure> {
        let operator = self.random.one_of([CARL, CARL, CARL, ROGUE]);
        let rogue = self.stage.judge.facts().operator(ROGUE);
        let is_suspended = operator == ROGUE && rogue.is_some_and(|rogue| rogue.suspended);
        let suspended = !is_suspended && self.random.chance(60);
        let command = match self.random.below(40) {
            0 => Command::RevokeOperator(RevokeOperator { operator }),
            1 if operator == CARL => {
                let id = OperatorId::new(self.stage.fresh_id());
                create_operator(id, Role::Viewer)
            }
            _ => Command::SuspendOperator(SuspendOperator { operator, suspended, until: None }),
        };
        if let Command::SuspendOperator(SuspendOperator { suspended: true, .. }) = command {
            let _ = self.stage.run(Who::Operator(ADA), command)?;
            return Ok(());
        }
        let id = self.stage.fresh_id();
        let is_revocation = command == Command::RevokeOperator(RevokeOperator { operator: ROGUE });
        let subject = Subject::Command(Box::new(command));
        let answer = self.stage.run(Who::Operator(ADA), propose(id, subject))?;
        if answer.is_ok() {
            self.agree(ADA, ProposalId::new(id))?;
            let rogue = self.stage.judge.facts().operator(ROGUE);
            self.stage
                .tally
                .note_if(is_revocation && rogue.is_some_and(|rogue| rogue.revoked), Reached::RogueRevoked);
        }
        Ok(())
    }

    /// The owner records the result of a game whose start has passed, or decides one of its markets, which a proposed result
    /// did not mean.
    pub(super) fn record_result(&mut self) -> Result<(), Failure> {
        let (game, score) = (self.game(), Score { home: 1, away: 1 });
        let governance = self.stage.exchange.governance();
        let results = governance.proposals().filter_map(|proposal| match proposal.subject {
            Subject::GameResult { game, .. } => Some(game),
            _ => None,
        });
        let games: Vec<GameId> = results.collect();
        if let Some(game) = self.random.pick(&games).filter(|_| self.random.chance(70)) {
            let catalogue = self.stage.exchange.catalogue();
            let events = catalogue.events_of_game(game).map(|event| catalogue.event(event));
            let markets = events.flat_map(|event| &event.markets).map(|market| catalogue.market(*market));
            let closed = markets.filter(|market| market.status == Status::Closed).map(|market| market.id);
            if let Some(market) = self.random.pick(&closed.collect::<Vec<_>>()) {
                let resolve = Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No });
                let _ = self.stage.run(Who::Owner, resolve)?;
            }
            return Ok(());
        }
        let _ = self.stage.run(Who::Owner, Command::RecordGameResult(RecordGameResult { game, score }))?;
        Ok(())
    }
}

impl Stage {
    /// Whether an honest operator is suspended.
    pub(super) fn is_honest_suspended(&self) -> bool {
        let is_suspended =
            |operator: &exchange::identity::Operator| operator.suspended && HONEST.contains(&operator.id);
        self.exchange.directory().operators().any(is_suspended)
    }
}
