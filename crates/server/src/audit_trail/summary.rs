//! Describes a command in a few words, with its subjects. A finalised or withdrawn proposal no longer exists at that
//! point: history takes its subjects from the entry that proposed it.

use data_encoding::HEXLOWER;
use exchange::Exchange;
use exchange::command::{
    ApprovePasswordReset, BreakGlass, CancelMarkets, CancelOrdersOf, ChangeRole, ChangeTerms, CloseTrading,
    Command, ConfirmOperator, CreateOperator, CreateUser, CreditWallet, DebitWallet, EditEvent, EraseUser,
    Finalise, FinaliseSeries, FreezeUser, GrowPool, ImportSports, MoveFees, OpenEvent, PauseSeries,
    PauseTrading, PolicyChange, PriceRange, Propose, RecordGameResult, RecordNews, RecordPicture,
    RecordPrice, RecordSkip, ResolveMarket, ResumeTrading, RevokeOperator, SeedPool, SetCancelOnly,
    SetMarketTerms, SuspendOperator, SuspendUser, Target, UpgradeRules, Withdraw,
};
use exchange::governance::{CancelOnlyCause, Evidence, Policy, Score, Subject, Verdict};
use exchange::id::{EventId, GameId, MarketId, OperatorId, ProposalId, SeriesId, UserId};
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency};

use super::EntrySubject;
use crate::view::words::ToApi;

pub(super) struct Summary {
    pub(super) text: String,
    pub(super) names: Vec<EntrySubject>,
}

fn summary(text: impl Into<String>, names: impl IntoIterator<Item = EntrySubject>) -> Summary {
    Summary { text: text.into(), names: names.into_iter().collect() }
}

pub(super) fn summarise(exchange: &Exchange, command: &Command) -> Summary {
    use Command as C;
    match command {
        C::UpgradeRules(UpgradeRules { version }) => summary(format!("version {version}"), []),
        C::RecordSkip(RecordSkip { skipped, reason }) => summary(format!("sequence {skipped}: {reason}"), []),
        C::RecordPicture(RecordPicture { picture, bytes }) => {
            summary(format!("{} of {bytes} bytes", HEXLOWER.encode(picture.as_bytes())), [])
        }
        C::CreditWallet(CreditWallet { user, currency, amount, reference })
        | C::DebitWallet(DebitWallet { user, currency, amount, reference }) => {
            let text =
                format!("{}: {}, reference {reference}", user_tag(exchange, *user), sum(*amount, *currency));
            summary(text, [EntrySubject::User(*user)])
        }
        C::CreateSeries(new) => {
            summary(format!("{}: {}, {}", new.slug, new.asset_symbol, new.interval.to_api()), [])
        }
        C::PauseSeries(PauseSeries { series, paused }) => {
            let what = if *paused { "paused" } else { "resumed" };
            summary(format!("{} {what}", series_slug(exchange, *series)), [])
        }
        C::RecordPrice(RecordPrice { symbol, value, source, source_time }) => {
            summary(format!("{symbol} {} by {source} at {}", value.to_api(), source_time.to_api()), [])
        }
        C::ImportSports(ImportSports { leagues, teams, games }) => {
            let counts = (leagues.len(), teams.len(), games.len());
            summary(format!("{} leagues, {} teams, {} games", counts.0, counts.1, counts.2), [])
        }
        C::CreateSoccerEvents(new) => of_game(exchange, new.game, String::new()),
        C::RecordGameResult(RecordGameResult { game, score }) => of_game(exchange, *game, goals(*score)),
        C::SetPolicy(policy) => summary(policy_text(policy), []),
        C::ChangePolicy(change) => summary(changed_policy(change), []),
        C::Propose(Propose { id, subject, evidence }) => {
            proposed(exchange, subject, evidence).with(EntrySubject::Proposal(*id))
        }
        C::Finalise(Finalise { proposal }) => summary("", [EntrySubject::Proposal(*proposal)]),
        C::Withdraw(Withdraw { proposal, reason }) => {
            summary(reason.to_string(), [EntrySubject::Proposal(*proposal)])
        }
        C::SetCancelOnly(SetCancelOnly { cause, on }) => summary(cancel_only(*cause, *on), []),
        _ => about_people(exchange, command),
    }
}

fn about_people(exchange: &Exchange, command: &Command) -> Summary {
    use Command as C;
    match command {
        C::CreateUser(CreateUser { id, tag, .. }) => summary(tag.to_string(), [EntrySubject::User(*id)]),
        C::EraseUser(EraseUser { user }) => {
            summary(format!("{} erased", user_tag(exchange, *user)), [EntrySubject::User(*user)])
        }
        C::SuspendUser(SuspendUser { user, suspended, keep_orders }) => {
            let what = match (suspended, keep_orders) {
                (true, false) => "suspended, open orders cancelled",
                (true, true) => "suspended, open orders kept",
                (false, _) => "resumed",
            };
            summary(format!("{} {what}", user_tag(exchange, *user)), [EntrySubject::User(*user)])
        }
        C::FreezeUser(FreezeUser { user, frozen }) => {
            let what = if *frozen { "frozen" } else { "released" };
            summary(format!("{} {what}", user_tag(exchange, *user)), [EntrySubject::User(*user)])
        }
        C::ApprovePasswordReset(ApprovePasswordReset { user, .. }) => {
            summary(user_tag(exchange, *user), [EntrySubject::User(*user)])
        }
        C::CancelOrdersOf(CancelOrdersOf { user, event, market, currency }) => {
            let names = [EntrySubject::User(*user)]
                .into_iter()
                .chain(event.map(EntrySubject::Event))
                .chain(market.map(EntrySubject::Market));
            let currency = currency.map_or_else(String::new, |currency| currency.code().to_owned());
            summary(joined(user_tag(exchange, *user), currency), names)
        }
        C::CreateOperator(CreateOperator { id, name, role, .. }) => {
            summary(format!("{name} as {}", role.to_api()), [EntrySubject::Operator(*id)])
        }
        C::BreakGlass(BreakGlass { id, name, .. }) => {
            summary(format!("{name} as approver, for a rescue"), [EntrySubject::Operator(*id)])
        }
        C::ChangeRole(ChangeRole { operator, role }) => {
            let text = format!("{} as {}", operator_name(exchange, *operator), role.to_api());
            summary(text, [EntrySubject::Operator(*operator)])
        }
        C::SuspendOperator(SuspendOperator { operator, suspended, until }) => {
            let what = if *suspended { "suspended" } else { "reinstated" };
            let until = until.map_or_else(String::new, |until| format!(" until {}", until.to_api()));
            summary(
                format!("{} {what}{until}", operator_name(exchange, *operator)),
                [EntrySubject::Operator(*operator)],
            )
        }
        C::RevokeOperator(RevokeOperator { operator }) | C::ConfirmOperator(ConfirmOperator { operator }) => {
            summary(operator_name(exchange, *operator), [EntrySubject::Operator(*operator)])
        }
        C::MoveFees(MoveFees { currency, amount, to, reference }) => {
            summary(format!("{} to {}, reference {reference}", sum(*amount, *currency), to.to_api()), [])
        }
        C::FinaliseSeries(FinaliseSeries { series }) => summary(series_slug(exchange, *series), []),
        _ => about_events(exchange, command),
    }
}

fn about_events(exchange: &Exchange, command: &Command) -> Summary {
    use Command as C;
    match command {
        C::CreateEvent(new) => {
            let (kind, engine) = (new.kind.to_api(), new.engine.to_api());
            let text = format!("{}: {kind}, {engine}, {} markets", new.slug, new.markets.len());
            let markets = new.markets.iter().map(|market| EntrySubject::Market(market.id));
            summary(text, [EntrySubject::Event(new.id)].into_iter().chain(markets))
        }
        C::EditEvent(EditEvent { event, markets, .. }) => {
            let names = markets.iter().map(|edit| EntrySubject::Market(edit.market));
            summary(event_slug(exchange, *event), [EntrySubject::Event(*event)].into_iter().chain(names))
        }
        C::RecordNews(RecordNews { event, note, .. }) => {
            let what =
                note.as_ref().map_or("news removed".to_owned(), |note| format!("news: {}", note.title));
            summary(format!("{}: {what}", event_slug(exchange, *event)), [EntrySubject::Event(*event)])
        }
        C::OpenEvent(OpenEvent { event }) => {
            summary(event_slug(exchange, *event), [EntrySubject::Event(*event)])
        }
        C::PauseTrading(PauseTrading { target })
        | C::ResumeTrading(ResumeTrading { target })
        | C::CloseTrading(CloseTrading { target }) => of_target(exchange, *target, String::new()),
        C::CancelMarkets(CancelMarkets { target, yes }) => {
            of_target(exchange, *target, format!("YES pays {}", yes.to_api()))
        }
        C::ResolveMarket(ResolveMarket { market, outcome }) => {
            of_market(exchange, *market, outcome.to_api().to_string())
        }
        C::SeedPool(SeedPool { market, currency, amount, price }) => {
            of_market(exchange, *market, format!("{} at {}", sum(*amount, *currency), price.to_api()))
        }
        C::GrowPool(GrowPool { market, currency, amount, between }) => {
            let between = between.map_or_else(String::new, |PriceRange { low, high }| {
                format!(" while YES is at {} to {}", low.to_api(), high.to_api())
            });
            of_market(exchange, *market, format!("{}{between}", sum(*amount, *currency)))
        }
        C::SetMarketTerms(SetMarketTerms { market, fee_rate, order_min }) => {
            of_market(exchange, *market, terms(*fee_rate, order_min))
        }
        C::ChangeTerms(change) => of_market(exchange, change.market, changed_terms(change)),
        // The action says everything.
        C::OpenOperatorSession(_) | C::EndOperatorSession(_) => summary("", []),
        // Only users and the node may send these; an operator who tries is refused.
        _ => summary("", []),
    }
}

impl Summary {
    fn with(mut self, name: EntrySubject) -> Summary {
        self.names.push(name);
        self
    }
}

/// A command that was proposed in place of being carried out.
pub(super) fn summarise_proposal(exchange: &Exchange, proposal: ProposalId, command: &Command) -> Summary {
    summarise_named(exchange, command).with(EntrySubject::Proposal(proposal))
}

/// With the name of the command.
fn summarise_named(exchange: &Exchange, command: &Command) -> Summary {
    let described = summarise(exchange, command);
    Summary { text: joined(command.name().to_owned(), described.text), ..described }
}

fn proposed(exchange: &Exchange, subject: &Subject, evidence: &Evidence) -> Summary {
    let described = match subject {
        Subject::Resolution { event, verdict } => {
            let text = format!("{}: {}", event_slug(exchange, *event), verdict_text(verdict));
            let markets = match verdict {
                Verdict::Outcomes(rulings) => rulings.as_slice(),
                Verdict::Cancelled { .. } => &[],
            };
            let markets = markets.iter().map(|ruling| EntrySubject::Market(ruling.market));
            summary(text, [EntrySubject::Event(*event)].into_iter().chain(markets))
        }
        Subject::GameResult { game, score } => of_game(exchange, *game, goals(*score)),
        Subject::Command(command) => summarise_named(exchange, command),
    };
    let because: Vec<&str> =
        [&*evidence.text, &*evidence.link].into_iter().filter(|part| !part.is_empty()).collect();
    match because.is_empty() {
        true => described,
        false => Summary { text: format!("{} ({})", described.text, because.join(" ")), ..described },
    }
}

fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Cancelled { yes } => format!("called off, YES pays {}", yes.to_api()),
        Verdict::Outcomes(rulings) => {
            let ruling =
                rulings.iter().map(|ruling| format!("{} {}", ruling.market, ruling.outcome.to_api()));
            ruling.collect::<Vec<_>>().join(", ")
        }
    }
}

fn goals(score: Score) -> String {
    format!("{}:{}", score.home, score.away)
}

fn policy_text(policy: &Policy) -> String {
    let both = |sums: &PerCurrency<Money>| {
        Currency::ALL.map(|currency| sum(*sums.get(currency), currency)).join(" and ")
    };
    format!(
        "{} required, {} s in public, {} an entry, {} a day, {} s in memory",
        if policy.two_required { "two" } else { "one" },
        policy.resolution_delay_seconds,
        both(&policy.entry_max),
        both(&policy.day_max),
        policy.retire_after_seconds
    )
}

fn cancel_only(cause: CancelOnlyCause, on: bool) -> String {
    format!("{} by {}", if on { "on" } else { "off" }, cause.to_api())
}

fn terms(fee_rate: FeeRate, order_min: &PerCurrency<Money>) -> String {
    let minimums = Currency::ALL.map(|currency| sum(*order_min.get(currency), currency));
    format!("fee {} %, at least {}", fee_rate.to_api(), minimums.join(" and "))
}

fn changed_terms(change: &ChangeTerms) -> String {
    let fee = change.fee_rate.map(|rate| format!("fee {} %", rate.to_api()));
    let minimum = given_amounts(&change.order_min).map(|minimums| format!("at least {minimums}"));
    fee.into_iter().chain(minimum).collect::<Vec<_>>().join(", ")
}

/// Only what is given.
fn changed_policy(change: &PolicyChange) -> String {
    let two = change.two_required.map(|two| format!("{} required", if two { "two" } else { "one" }));
    let delay = change.resolution_delay_seconds.map(|seconds| format!("{seconds} s in public"));
    let entry = given_amounts(&change.entry_max).map(|most| format!("{most} an entry"));
    let day = given_amounts(&change.day_max).map(|most| format!("{most} a day"));
    let memory = change.retire_after_seconds.map(|seconds| format!("{seconds} s in memory"));
    [two, delay, entry, day, memory].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn given_amounts(amounts: &PerCurrency<Option<Money>>) -> Option<String> {
    let given =
        Currency::ALL.into_iter().filter_map(|currency| Some(sum((*amounts.get(currency))?, currency)));
    let given: Vec<String> = given.collect();
    (!given.is_empty()).then(|| given.join(" and "))
}

fn sum(amount: Money, currency: Currency) -> String {
    format!("{amount} {}", currency.code())
}

fn of_target(exchange: &Exchange, target: Target, text: String) -> Summary {
    match target {
        Target::Market(market) => of_market(exchange, market, text),
        Target::Event(event) => {
            summary(joined(event_slug(exchange, event), text), [EntrySubject::Event(event)])
        }
    }
}

fn of_market(exchange: &Exchange, market: MarketId, text: String) -> Summary {
    let catalogue = exchange.catalogue();
    let Some(index) = catalogue.find_market(market) else {
        return summary(text, [EntrySubject::Market(market)]);
    };
    let (found, event) = (catalogue.market(index), catalogue.event(catalogue.market(index).event));
    let what = format!("{}, {}", event.slug, found.details.title);
    summary(joined(what, text), [EntrySubject::Event(event.id), EntrySubject::Market(market)])
}

/// The subjects of a game are its events.
fn of_game(exchange: &Exchange, game: GameId, text: String) -> Summary {
    let catalogue = exchange.catalogue();
    let slug =
        catalogue.sports().games.get(&game).map_or_else(|| game.to_string(), |game| game.slug.to_string());
    let linked = catalogue.events_of_game(game).map(|event| EntrySubject::Event(catalogue.event(event).id));
    summary(joined(slug, text), linked)
}

fn joined(what: String, text: String) -> String {
    if text.is_empty() { what } else { format!("{what}: {text}") }
}

fn event_slug(exchange: &Exchange, event: EventId) -> String {
    let catalogue = exchange.catalogue();
    catalogue.find_event(event).map_or_else(String::new, |index| catalogue.event(index).slug.to_string())
}

fn series_slug(exchange: &Exchange, series: SeriesId) -> String {
    let found = exchange.catalogue().find_series(series);
    found.map_or_else(|| series.to_string(), |series| series.terms.slug.to_string())
}

fn user_tag(exchange: &Exchange, user: UserId) -> String {
    let directory = exchange.directory();
    directory.find(user).map_or_else(String::new, |index| directory.user(index).tag.to_string())
}

fn operator_name(exchange: &Exchange, operator: OperatorId) -> String {
    let mut operators = exchange.directory().operators();
    operators.find(|known| known.id == operator).map_or_else(String::new, |known| known.name.to_string())
}
