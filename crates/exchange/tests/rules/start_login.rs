//! Login attempts: the limits for the API, for the page on a network and for a known browser; and the user of an
//! address.

use exchange::command::{Command, StartLogin, SuspendUser};
use exchange::id::{Hash32, RowId, UserId};
use exchange::identity::LoginScope;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::{Span, Time};

use crate::rules::world::{START, World, address, id};

fn api(email: &str) -> Command {
    Command::StartLogin(StartLogin { scope: LoginScope::Api { address: Hash32::of(email) } })
}

fn page(email: &str, network: &str) -> Command {
    let address_on_network = Hash32::of(&format!("{email} on {network}"));
    Command::StartLogin(StartLogin {
        scope: LoginScope::Page { address: Hash32::of(email), address_on_network },
    })
}

fn device(email: &str, device: &str) -> Command {
    let address_on_device = Hash32::of(&format!("{email} on {device}"));
    Command::StartLogin(StartLogin { scope: LoginScope::Device { address_on_device } })
}

fn refused_until(at: Time) -> Result<Reply, Reject> {
    Err(Reject::LimitReached { retry_at: at })
}

#[test]
fn login_limit_of_the_api_is_one_request_per_two_minutes_per_email() {
    let mut world = World::new();
    let retry_at = START + Span::minutes(2);
    assert_eq!(world.system(api("alice")), Ok(Reply::Done));
    assert_eq!(world.system(api("bob")), Ok(Reply::Done), "another email has its own limit");
    assert_eq!(world.system(api("alice")), refused_until(retry_at));
    world.now = Time::from_micros(retry_at.micros() - 1);
    assert_eq!(world.system(api("alice")), refused_until(retry_at));
    world.now = retry_at;
    assert_eq!(world.system(api("alice")), Ok(Reply::Done), "a refused attempt does not count");
    assert_eq!(world.system(api("alice")), refused_until(retry_at + Span::minutes(2)));
}

#[test]
fn login_limit_of_the_page_is_five_in_five_minutes_for_an_email_on_a_network() {
    let mut world = World::new();
    for _ in 0..5 {
        assert_eq!(world.system(page("alice", "home")), Ok(Reply::Done));
        world.wait(Span::seconds(10));
    }
    assert_eq!(world.system(page("alice", "home")), refused_until(START + Span::minutes(5)));
    assert_eq!(world.system(page("alice", "office")), Ok(Reply::Done));
    assert_eq!(world.system(page("bob", "home")), Ok(Reply::Done));
    assert_eq!(world.system(api("alice")), Ok(Reply::Done), "the API counts apart");
    world.now = START + Span::minutes(5);
    assert_eq!(world.system(page("alice", "home")), Ok(Reply::Done), "the first attempt no longer counts");
    let second = START + Span::seconds(10) + Span::minutes(5);
    assert_eq!(world.system(page("alice", "home")), refused_until(second), "the second one still does");
}

#[test]
fn login_limit_of_the_page_is_fifty_an_hour_for_an_email_from_all_networks() {
    let mut world = World::new();
    for number in 0..50 {
        assert_eq!(world.system(page("alice", &format!("network {number}"))), Ok(Reply::Done));
    }
    let full = START + Span::hours(1);
    assert_eq!(world.system(page("alice", "home")), refused_until(full));
    assert_eq!(world.system(page("bob", "home")), Ok(Reply::Done));
    assert_eq!(world.system(device("alice", "phone")), Ok(Reply::Done), "a known browser is outside the 50");
    world.now = full;
    for _ in 0..5 {
        assert_eq!(world.system(page("alice", "home")), Ok(Reply::Done));
    }
}

#[test]
fn login_limit_returns_the_later_time_if_two_counts_are_full() {
    let mut world = World::new();
    for number in 0..45 {
        world.system(page("alice", &format!("network {number}"))).expect("an attempt");
    }
    world.wait(Span::minutes(57));
    for _ in 0..5 {
        world.system(page("alice", "home")).expect("an attempt");
    }
    // The email is free again after 3 minutes, this network after 5.
    assert_eq!(world.system(page("alice", "office")), refused_until(START + Span::hours(1)));
    assert_eq!(world.system(page("alice", "home")), refused_until(START + Span::minutes(62)));
}

#[test]
fn login_limit_of_a_known_browser_is_five_in_five_minutes_for_its_email() {
    let mut world = World::new();
    for _ in 0..5 {
        assert_eq!(world.system(device("alice", "phone")), Ok(Reply::Done));
    }
    assert_eq!(world.system(device("alice", "phone")), refused_until(START + Span::minutes(5)));
    assert_eq!(world.system(device("alice", "laptop")), Ok(Reply::Done));
    assert_eq!(world.system(device("bob", "phone")), Ok(Reply::Done));
    world.now = START + Span::minutes(5);
    assert_eq!(world.system(device("alice", "phone")), Ok(Reply::Done));
}

#[test]
fn find_login_knows_users_by_their_address_but_neither_the_house_nor_suspended_users() {
    let mut world = World::new();
    world.user("alice");
    let found = |world: &World, name: &str| {
        let user = world.exchange.directory().find_login(address(name))?;
        Some((user.id, user.row, user.password_version))
    };
    let alice = UserId::new(id("alice"));
    assert_eq!(found(&world, "alice"), Some((alice, Some(RowId::new(id("alice/row"))), 0)));
    assert_eq!(found(&world, "nobody"), None);
    let house = world.exchange.directory().user(world.user_index("house"));
    assert_eq!((house.address, house.row), (None, None), "the house has no login");
    world
        .system(Command::SuspendUser(SuspendUser { user: alice, suspended: true, keep_orders: false }))
        .expect("suspended");
    assert_eq!(found(&world, "alice"), None);
}

#[test]
fn start_login_attempts_are_forgotten_when_they_no_longer_count() {
    let mut world = World::new();
    world.system(api("alice")).expect("an attempt");
    world.wait(Span::minutes(1));
    world.system(page("bob", "home")).expect("an attempt");
    world.system(device("carol", "phone")).expect("an attempt");
    for minute in [2, 6, 61] {
        let due = START + Span::minutes(minute);
        assert_eq!(world.exchange.next_due(), Some(due));
        world.now = due;
        world.system(Command::Tick).expect("a tick");
    }
    assert_eq!(world.exchange.next_due(), None);
}
