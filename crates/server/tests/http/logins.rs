//! The cost of logins and password resets: each network's share of the password work, and the limits of the page's
//! login. The API's login has its own limit, in `sessions`.

use serde_json::{Value, json};
use server::web::WebSettings;
use stage::node::{Answered, Draft, PASSWORD, Stage, delete, post};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

use crate::socket::{Listening, listen, wire};

const ALICE: &str = "alice@example.org";
const LOGIN: &str = "/v1/user/login";
const RESET: &str = "/v1/user/password-reset";
const SESSION: &str = "/web/session";
/// Places for callers that wait for a password to be hashed.
const ROOM: usize = 16;

fn worthless_reset(number: usize) -> Draft {
    post(RESET).json(&json!({"token": format!("made up {number}"), "password": "a new password"}))
}

fn api_login(email: &str, password: &str) -> Draft {
    post(LOGIN).json(&json!({"email": email, "password": password}))
}

fn page_login(email: &str, password: &str) -> Draft {
    post(SESSION).json(&json!({"email": email, "password": password})).on_open_page()
}

/// Sends a request from a loopback address of the caller's choice.
async fn ask_from(listening: &Listening, host: [u8; 4], draft: Draft) -> (u16, Value) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((host, 0).into()).expect("a loopback address");
    let mut stream = socket.connect(listening.address).await.expect("a connection");
    stream.write_all(&wire(draft.header("connection", "close"))).await.expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, serde_json::from_str(body).expect("a JSON body"))
}

#[tokio::test]
async fn a_worthless_reset_token_reaches_neither_argon2_nor_the_journal() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    let before = stage.seq();
    let taken: Vec<_> =
        (0..ROOM).map(|_| stage.app().access().passwords().reserve().expect("a free place")).collect();
    assert!(stage.app().access().passwords().reserve().is_err(), "no password can be hashed now");
    for number in 0..20 {
        let (status, body) = listening.ask(worthless_reset(number)).await;
        assert_eq!(status, 404, "{body}");
        assert_eq!(body["message"], "The token is unknown, used or over");
    }
    assert_eq!(stage.seq(), before, "the journal does not grow");
    drop(taken);
    assert_eq!(listening.ask(api_login(ALICE, PASSWORD)).await.0, 200);
}

#[tokio::test]
async fn the_password_work_of_a_network_is_a_burst_of_60_and_then_two_a_second() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    for number in 0..60 {
        let (status, body) = listening.ask(worthless_reset(number)).await;
        assert_eq!(status, 404, "{number}: {body}");
    }
    let before = stage.seq();
    let drafts = || [worthless_reset(0), api_login(ALICE, PASSWORD), page_login(ALICE, PASSWORD)];
    for draft in drafts() {
        let (status, body) = listening.ask(draft).await;
        assert_eq!((status, &body["error"], &body["retryAfter"]), (429, &json!("rate_limit"), &json!(1)));
    }
    assert_eq!(stage.seq(), before, "a refusal comes before anything is sequenced");
    // The attempt is not used up: the owner logs in from another network at the same moment.
    let elsewhere = [127, 0, 0, 2];
    assert_eq!(ask_from(&listening, elsewhere, api_login(ALICE, PASSWORD)).await.0, 200);
    assert_eq!(ask_from(&listening, elsewhere, page_login(ALICE, PASSWORD)).await.0, 200);
    stage.clock.advance_seconds(1);
    let [reset, _, page] = drafts();
    assert_eq!(listening.ask(reset).await.0, 404);
    assert_eq!(listening.ask(page).await.0, 200);
    assert_eq!(listening.ask(worthless_reset(0)).await.0, 429);
}

/// A stage whose requests come from the address in `x-forwarded-for`.
async fn behind_proxy() -> Stage {
    let stage = Stage::open().await;
    let proxies = vec!["127.0.0.1".parse().expect("an address")];
    assert!(stage.app().web().configure(WebSettings { proxies, ..WebSettings::default() }));
    stage
}

async fn ask_at(stage: &Stage, address: &str, draft: Draft) -> Answered {
    stage.ask(draft.header("x-forwarded-for", address)).await
}

fn device_cookie(answered: &Answered) -> String {
    let cookies = answered.headers.get_all("set-cookie").iter();
    let mut texts = cookies.map(|cookie| cookie.to_str().expect("a text"));
    let cookie = texts.find(|cookie| cookie.starts_with("bellwether_device=")).expect("a device cookie");
    cookie.split(';').next().expect("a pair").to_owned()
}

fn with_device(draft: Draft, cookie: &str) -> Draft {
    draft.header("cookie", cookie)
}

#[tokio::test]
async fn a_typo_on_the_page_locks_no_user_out_and_the_api_keeps_its_own_limit() {
    let stage = Stage::open().await;
    let listening = listen(&stage).await;
    assert_eq!(listening.ask(page_login(ALICE, "a typo")).await.0, 401);
    assert_eq!(listening.ask(page_login(ALICE, PASSWORD)).await.0, 200);
    // The API's attempt is not used up by the page's, nor the page's by the API's.
    assert_eq!(listening.ask(api_login(ALICE, "a typo")).await.0, 401);
    let (status, refused) = listening.ask(api_login(ALICE, PASSWORD)).await;
    assert_eq!((status, &refused["retryAfter"]), (429, &json!(120)));
    assert_eq!(refused["message"], "Too many attempts: try again in 2 min");
    assert_eq!(listening.ask(page_login("Alice@Example.org", PASSWORD)).await.0, 200);
}

#[tokio::test]
async fn the_page_takes_five_attempts_in_five_minutes_for_an_email_on_a_network() {
    let stage = behind_proxy().await;
    let (here, there) = ("203.0.113.8", "203.0.113.9");
    for email in [ALICE, "nobody@example.org"] {
        for _ in 0..5 {
            let wrong = ask_at(&stage, here, page_login(email, "wrong")).await;
            wrong.unauthorized("unauthorized", "wrong_credentials");
            stage.clock.advance_seconds(10);
        }
        let refused = ask_at(&stage, here, page_login(email, PASSWORD)).await.limited(250);
        assert_eq!(refused["message"], "Too many attempts: try again in 4 min 10 s");
        ask_at(&stage, there, page_login(email, "wrong")).await.refused(401, "unauthorized");
    }
    ask_at(&stage, here, page_login("bob@example.org", PASSWORD)).await.expect(200);
    // 120 seconds have passed since the first of Alice's five: 180 are left.
    stage.clock.advance_seconds(199);
    ask_at(&stage, here, page_login(ALICE, PASSWORD)).await.limited(1);
    stage.clock.advance_seconds(1);
    ask_at(&stage, here, page_login(ALICE, PASSWORD)).await.expect(200);
}

/// Uses up the hour's attempts for an email, from as many networks as it takes.
async fn use_up_the_hour(stage: &Stage, email: &str) {
    for number in 0..50 {
        let address = format!("198.51.100.{}", number / 5);
        let wrong = ask_at(stage, &address, page_login(email, "wrong")).await;
        wrong.unauthorized("unauthorized", "wrong_credentials");
    }
}

#[tokio::test]
async fn the_page_takes_fifty_attempts_an_hour_for_an_email_and_a_known_browser_has_its_own() {
    let stage = behind_proxy().await;
    let cookie = device_cookie(&ask_at(&stage, "203.0.113.8", page_login(ALICE, PASSWORD)).await);
    stage.clock.advance_seconds(3_600);
    use_up_the_hour(&stage, ALICE).await;
    let fresh = "203.0.113.9";
    let refused = ask_at(&stage, fresh, page_login(ALICE, PASSWORD)).await.limited(3_600);
    assert_eq!(refused["message"], "Too many attempts: try again in 1 h");
    // Her browser is known on any network; it has five attempts of its own.
    for _ in 0..4 {
        let typo = with_device(page_login(ALICE, "a typo"), &cookie);
        ask_at(&stage, fresh, typo).await.unauthorized("unauthorized", "wrong_credentials");
    }
    let again = ask_at(&stage, fresh, with_device(page_login("Alice@Example.org", PASSWORD), &cookie)).await;
    again.expect(200);
    let device = |cookie: &str| cookie.split_once('.').expect("two parts").0.to_owned();
    assert_eq!(device(&device_cookie(&again)), device(&cookie), "a browser stays one device");
    ask_at(&stage, fresh, with_device(page_login(ALICE, PASSWORD), &cookie)).await.limited(300);
}

#[tokio::test]
async fn a_device_cookie_counts_for_its_email_alone_and_a_forged_one_counts_as_none() {
    let stage = behind_proxy().await;
    let cookie = device_cookie(&ask_at(&stage, "203.0.113.8", page_login(ALICE, PASSWORD)).await);
    let bobs = device_cookie(&ask_at(&stage, "203.0.113.8", page_login("bob@example.org", PASSWORD)).await);
    stage.clock.advance_seconds(3_600);
    use_up_the_hour(&stage, ALICE).await;
    let (device, code) = cookie.split_once('.').expect("two parts");
    let (_, bobs_code) = bobs.split_once('.').expect("two parts");
    let last = if code.ends_with('0') { '1' } else { '0' };
    let forged = [
        bobs.clone(),
        format!("{device}.{bobs_code}"),
        format!("{device}.{}{last}", &code[..code.len() - 1]),
        format!("{device}."),
        device.to_owned(),
        format!("{device}0.{code}"),
        "bellwether_device=".to_owned(),
        format!("{cookie}; {cookie}"),
    ];
    for forged in forged {
        let draft = with_device(page_login(ALICE, PASSWORD), &forged);
        let answered = ask_at(&stage, "203.0.113.9", draft).await;
        assert_eq!(answered.status, 429, "{forged}: {}", answered.text());
    }
    ask_at(&stage, "203.0.113.9", with_device(page_login(ALICE, PASSWORD), &cookie)).await.expect(200);
}

const HERE: &str = "203.0.113.8";

fn reset_request(number: u32) -> Draft {
    let email = format!("nobody-{number}@example.org");
    post("/v1/user/password-reset/request").json(&json!({"email": email, "tokenHash": "a".repeat(64)}))
}

/// Strangers at an address write into the journal what they may, slowly enough for the limit of password work. Three more
/// come due meanwhile.
async fn strangers_write_all_they_may(stage: &Stage, address: &str) {
    for number in 0..203 {
        stage.clock.advance_seconds(i64::from(number % 2));
        ask_at(stage, address, reset_request(number)).await.expect(202);
    }
    ask_at(stage, address, reset_request(203)).await.refused(429, "rate_limit");
}

#[tokio::test]
async fn failures_of_others_at_an_address_lock_nobody_out_and_write_nothing_more() {
    let stage = behind_proxy().await;
    strangers_write_all_they_may(&stage, HERE).await;
    let before = stage.seq();
    let wrong = async |email: &str| ask_at(&stage, HERE, api_login(email, "wrong")).await.status;
    for email in ["bob@example.org", "nobody@example.org"] {
        assert_eq!((wrong(email).await, wrong(email).await), (401, 429), "one guess: {email}");
    }
    assert_eq!(ask_at(&stage, HERE, api_login("bob@example.org", PASSWORD)).await.status, 429);
    assert_eq!(stage.seq(), before, "failures leave nothing");
    ask_at(&stage, HERE, api_login(ALICE, PASSWORD)).await.expect(200);
    assert_eq!(stage.seq(), before + 2, "the attempt that succeeded, and its session");
    ask_at(&stage, HERE, api_login(ALICE, PASSWORD)).await.limited(120);
    assert_eq!(stage.seq(), before + 2, "the limit of the email is known without a command");
    // The site may write again 19 seconds later, the guess that left nothing waits for longer.
    stage.clock.advance_seconds(18);
    assert_eq!(wrong("bob@example.org").await, 429);
}

#[tokio::test]
async fn a_browser_that_is_known_pays_neither_for_its_network_nor_for_its_site() {
    let stage = behind_proxy().await;
    let cookie = device_cookie(&ask_at(&stage, "198.51.100.1", page_login(ALICE, PASSWORD)).await);
    strangers_write_all_they_may(&stage, HERE).await;
    for number in 0..61 {
        ask_at(&stage, HERE, worthless_reset(number)).await;
    }
    ask_at(&stage, HERE, page_login("bob@example.org", PASSWORD)).await.refused(429, "rate_limit");
    let known = |password: &str| with_device(page_login(ALICE, password), &cookie);
    let before = stage.seq();
    let typo = ask_at(&stage, HERE, known("a typo")).await;
    typo.unauthorized("unauthorized", "wrong_credentials");
    assert_eq!(typo.header("ratelimit"), Some("\"known\";r=4;t=30"));
    assert_eq!(typo.header("ratelimit-policy"), Some("\"known\";q=1;w=30"));
    assert_eq!(stage.seq(), before + 1, "it counts");
    ask_at(&stage, HERE, known(PASSWORD)).await.expect(200);
    // Its own are used up: it is a stranger like all others here.
    for _ in 0..3 {
        ask_at(&stage, HERE, known("a typo")).await.unauthorized("unauthorized", "wrong_credentials");
    }
    ask_at(&stage, HERE, known(PASSWORD)).await.refused(429, "rate_limit");
}

/// The name of the limit that an answer shows, and how many requests it leaves.
fn shown(answered: &Answered) -> (String, u32) {
    let header = answered.header("ratelimit").expect("a charge");
    let mut parts = header.split(';');
    let name = parts.next().expect("a name").trim_matches('"').to_owned();
    let left = parts.next().and_then(|part| part.strip_prefix("r=")).expect("a number");
    (name, left.parse().expect("a number"))
}

#[tokio::test]
async fn a_login_and_a_reset_show_how_many_more_pass() {
    for (limit, spent) in [("passwords", 1), ("strangers", 180)] {
        let stage = behind_proxy().await;
        let mut last = None;
        for number in 0..spent {
            stage.clock.advance_seconds(i64::from(number % 2));
            last = Some(ask_at(&stage, HERE, reset_request(number)).await);
        }
        let (name, left) = shown(&last.expect("an answer"));
        assert_eq!(name, limit);
        for number in (0..left).rev() {
            let answered = ask_at(&stage, HERE, reset_request(1_000 + number)).await;
            assert_eq!((answered.status, shown(&answered)), (202, (limit.to_owned(), number)));
        }
        let refused = ask_at(&stage, HERE, reset_request(2_000)).await;
        assert_eq!((refused.status, shown(&refused)), (429, (limit.to_owned(), 0)));
    }
    let stage = behind_proxy().await;
    let wrong = ask_at(&stage, HERE, api_login("nobody@example.org", "wrong")).await;
    assert_eq!(shown(&wrong), ("passwords".to_owned(), 59));
    assert_eq!(wrong.header("ratelimit-policy"), Some("\"passwords\";q=2;w=1"));
    let right = ask_at(&stage, HERE, api_login(ALICE, PASSWORD)).await;
    assert_eq!(shown(&right), ("passwords".to_owned(), 58));
}

/// The limits of the page, over a socket, from networks that a trusted proxy forwards.
#[tokio::test]
async fn through_a_socket_a_stranger_locks_out_neither_a_network_nor_a_known_browser() {
    let stage = behind_proxy().await;
    let listening = listen(&stage).await;
    let ask = |address: &str, draft: Draft| listening.answer(draft.header("x-forwarded-for", address));
    let home = ask("203.0.113.8", page_login(ALICE, PASSWORD)).await;
    home.expect(200);
    let cookie = device_cookie(&home);
    for _ in 0..5 {
        ask("198.51.100.7", page_login(ALICE, "guessed"))
            .await
            .unauthorized("unauthorized", "wrong_credentials");
    }
    let refused = ask("198.51.100.7", page_login(ALICE, PASSWORD)).await.limited(300);
    assert_eq!(refused["message"], "Too many attempts: try again in 5 min");
    ask("203.0.113.9", page_login(ALICE, PASSWORD)).await.expect(200);
    // 50 in an hour for the email: seven are used up, and no network has more than five of the others.
    for number in 0..43 {
        let address = format!("192.0.2.{}", number / 5);
        ask(&address, page_login(ALICE, "guessed")).await.unauthorized("unauthorized", "wrong_credentials");
    }
    ask("203.0.113.10", page_login(ALICE, PASSWORD)).await.limited(3_600);
    ask("203.0.113.10", with_device(page_login(ALICE, PASSWORD), &cookie)).await.expect(200);
}

#[tokio::test]
async fn a_logout_leaves_the_device_cookie_and_a_failed_login_sets_none() {
    let stage = Stage::open().await;
    let answered = stage.ask(page_login(ALICE, PASSWORD)).await;
    let flags = "; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000";
    let expected = format!("{}{flags}", device_cookie(&answered));
    assert!(answered.headers.get_all("set-cookie").iter().any(|cookie| *cookie == *expected));
    let wrong = stage.ask(page_login(ALICE, "wrong")).await;
    assert_eq!(wrong.header("set-cookie"), None);
    let out = stage.ask(delete(SESSION).on_page(&stage.alice)).await;
    out.expect(200);
    let cookies: Vec<_> = out.headers.get_all("set-cookie").iter().collect();
    assert!(cookies.len() == 1 && cookies[0].to_str().expect("a text").starts_with("bellwether_session=;"));
}

#[tokio::test]
async fn neither_emails_nor_addresses_nor_their_plain_hashes_of_a_login_are_in_the_journal() {
    let stage = behind_proxy().await;
    let (email, address) = ("nobody-here@example.org", "203.0.113.77");
    ask_at(&stage, address, page_login(email, "wrong")).await.refused(401, "unauthorized");
    ask_at(&stage, address, api_login(email, "wrong")).await.refused(401, "unauthorized");
    let mut journal = Vec::new();
    for entry in std::fs::read_dir(stage.folder().join("journal")).expect("a folder") {
        journal.extend(std::fs::read(entry.expect("a file").path()).expect("bytes"));
    }
    let has = |part: &[u8]| journal.windows(part.len()).any(|window| window == part);
    assert!(has(b"alice"), "the journal is read as it is written");
    assert!(!has(b"alice@example.org") && !has(b"argon2"), "a person is an opaque id");
    let plain = exchange::id::Hash32::of(email);
    let sha256: [u8; 32] = sha2::Digest::finalize(sha2::Digest::chain_update(
        <sha2::Sha256 as sha2::Digest>::new(),
        email.as_bytes(),
    ))
    .into();
    for part in [email.as_bytes(), address.as_bytes(), plain.as_bytes(), &sha256, &[203, 0, 113, 77]] {
        assert!(!has(part), "{part:?}");
    }
}
