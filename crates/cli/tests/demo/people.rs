//! Kills between the two stores, again and again: no person is left without a row, and no row without a person after
//! its expiry.
//!
//! A fail point of the executable kills it right after a row was written, right after a command became durable, or
//! right after rows were deleted. `cargo xtask soak people` runs this very test for longer.

use std::collections::BTreeSet;
use std::path::Path;

use data_encoding::HEXLOWER;
use exchange::Exchange;
use exchange::id::UserId;
use fastrand::Rng;
use serde_json::{Value, json};
use server::audit::past::{Until, replay_until};
use server::people::SqliteRows;
use server::people::moving::{StoreDifferences, compare};
use server::secrets::token_hash;
use stage::demo::Demo;
use stage::drill::plan::Plan;
use uuid::Uuid;

const KILLS: u64 = 6;
const FLAGS: &[&str] = &["--no-bots", "--past-days", "0"];
const POINTS: [&str; 3] = ["row-written", "command-durable", "row-deleted"];
/// The expiry of a row without a command. Long enough for a slow machine, short enough to wait for it.
const ROW_SECONDS: &str = "3";

/// Requests that were answered, and requests that were sent and not answered.
#[derive(Default)]
struct Promises {
    serial: u64,
    created: BTreeSet<UserId>,
    erased: BTreeSet<UserId>,
    /// An erasure without an answer may have happened.
    in_doubt: BTreeSet<UserId>,
    resets: u64,
}

#[test]
fn kills_between_the_two_stores_leave_no_person_without_a_row_and_no_row_without_a_person() {
    let plan = Plan::from_environment(KILLS);
    let mut rng = Rng::with_seed(plan.seed);
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(Demo::start_with(folder.path(), FLAGS).terminate().code(), Some(0));
    let (mut promises, mut kills) = (Promises::default(), 0);
    while !plan.is_over(kills) {
        let point = format!("{}:{}", POINTS[rng.usize(..POINTS.len())], 1 + rng.u64(..3));
        let mut command = Demo::command(folder.path(), FLAGS);
        command.env("BELLWETHER_FAIL_POINT", &point).env("BELLWETHER_ROW_SECONDS", ROW_SECONDS);
        // Leftovers of a dead process may bring the next one to its fail point before it serves.
        if let Some(demo) = Demo::try_started(folder.path(), &mut command) {
            while promises.ask(&demo, &mut rng).is_some() {}
            demo.wait();
        }
        kills += 1;
        let (state, compared) = look(folder.path());
        assert_eq!(compared.missing, [], "after {point} every person has a row");
        promises.check(&state);
        if kills % 25 == 0 {
            println!("{kills} kills");
        }
    }
    end(folder.path(), &promises);
    let Promises { created, erased, resets, .. } = &promises;
    println!(
        "{kills} kills, {} persons made, {} erased, {resets} passwords changed",
        created.len(),
        erased.len()
    );
}

/// The last start: rows without a person are removed after their expiry, and both stores agree.
fn end(folder: &Path, promises: &Promises) {
    let mut command = Demo::command(folder, FLAGS);
    let demo = Demo::started(folder, command.env("BELLWETHER_ROW_SECONDS", ROW_SECONDS));
    let compared = patience::answer("rows without a person stay", || {
        let (_, compared) = look(folder);
        (compared.unnamed == 0).then_some(compared)
    });
    assert_eq!((compared.missing, compared.not_erased), (vec![], vec![]));
    assert_eq!(demo.terminate().code(), Some(0));
    let verdict = server::audit::verify::verify(folder, None, |_, _| {}).expect("a verdict");
    assert_eq!((verdict.problems, verdict.doubts), (vec![], vec![]));
    promises.check(&look(folder).0);
}

/// Opens both stores of a folder.
fn look(folder: &Path) -> (Exchange, StoreDifferences) {
    let state = replay_until(folder, Until::Sequence(u64::MAX - 1), |_, _| {}).expect("a state").exchange;
    let mut rows = SqliteRows::open_reading(folder).expect("a store").expect("a store");
    let compared = compare(&mut rows, &state).expect("a comparison");
    (state, compared)
}

impl Promises {
    /// Sends one more request about a person. `None`: the process is gone.
    fn ask(&mut self, demo: &Demo, rng: &mut Rng) -> Option<()> {
        let present: Vec<UserId> = self.created.difference(&self.erased).copied().collect();
        match (rng.u8(..10), present.get(rng.usize(..present.len().max(1)))) {
            (0..=3, Some(user)) => self.erase(demo, *user),
            (4..=6, Some(user)) => self.reset_password(demo, *user),
            _ => self.create(demo),
        }
    }

    fn create(&mut self, demo: &Demo) -> Option<()> {
        self.serial += 1;
        let name = format!("drill_{}", self.serial);
        let person = json!({"email": format!("{name}@mail.example"), "tag": name, "password": "long enough"});
        let (status, made) = demo.try_operate(demo.text("/operatorToken"), "/admin/v1/users", &person)?;
        if status == 201 {
            self.created.insert(id(&made["userId"]));
        }
        Some(())
    }

    fn erase(&mut self, demo: &Demo, user: UserId) -> Option<()> {
        self.in_doubt.insert(user);
        let path = format!("/admin/v1/users/{user}/erase");
        let (status, answer) = demo.try_operate(demo.text("/operatorToken"), &path, &Value::Null)?;
        // Not found: the unanswered erasure had happened.
        assert!(matches!(status, 200 | 404), "{status}: {answer}");
        self.erased.insert(user);
        Some(())
    }

    /// A person's browser makes a token, an operator approves its code, and the token sets a password.
    fn reset_password(&mut self, demo: &Demo, user: UserId) -> Option<()> {
        let operator = demo.text("/operatorToken");
        let request = ureq::get(format!("{}/admin/v1/users/{user}", demo.text("/adminUrl")));
        let request = request.header("Authorization", format!("Bearer {operator}"));
        let shown = stage::demo::try_answer(request.config().http_status_as_error(false).build().call())?.1;
        let token = Uuid::now_v7().to_string();
        let hash = HEXLOWER.encode(token_hash(token.as_bytes()).as_bytes());
        let send =
            |path: &str, body: Value| demo.send("POST", path, &[], &serde_json::to_vec(&body).expect("JSON"));
        let email = shown["user"]["email"].clone();
        let (status, asked) =
            send("/v1/user/password-reset/request", json!({"email": email, "tokenHash": hash}))?;
        if status != 202 {
            return Some(());
        }
        let approve = format!("/admin/v1/users/{user}/password-reset");
        let (status, _) = demo.try_operate(operator, &approve, &json!({"code": asked["code"]}))?;
        if status == 200 {
            let reset = json!({"token": token, "password": "quite another one"});
            let (status, _) = send("/v1/user/password-reset", reset)?;
            self.resets += u64::from(status == 200);
        }
        Some(())
    }

    /// Checks that every answered request took effect.
    fn check(&self, state: &Exchange) {
        let directory = state.directory();
        for user in &self.created {
            let index = directory.find(*user).expect("a created user is in the directory");
            let is_erased = directory.user(index).erased;
            assert!(is_erased || !self.erased.contains(user), "{user} was erased");
            assert!(!is_erased || self.in_doubt.contains(user), "{user} was not erased");
        }
    }
}

fn id(value: &Value) -> UserId {
    let id: Uuid = value.as_str().and_then(|id| id.parse().ok()).expect("an id");
    UserId::new(id.as_u128())
}
