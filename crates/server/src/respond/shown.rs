//! The content of a response to an operator's command: what it shows of the state, copied right after the command and before
//! the next one. The apply thread makes the copy, because no later reader finds that state again.
//!
//! It follows from the state, the command and its reply alone, so every node stores the same content for a repetition. Handlers
//! render it, and add what the state does not have: emails, feeds, nodes of the log, the words of a message.

use api::Timestamp;
use api::admin::response::{
    AssetState, CancelOnly, EventState, OperatorState, PolicyState, ProposalState, SeriesState, UserState,
    Wallet,
};
use api::json::{WriteJson, Writer};
use api::response::News;
use exchange::Exchange;
use exchange::catalogue::{NewEvent, NewSeries};
use exchange::change::Change;
use exchange::command::{
    CancelMarkets, ChangeRole, ChangeTerms, CloseTrading, Command, ConfirmOperator, CreditWallet,
    DebitWallet, DoOrPropose, EditEvent, EraseUser, FreezeUser, GrowPool, OpenEvent, OpenOperatorSession,
    PauseSeries, PauseTrading, Propose, RecordGameResult, RecordNews, ResolveMarket, ResumeTrading,
    RevokeOperator, SeedPool, SetMarketTerms, SuspendOperator, SuspendUser, Target,
};
use exchange::id::{OperatorId, ProposalId, SeriesId, UserId};
use exchange::numbers::Currency;
use exchange::reply::Reply;
use serde::Deserialize;
use uuid::Uuid;

use crate::history::StoredNews;
use crate::view::resolution::final_from;
use crate::view::words::ToApi;
use crate::view::{admin, news};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum Shown {
    /// The response repeats the request.
    Nothing,
    Event(EventState),
    Events(Vec<EventState>),
    Series(SeriesState),
    /// The latest price of each asset.
    Assets(Vec<AssetState>),
    Operator(OperatorState),
    /// Without email and password.
    User(UserState),
    /// `repeated`: the reference had been used for exactly this before.
    Wallet {
        wallet: Wallet,
        repeated: bool,
    },
    FeesMoved {
        repeated: bool,
    },
    OrdersCancelled(usize),
    Policy(PolicyState),
    CancelOnly(CancelOnly),
    Rules {
        version: u32,
        digest_version: u32,
    },
    Proposed {
        proposal: Uuid,
        final_from: Timestamp,
    },
    /// All that are pending. `erases`: a person was erased, whose row must be overwritten.
    Proposals {
        pending: Vec<ProposalState>,
        erases: bool,
    },
    ResultsFinalised(usize),
    News(News),
    /// The notes that remain are those that history has of the event at this sequence.
    NewsRemoved {
        event: Uuid,
        at: u64,
    },
}

/// Named values as an object.
struct Members<'a>(&'a [(&'static str, &'a dyn WriteJson)]);

impl WriteJson for Members<'_> {
    fn write_json(&self, out: &mut Writer) {
        for (place, (name, value)) in self.0.iter().enumerate() {
            out.raw(if place == 0 { b"{" } else { b"," });
            name.write_json(out);
            out.raw(b":");
            value.write_json(out);
        }
        out.raw(b"}");
    }
}

/// As serde reads an enum: the name of the variant is the only key.
impl WriteJson for Shown {
    fn write_json(&self, out: &mut Writer) {
        let (name, value): (&'static str, &dyn WriteJson) = match self {
            Shown::Nothing => return "Nothing".write_json(out),
            Shown::Event(event) => ("Event", event),
            Shown::Events(events) => ("Events", events),
            Shown::Series(series) => ("Series", series),
            Shown::Assets(assets) => ("Assets", assets),
            Shown::Operator(operator) => ("Operator", operator),
            Shown::User(user) => ("User", user),
            Shown::Wallet { wallet, repeated } => {
                ("Wallet", &Members(&[("wallet", wallet), ("repeated", repeated)]))
            }
            Shown::FeesMoved { repeated } => ("FeesMoved", &Members(&[("repeated", repeated)])),
            Shown::OrdersCancelled(count) => ("OrdersCancelled", count),
            Shown::Policy(policy) => ("Policy", policy),
            Shown::CancelOnly(cancel_only) => ("CancelOnly", cancel_only),
            Shown::Rules { version, digest_version } => {
                ("Rules", &Members(&[("version", version), ("digest_version", digest_version)]))
            }
            Shown::Proposed { proposal, final_from } => {
                ("Proposed", &Members(&[("proposal", proposal), ("final_from", final_from)]))
            }
            Shown::Proposals { pending, erases } => {
                ("Proposals", &Members(&[("pending", pending), ("erases", erases)]))
            }
            Shown::ResultsFinalised(count) => ("ResultsFinalised", count),
            Shown::News(news) => ("News", news),
            Shown::NewsRemoved { event, at } => ("NewsRemoved", &Members(&[("event", event), ("at", at)])),
        };
        Members(&[(name, value)]).write_json(out);
    }
}

impl Shown {
    /// One row for each command; those of users and of the node show nothing, because their responses follow from the reply.
    /// Called right after the command was applied. `None` too if the state lacks the thing.
    #[rustfmt::skip]
    pub fn of(exchange: &Exchange, command: &Command, reply: &Reply) -> Option<Shown> {
        use Command as C;
        Some(match command {
            C::DoOrPropose(DoOrPropose { proposal, command }) => match reply {
                Reply::Proposed(_) => proposed(exchange, *proposal),
                reply => return Shown::of(exchange, command, reply),
            },
            C::Propose(Propose { id, .. }) => proposed(exchange, *id),
            C::Finalise(_) | C::Withdraw(_) => Shown::Proposals { pending: admin::proposals(exchange), erases: erases(exchange) },
            C::FinaliseSeries(_) => Shown::ResultsFinalised(if let Reply::Finalised(count) = reply { *count } else { return None }),

            C::SetPolicy(_) | C::ChangePolicy(_) => Shown::Policy(admin::policy_state(&exchange.governance().policy)),
            C::SetCancelOnly(_) => Shown::CancelOnly(admin::cancel_only(exchange)),
            C::UpgradeRules(_) => rules(exchange),

            C::ChangeRole(ChangeRole { operator, .. })
            | C::ConfirmOperator(ConfirmOperator { operator })
            | C::SuspendOperator(SuspendOperator { operator, .. })
            | C::RevokeOperator(RevokeOperator { operator }) => shown_operator(exchange, *operator)?,
            C::OpenOperatorSession(OpenOperatorSession { token_hash }) => {
                shown_operator(exchange, exchange.directory().find_operator_session(*token_hash)?.0.id)?
            }

            C::SuspendUser(SuspendUser { user, .. })
            | C::FreezeUser(FreezeUser { user, .. })
            | C::EraseUser(EraseUser { user }) => shown_user(exchange, *user)?,
            C::CreditWallet(CreditWallet { user, currency, .. })
            | C::DebitWallet(DebitWallet { user, currency, .. }) => wallet(exchange, (*user, *currency), reply)?,
            C::MoveFees(_) => Shown::FeesMoved { repeated: is_repeated(reply) },
            C::CancelOrdersOf(_) => Shown::OrdersCancelled(if let Reply::Orders(orders) = reply { orders.len() } else { return None }),

            C::CreateEvent(NewEvent { id, .. })
            | C::EditEvent(EditEvent { event: id, .. })
            | C::OpenEvent(OpenEvent { event: id }) => event(exchange, Target::Event(*id))?,
            C::PauseTrading(PauseTrading { target })
            | C::ResumeTrading(ResumeTrading { target })
            | C::CloseTrading(CloseTrading { target })
            | C::CancelMarkets(CancelMarkets { target, .. }) => event(exchange, *target)?,
            C::ResolveMarket(ResolveMarket { market, .. })
            | C::SeedPool(SeedPool { market, .. })
            | C::GrowPool(GrowPool { market, .. })
            | C::SetMarketTerms(SetMarketTerms { market, .. })
            | C::ChangeTerms(ChangeTerms { market, .. }) => event(exchange, Target::Market(*market))?,
            C::CreateSoccerEvents(_) => created(exchange, reply)?,
            C::RecordGameResult(RecordGameResult { game, .. }) => Shown::Events(admin::event_states_of(exchange, *game)),
            C::RecordNews(command) => recorded_news(exchange, command),
            C::CreateSeries(NewSeries { id: series, .. }) | C::PauseSeries(PauseSeries { series, .. }) => shown_series(exchange, *series)?,
            C::RecordPrice(_) => Shown::Assets(admin::assets(exchange)),

            C::CreateUser(_) | C::CreateOperator(_) | C::ApprovePasswordReset(_) | C::ImportSports(_) | C::RecordPicture(_) => Shown::Nothing,
            #[cfg(any(test, feature = "next"))]
            C::DrillUpgrade(_) => rules(exchange),

            C::Tick | C::RecordMasterKey(_) | C::ReplaceMasterKey(_) | C::RecordSkip(_) | C::BreakGlass(_)
            | C::StartLogin(_) | C::OpenSession(_) | C::EndSession | C::EndOperatorSession(_) | C::RequestPasswordReset(_)
            | C::ResetPassword(_) | C::CreateApiKey(_) | C::RevokeApiKey(_) | C::RotateApiKey(_) | C::SetWatchlist(_)
            | C::PlaceOrder(_) | C::PlaceOrders(_) | C::CancelOrder(_) | C::CancelOrders(_) | C::CancelAllOrders(_)
            | C::AmendOrders(_) | C::MintSets(_) | C::BurnSets(_) | C::CancelAfter(_) | C::CancelOnDisconnect(_)
            | C::EndConnection(_) => return None,
        })
    }
}

fn proposed(exchange: &Exchange, id: ProposalId) -> Shown {
    // Right after the command it is pending. Only a repetition whose first answer an earlier build stored finds it ended.
    let pending = exchange.governance().proposal(id);
    let from = pending.map_or_else(|| exchange.now(), |proposal| final_from(exchange, proposal));
    Shown::Proposed { proposal: id.to_api(), final_from: from.to_api() }
}

/// Whether the command erased a person.
fn erases(exchange: &Exchange) -> bool {
    exchange.changes().iter().any(|change| matches!(change, Change::UserErased { .. }))
}

fn rules(exchange: &Exchange) -> Shown {
    Shown::Rules { version: exchange.rules_version(), digest_version: exchange.digest_version() }
}

fn shown_operator(exchange: &Exchange, operator: OperatorId) -> Option<Shown> {
    let found = exchange.directory().operator(operator)?;
    Some(Shown::Operator(admin::operator_state(exchange, found)))
}

fn shown_user(exchange: &Exchange, user: UserId) -> Option<Shown> {
    let directory = exchange.directory();
    Some(Shown::User(admin::user_state(directory.user(directory.find(user)?))))
}

fn wallet(exchange: &Exchange, (user, currency): (UserId, Currency), reply: &Reply) -> Option<Shown> {
    let user = exchange.directory().find(user)?;
    Some(Shown::Wallet { wallet: admin::wallet(exchange, user, currency), repeated: is_repeated(reply) })
}

const fn is_repeated(reply: &Reply) -> bool {
    matches!(reply, Reply::Repeated { .. })
}

/// A market is shown with its event: siblings in a combined event may have changed with it.
fn event(exchange: &Exchange, target: Target) -> Option<Shown> {
    let catalogue = exchange.catalogue();
    let index = match target {
        Target::Event(event) => catalogue.find_event(event)?,
        Target::Market(market) => catalogue.market(catalogue.find_market(market)?).event,
    };
    Some(Shown::Event(admin::event_state(exchange, index)))
}

fn created(exchange: &Exchange, reply: &Reply) -> Option<Shown> {
    let Reply::Events(ids) = reply else { return None };
    let found = ids.iter().filter_map(|id| exchange.catalogue().find_event(*id));
    Some(Shown::Events(found.map(|index| admin::event_state(exchange, index)).collect()))
}

fn shown_series(exchange: &Exchange, series: SeriesId) -> Option<Shown> {
    exchange.catalogue().find_series(series).map(|series| Shown::Series(admin::series_state(series)))
}

fn recorded_news(exchange: &Exchange, command: &RecordNews) -> Shown {
    let RecordNews { event, news, note } = command;
    match note.clone() {
        Some(note) => Shown::News(news::news(&StoredNews { news: *news, note })),
        None => Shown::NewsRemoved { event: event.to_api(), at: exchange.seq() },
    }
}
