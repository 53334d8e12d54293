//! Proposals: verdicts on events, results of games, and every command that can be proposed, often finalised at once by
//! an approver.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventKind, Market, Status};
use exchange::command::{
    Command, CreditWallet, DebitWallet, EraseUser, FeesTo, Finalise, FinaliseSeries, FreezeUser, MoveFees,
    Propose, Request, SeedPool, SuspendUser, UpgradeRules,
};
use exchange::governance::{Evidence, Ruling, Subject, Verdict};
use exchange::id::{EventId, MarketId, ProposalId, SeriesId};
use exchange::index::ListingIndex;
use exchange::numbers::{Cents, Currency, Money};
use exchange::order::Outcome;
use exchange::text::Text;

use super::operators::request_of;
use super::{Generator, View};

impl Generator {
    pub(super) fn propose(&mut self, view: View<'_>) -> Request {
        let subject = match self.random.below(8) {
            0 => Subject::Command(Box::new(self.new_policy(view, 90))),
            1 => Subject::GameResult { game: self.game(), score: self.score() },
            _ => self.resolution(view),
        };
        self.propose_subject(view, subject)
    }

    pub(super) fn propose_command(&mut self, view: View<'_>, command: Command) -> Request {
        self.propose_subject(view, Subject::Command(Box::new(command)))
    }

    fn propose_subject(&mut self, view: View<'_>, subject: Subject) -> Request {
        let text = if self.random.chance(90) { "As everybody saw" } else { "" };
        let evidence = Evidence { text: Text::from(text), link: Text::default() };
        let id = ProposalId::new(self.fresh_id());
        if self.random.chance(60)
            && let Some(approver) = self.approver(view, None)
        {
            self.plot.push_back(request_of(approver, Command::Finalise(Finalise { proposal: id })).into());
        }
        self.by_person(view, Command::Propose(Propose { id, subject, evidence }))
    }

    /// A command that one person may not send alone.
    pub(super) fn proposed_command(&mut self, view: View<'_>) -> Command {
        let user = self.user(view);
        let id = view.exchange.directory().user(user).id;
        let is_newer = view.exchange.rules_version() >= 4;
        match self.random.below(if is_newer { 20 } else { 16 }) {
            0 => self.new_policy(view, 90),
            1 => Command::SuspendUser(SuspendUser { user: id, suspended: false, keep_orders: false }),
            2 => Command::FreezeUser(FreezeUser { user: id, frozen: false }),
            3 => self.approve_some_reset(view),
            4 => Command::EraseUser(EraseUser { user: id }),
            5..=6 => self.large_entry(view),
            7..=9 => self.large_seed(view),
            10..=12 => self.move_fees(view),
            16..=17 => {
                let market = self.market_id(view);
                self.some_terms(market)
            }
            18 => self.new_series(view.exchange.rules_version()),
            19 => Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION }),
            _ => self.about_operators(view),
        }
    }

    /// A credit or debit at or above the cap.
    fn large_entry(&mut self, view: View<'_>) -> Command {
        let (user, currency) = (self.user(view), self.currency());
        let user =
            if self.random.chance(30) { Exchange::HOUSE } else { view.exchange.directory().user(user).id };
        let cap = view.exchange.governance().policy.entry_max.get(currency).units();
        // A large cap would make every user rich for the rest of the run.
        let around = cap.min(60_000_000 * currency.base());
        let amount = Money::new(around + self.random.between(0, 1_000));
        let reference = Text::from(format!("reference {}", self.random.below(100_000)));
        match self.random.chance(50) {
            true => Command::CreditWallet(CreditWallet { user, currency, amount, reference }),
            false => {
                let index = view.exchange.directory().find(user);
                let free = index.map(|index| view.exchange.ledger().wallet(index, currency).free);
                let amount = amount.min(free.unwrap_or_default());
                Command::DebitWallet(DebitWallet { user, currency, amount, reference })
            }
        }
    }

    /// A seed larger than an operator may give alone.
    fn large_seed(&mut self, view: View<'_>) -> Command {
        let currency = self.currency();
        let catalogue = view.exchange.catalogue();
        let is_meant = |market: &Market| {
            catalogue.event(market.event).engine == Engine::Amm && !market.status.is_final()
        };
        let markets = catalogue.markets().filter(|(_, market)| is_meant(market));
        let markets: Vec<_> = markets.map(|(_, market)| market.id).collect();
        let market = self.random.pick(&markets).unwrap_or(MarketId::new(99));
        let index = catalogue.find_market(market).map(|market| ListingIndex::new(market, currency));
        let has_pool = index.is_some_and(|index| catalogue.listing(index).pool().is_some());
        let cap = view.exchange.governance().policy.entry_max.get(currency).units();
        let amount = Money::new(cap.min(300_000_000 * currency.base()) + self.random.between(0, 1_000));
        match !has_pool || self.random.chance(5) {
            true => Command::SeedPool(SeedPool { market, currency, amount, price: self.price_near(50) }),
            false => self.growth(view, market, currency, amount),
        }
    }

    pub(super) fn move_fees(&mut self, view: View<'_>) -> Command {
        let currency = self.random.one_of(Currency::ALL);
        let fees = view.exchange.ledger().accounts(currency).fees().units();
        let amount = Money::new(match self.random.below(8) {
            0 => fees + 1,
            1..=2 => fees,
            _ => self.random.between(0, fees),
        });
        let to = self.random.one_of([FeesTo::House, FeesTo::Outside]);
        let reference = Text::from(format!("reference {}", self.random.below(100_000)));
        Command::MoveFees(MoveFees { currency, amount, to, reference })
    }

    /// Mostly a series with pending results.
    pub(super) fn finalise_series(&mut self, view: View<'_>) -> Command {
        let pending = view.exchange.governance().proposals().filter_map(|proposal| proposal.series);
        let pending: Vec<_> = pending.collect();
        let all: Vec<_> = view.exchange.catalogue().series().map(|series| series.terms.id).collect();
        let series = self.random.pick(&pending).or_else(|| self.random.pick(&all));
        Command::FinaliseSeries(FinaliseSeries { series: series.unwrap_or(SeriesId::new(3)) })
    }

    pub(super) fn resolution(&mut self, view: View<'_>) -> Subject {
        let catalogue = view.exchange.catalogue();
        let is_closed = |status: Status| status == Status::Closed;
        let events: Vec<_> = catalogue.events().filter(|(_, event)| is_closed(event.status)).collect();
        let Some((_, event)) = self.random.pick(&events) else {
            let verdict = Verdict::Cancelled { yes: Cents::HALF };
            let events: Vec<_> = catalogue.events().map(|(_, event)| event.id).collect();
            return Subject::Resolution {
                event: self.random.pick(&events).unwrap_or(EventId::new(5)),
                verdict,
            };
        };
        let mut winners = 0;
        let mut rulings = Vec::new();
        for market in &event.markets {
            let may_win = event.kind != EventKind::Combined || winners == 0 || self.random.chance(5);
            let outcome = if may_win && self.random.chance(50) { Outcome::Yes } else { Outcome::No };
            winners += usize::from(outcome == Outcome::Yes);
            if self.random.chance(90) {
                rulings.push(Ruling { market: catalogue.market(*market).id, outcome });
            }
        }
        let verdict = match self.random.below(5) {
            0 => Verdict::Cancelled {
                yes: Cents::new(self.random.one_of([0, 30, 50, 100])).unwrap_or(Cents::HALF),
            },
            _ => Verdict::Outcomes(rulings),
        };
        Subject::Resolution { event: event.id, verdict }
    }
}
