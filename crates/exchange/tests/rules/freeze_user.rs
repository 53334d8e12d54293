//! A frozen account: only settlement moves anything of it.

use exchange::Exchange;
use exchange::change::{Change, OrderCause};
use exchange::command::{
    CloseTrading, Command, CreditWallet, DebitWallet, FreezeUser, OpenSession, ResolveMarket, SetWatchlist,
};
use exchange::id::{EventId, Hash32, SessionId, UserId};
use exchange::identity::Role;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::rules::persons::{agree, two_required};
use crate::rules::world::{World, event_of, id, limit};

fn freeze(frozen: bool) -> Command {
    Command::FreezeUser(FreezeUser { user: UserId::new(id("alice")), frozen })
}

fn stage() -> World {
    let mut world = World::new();
    world.operator("olga", Role::Operator);
    world.clob("m", 0);
    world.rich_user("alice", Money::whole(100), Money::whole(10_000));
    world.mint("alice", "m", Currency::Usd, Money::whole(10)).expect("sets");
    world
        .place("alice", limit("bid", "m", Outcome::Yes, Side::Buy, Shares::whole(20), 50))
        .expect("an order");
    world
}

#[test]
fn freeze_user_cancels_orders_ends_sessions_and_refuses_every_command() {
    let mut world = stage();
    assert_eq!(world.run_by("olga", freeze(true)), Ok(Reply::Done), "one operator, at once");
    let cancelled = |change: &Change| matches!(change, Change::Order { cause: OrderCause::Operator, .. });
    assert_eq!(world.changes().iter().filter(|change| cancelled(change)).count(), 1);
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(90), "the hold is back");
    let watch =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(1), watched: true, is_retired: false });
    assert_eq!(world.by("alice", watch.clone()), Err(Reject::UserFrozen));
    assert_eq!(world.in_session("alice", watch), Err(Reject::UnknownSession));
    let user = UserId::new(id("alice"));
    let login = Command::OpenSession(OpenSession {
        user,
        password_version: 0,
        id: SessionId::new(99),
        token_hash: Hash32::of("later"),
        device: Text::from("device"),
    });
    assert_eq!(world.system(login), Err(Reject::UserFrozen));
    let (currency, amount) = (Currency::Usd, Money::whole(1));
    let reference = Text::from("while frozen");
    let credit = Command::CreditWallet(CreditWallet { user, currency, amount, reference: reference.clone() });
    assert_eq!(world.run_by("olga", credit), Err(Reject::UserFrozen));
    let debit = Command::DebitWallet(DebitWallet { user, currency, amount, reference });
    assert_eq!(world.system(debit), Err(Reject::UserFrozen), "the node too");
}

#[test]
fn markets_settle_into_a_frozen_wallet_and_the_release_needs_two_persons_where_they_are_required() {
    let mut world = stage();
    world.run_by("olga", freeze(true)).expect("frozen");
    world
        .system(Command::CloseTrading(CloseTrading {
            target: exchange::command::Target::Event(event_of("m")),
        }))
        .expect("closed");
    let market = crate::rules::world::market_id("m");
    world.system(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes })).expect("resolved");
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(100));
    for approver in ["ada", "abel"] {
        world.operator(approver, Role::Approver);
    }
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    assert_eq!(world.run_by("olga", freeze(false)), Err(Reject::NeedsProposal));
    agree(&mut world, "olga", "abel", freeze(false)).expect("released");
    let watch =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(1), watched: true, is_retired: false });
    assert_eq!(world.by("alice", watch), Err(Reject::EventNotFound), "the key is good again");
}

#[test]
fn freeze_user_refuses_strangers_and_the_house() {
    let mut world = World::new();
    let stranger = Command::FreezeUser(FreezeUser { user: UserId::new(9), frozen: true });
    assert_eq!(world.system(stranger), Err(Reject::UserNotFound));
    let house = Command::FreezeUser(FreezeUser { user: Exchange::HOUSE, frozen: true });
    assert_eq!(world.system(house), Err(Reject::NotAllowed));
}
