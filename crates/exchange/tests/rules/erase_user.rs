//! An erased person: no address, no row, no access; the id stays in trades, the tag stays taken.

use exchange::Exchange;
use exchange::change::Change;
use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{
    BurnSets, CancelAfter, CancelOrdersOf, Command, CreateUser, CreditWallet, DebitWallet, EraseUser,
    FreezeUser, OpenSession, SetWatchlist, SuspendUser,
};
use exchange::id::{EventId, Hash32, OperationId, RowId, SessionId, UserId};
use exchange::identity::Role;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::persons::{agree, two_required};
use crate::rules::world::{World, address, event_of, id, limit, market_id};

const ERASE_TAG: &str = "alice";

fn alice() -> UserId {
    UserId::new(id(ERASE_TAG))
}

fn erase() -> Command {
    Command::EraseUser(EraseUser { user: alice() })
}

fn debit(world: &mut World, amount: Money) {
    let (currency, reference) = (Currency::Usd, Text::from(format!("out {}", world.exchange.seq())));
    let debit = DebitWallet { user: alice(), currency, amount, reference };
    world.system(Command::DebitWallet(debit)).expect("a debit");
}

fn stage() -> World {
    let mut world = World::new();
    world.operator("olga", Role::Operator);
    world.clob("m", 0);
    world.user(ERASE_TAG);
    world
}

#[test]
fn erase_user_ends_all_access_frees_the_address_and_keeps_id_and_tag() {
    let mut world = stage();
    world.approved_reset(ERASE_TAG, "token");
    let watch =
        Command::SetWatchlist(SetWatchlist { event: event_of("m"), watched: true, is_retired: false });
    world.by(ERASE_TAG, watch.clone()).expect("a followed event");
    world.by(ERASE_TAG, Command::CancelAfter(CancelAfter { seconds: 60 })).expect("a switch");
    assert_eq!(world.run_by("olga", erase()), Ok(Reply::Done), "one operator, at once");
    let told = [Change::AccessChanged { user: alice() }, Change::UserErased { user: alice() }];
    assert_eq!(world.changes(), told);
    assert_eq!(world.exchange.next_due(), None, "no timer is left");
    let directory = world.exchange.directory();
    let index = directory.find(alice()).expect("trades still name the id");
    let user = directory.user(index);
    assert!(user.erased && !user.is_active());
    assert_eq!((user.address, user.row, &*user.tag), (None, None, ERASE_TAG));
    assert_eq!((user.sessions.len(), user.keys.len(), user.password_resets.len()), (0, 0, 0));
    assert_eq!((directory.find_by_address(address(ERASE_TAG)), directory.erased()), (None, &[index][..]));
    assert_eq!(world.by(ERASE_TAG, watch.clone()), Err(Reject::UnknownKey));
    assert_eq!(world.in_session(ERASE_TAG, watch), Err(Reject::UnknownSession));
}

#[test]
fn another_account_may_have_the_address_of_an_erased_user_but_neither_id_nor_tag() {
    let mut world = stage();
    world.run_by("olga", erase()).expect("erased");
    let create = |id, tag: &str| {
        Command::CreateUser(CreateUser {
            id,
            address: address(ERASE_TAG),
            tag: Text::from(tag),
            row: RowId::new(9),
            expires_at: Time::NEVER,
        })
    };
    assert_eq!(world.system(create(alice(), "anew")), Err(Reject::DuplicateId));
    assert_eq!(world.system(create(UserId::new(9), "Alice")), Err(Reject::DuplicateTag));
    assert_eq!(world.system(create(UserId::new(9), "anew")), Ok(Reply::Done));
}

#[test]
fn no_command_reaches_an_erased_user() {
    let mut world = stage();
    world.run_by("olga", erase()).expect("erased");
    let (user, currency, amount) = (alice(), Currency::Usd, Money::whole(1));
    let reference = Text::from("late");
    let commands = [
        erase(),
        Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders: false }),
        Command::FreezeUser(FreezeUser { user, frozen: true }),
        Command::CreditWallet(CreditWallet { user, currency, amount, reference: reference.clone() }),
        Command::DebitWallet(DebitWallet { user, currency, amount, reference }),
        Command::OpenSession(OpenSession {
            user,
            password_version: 0,
            id: SessionId::new(99),
            token_hash: Hash32::of("later"),
            device: Text::from("device"),
        }),
        crate::rules::request_password_reset::request(ERASE_TAG, "later", "AB12CD", "home"),
    ];
    for command in commands {
        assert_eq!(world.system(command.clone()), Err(Reject::UserNotFound), "{command:?}");
        assert!(world.changes().is_empty());
    }
    let none = Command::CancelOrdersOf(CancelOrdersOf { user, event: None, market: None, currency: None });
    assert_eq!(world.system(none), Ok(Reply::Orders(Vec::new())), "there is nothing to cancel");
}

#[test]
fn erase_user_refuses_money_shares_and_open_orders() {
    let mut world = stage();
    let reference = Text::from("in");
    let (user, currency, amount) = (alice(), Currency::Usd, Money::whole(100));
    world.system(Command::CreditWallet(CreditWallet { user, currency, amount, reference })).expect("money");
    assert_eq!(world.run_by("olga", erase()), Err(Reject::AccountNotEmpty), "free money");
    let bid = limit("bid", "m", Outcome::Yes, Side::Buy, Shares::whole(200), 50);
    world.place(ERASE_TAG, bid).expect("an order for all of it");
    assert_eq!(world.free(ERASE_TAG, Currency::Usd), Money::ZERO);
    assert_eq!(world.run_by("olga", erase()), Err(Reject::AccountNotEmpty), "held money and an order");
    let all = CancelOrdersOf { user, event: None, market: None, currency: None };
    world.system(Command::CancelOrdersOf(all)).expect("cancelled");
    world.mint(ERASE_TAG, "m", Currency::Usd, Money::whole(100)).expect("sets");
    assert_eq!(world.run_by("olga", erase()), Err(Reject::AccountNotEmpty), "shares");
    let index = world.user_index(ERASE_TAG);
    assert!(!world.exchange.directory().user(index).erased);
    let (id, market) = (OperationId::new(1), market_id("m"));
    let burn = Command::BurnSets(BurnSets { id, market, currency, amount: Money::whole(100) });
    world.by(ERASE_TAG, burn).expect("money again");
    debit(&mut world, Money::new(99_999_999));
    assert_eq!(world.run_by("olga", erase()), Err(Reject::AccountNotEmpty), "one unit");
    debit(&mut world, Money::new(1));
    assert_eq!(world.run_by("olga", erase()), Ok(Reply::Done), "a position without shares is no obstacle");
}

#[test]
fn erase_user_refuses_strangers_the_house_and_frozen_accounts() {
    let mut world = stage();
    let stranger = Command::EraseUser(EraseUser { user: UserId::new(9) });
    assert_eq!(world.system(stranger), Err(Reject::UserNotFound));
    let house = Command::EraseUser(EraseUser { user: Exchange::HOUSE });
    assert_eq!(world.system(house), Err(Reject::NotAllowed));
    world.system(Command::FreezeUser(FreezeUser { user: alice(), frozen: true })).expect("frozen");
    assert_eq!(world.system(erase()), Err(Reject::UserFrozen), "a freeze keeps everything as it is");
}

#[test]
fn erasing_is_a_proposal_where_two_persons_are_required() {
    let mut world = stage();
    for approver in ["ada", "abel"] {
        world.operator(approver, Role::Approver);
    }
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    assert_eq!(world.run_by("olga", erase()), Err(Reject::NeedsProposal));
    assert_eq!(agree(&mut world, "olga", "abel", erase()), Ok(Reply::Done));
    assert_eq!(world.exchange.directory().erased().len(), 1);
}

#[test]
fn a_snapshot_keeps_who_was_erased() {
    let mut world = stage();
    world.user("bob");
    world.run_by("olga", erase()).expect("erased");
    let restored = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
    assert_eq!(restored.digest(), world.exchange.digest());
    assert_eq!(restored.directory().erased(), world.exchange.directory().erased());
    world.exchange = restored;
    world.wait(Span::seconds(1));
    let probe =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(404), watched: true, is_retired: false });
    assert_eq!(world.by(ERASE_TAG, probe.clone()), Err(Reject::UnknownKey));
    assert_eq!(world.by("bob", probe), Err(Reject::EventNotFound));
}
