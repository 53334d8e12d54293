//! docs/security.md against the code: every limit in its table has the figure that the code enforces, and no limit is
//! missing.

use std::collections::BTreeMap;

use exchange::authority::Authority;
use exchange::command::Command;
use exchange::command::{CreateApiKey, CreateUser, OpenSession, RecordPicture};
use exchange::governance::Consent;
use exchange::id::{Hash32, KeyId, RowId, SessionId, UserId};
use exchange::idempotency::{KEYS_PER_USER_MAX, REMEMBERED_FOR};
use exchange::identity::login_limit::{self, Allowed};
use exchange::identity::{Actor, CONNECTIONS_MAX, KEYS_MAX};
use exchange::limits::{OPEN_ORDERS_MAX, OPEN_ORDERS_PER_MARKET_MAX};
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::{Span, Time};
use exchange::{Exchange, Request};
use server::edge::meter::{COMPARISON_TOKENS_MAX, COMPARISONS_PER_TOKEN, ROWS_PER_TOKEN};
use server::http::admission::{OPERATORS_MAX, OPERATORS_PER_NETWORK_MAX, PER_NETWORK_USUAL};
use server::http::serving::{HEAD_BYTES_MAX, Timeouts};
use server::limits::Rate;
use server::limits::{Limits, OPERATOR_NETWORK_RATE, OPERATOR_RATE, Rates, UNREAD_BYTES_MAX, UPLOAD_TOKENS};
use server::people::entries::{ALERTS_MAX, SUBSCRIPTIONS_MAX};
use server::pictures::making::{PIXELS_MAX, SIDE_MAX};
use server::pictures::{UNNAMED_FOR, UPLOADS_MAX};
use server::streams::{MESSAGE_BYTES_MAX, StreamSettings};
use server::web::{CARD_ROWS, CARDS_MAX};

const PAGE: &str = include_str!("../../../docs/security.md");

/// `20/s`, or `60, then 2/s` where a bucket holds more than a second's worth.
fn rate(rate: Rate) -> String {
    let Rate { tokens, seconds, capacity } = rate;
    match (seconds, capacity == tokens) {
        (1, true) => format!("{tokens}/s"),
        (1, false) => format!("{capacity}, then {tokens}/s"),
        (_, true) => format!("{tokens} in {seconds} s"),
        (_, false) => format!("{capacity}, then {tokens} in {seconds} s"),
    }
}

/// `5 in 5 min`.
fn attempts(allowed: Allowed) -> String {
    format!("{} in {} min", allowed.attempts, allowed.span.micros() / 60_000_000)
}

fn kibibytes(bytes: usize) -> String {
    format!("{} KiB", bytes / 1024)
}

/// The limit of key management per session, found by creating keys until it refuses.
fn key_management() -> Allowed {
    let (mut exchange, at) = (Exchange::new(), Time::from_seconds(1_893_456_000));
    let (user, id) = (UserId::new(7), SessionId::new(8));
    let mut ask = |actor: Actor, command: Command| {
        exchange.apply(at, &Request { actor, idempotency: None, command }).expect("a request of this build")
    };
    let (address, tag) = (Hash32::of("a@example.org"), Text::from("somebody"));
    let (row, expires_at) = (RowId::new(1), Time::NEVER);
    ask(Actor::System, Command::CreateUser(CreateUser { id: user, address, tag, row, expires_at }))
        .expect("a user");
    let (token_hash, device) = (Hash32::of("token"), Text::from("d_1"));
    let open = Command::OpenSession(OpenSession { user, password_version: 0, id, token_hash, device });
    ask(Actor::System, open).expect("a session");
    for attempts in 0.. {
        let name = Text::from(format!("key {attempts}"));
        let create = Command::CreateApiKey(CreateApiKey {
            id: KeyId::new(attempts as u128),
            public_key: name.clone(),
            name,
        });
        if let Err(Reject::LimitReached { retry_at }) = ask(Actor::Session { session: id }, create) {
            return Allowed { attempts, span: Span::seconds((retry_at.micros() - at.micros()) / 1_000_000) };
        }
    }
    panic!("keys are made without end")
}

/// Every limit with its figure, as the code has it.
fn enforced() -> Vec<(&'static str, String)> {
    let (limits, timeouts) = (Limits::new(Rates::default()), Timeouts::default());
    let (pace, streams) = (timeouts.answer, StreamSettings::default());
    let (head, body) = (kibibytes(HEAD_BYTES_MAX), kibibytes(api::read::BODY_BYTES_MAX));
    let window = pace.window.as_secs();
    vec![
        ("connections", PER_NETWORK_USUAL.to_string()),
        ("connections of operators", format!("{OPERATORS_MAX}, {OPERATORS_PER_NETWORK_MAX} of a network")),
        ("head of a request", format!("{head}, {} s", timeouts.header.as_secs())),
        ("body of a request", format!("{body}, {} s", timeouts.body.as_secs())),
        ("answer that is not read", format!("{} KiB/s over {window} s", pace.bytes_min / 1024 / window)),
        (
            "answers that are not read",
            format!("{} MiB, and the answer that passes it", UNREAD_BYTES_MAX >> 20),
        ),
        ("password work", rate(limits.passwords.rate())),
        ("writes of strangers", {
            let strangers = rate(limits.strangers.rate());
            format!("{strangers}; a login beyond that {}", rate(limits.unwritten_logins.rate()))
        }),
        ("logins in a known browser", rate(limits.known_browsers.rate())),
        ("login of the API", attempts(login_limit::API)),
        ("login on the page, of a network", attempts(login_limit::ADDRESS_ON_NETWORK)),
        ("login on the page, of an email", attempts(login_limit::ADDRESS)),
        ("login on the page, of a known browser", attempts(login_limit::ADDRESS_ON_DEVICE)),
        ("key management", attempts(key_management())),
        ("keys", KEYS_MAX.to_string()),
        ("price alerts", ALERTS_MAX.to_string()),
        ("push subscriptions", SUBSCRIPTIONS_MAX.to_string()),
        ("open orders", format!("{OPEN_ORDERS_PER_MARKET_MAX} in a market, {OPEN_ORDERS_MAX} altogether")),
        ("idempotency keys", format!("{KEYS_PER_USER_MAX} in {} h", REMEMBERED_FOR.micros() / 3_600_000_000)),
        ("streams", streams.connections_per_network_max.to_string()),
        ("message of a stream", kibibytes(MESSAGE_BYTES_MAX)),
        ("rooms of a stream", streams.rooms_max.to_string()),
        ("armed streams", CONNECTIONS_MAX.to_string()),
        ("streams altogether", streams.connections_max.to_string()),
        ("messages on a stream", rate(streams.messages)),
        ("`public`", rate(limits.public.rate())),
        ("`files`", rate(limits.files.rate())),
        ("`proofs`", rate(limits.proofs.rate())),
        ("`read`", rate(limits.read.rate())),
        ("`write`", rate(limits.write.rate())),
        ("`cancel`", rate(limits.cancel.rate())),
        ("rows of a public answer", format!("{ROWS_PER_TOKEN} for each token")),
        (
            "titles compared with a keyword",
            format!("{COMPARISONS_PER_TOKEN} for each token, at most {COMPARISON_TOKENS_MAX} tokens"),
        ),
        ("upload of a picture", {
            let bytes = kibibytes(RecordPicture::BYTES_MAX as usize);
            format!("{bytes}, {PIXELS_MAX} pixels, {SIDE_MAX} on a side, {UPLOAD_TOKENS} tokens")
        }),
        ("uploads at once", UPLOADS_MAX.to_string()),
        ("picture that no event names", format!("{} days", UNNAMED_FOR.as_secs() / 86_400)),
        (
            "card images",
            format!("{CARDS_MAX} in 1 min, one of an event; a new one pays for {CARD_ROWS} rows"),
        ),
        ("`operators`", rate(OPERATOR_RATE)),
        ("`operators`, unknown token", rate(OPERATOR_NETWORK_RATE)),
    ]
}

/// The rows of the table of a section, without its head.
fn rows_of(heading: &str) -> Vec<&'static str> {
    let (_, table) = PAGE.split_once(&format!("## {heading}\n")).expect("the section");
    let rows = table.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    rows.take_while(|line| line.starts_with('|')).collect()
}

/// The first two columns of the page's table of limits.
fn documented() -> BTreeMap<String, String> {
    let rows = rows_of("The limits").into_iter();
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let (name, figure) = (cells.next().expect("a limit"), cells.next().expect("a figure"));
        (name.to_owned(), figure.to_owned())
    })
    .collect()
}

#[test]
fn the_table_of_limits_has_every_limit_with_the_figure_that_is_enforced() {
    let enforced: BTreeMap<_, _> =
        enforced().into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect();
    assert_eq!(documented(), enforced);
}

#[test]
fn the_table_of_consent_has_the_rule_of_every_command_of_operators() {
    let rule = |(name, authority, consent): &(&str, Authority, Option<Consent>)| {
        let Consent { alone, meanwhile } = (*consent)?;
        let role = match authority {
            Authority::Approver => "approver",
            _ => "operator",
        };
        Some(format!("| `{name}` | {role} | {} | {} |", alone.describe(), meanwhile.describe()))
    };
    let rules: Vec<String> = Command::CONSENTS.iter().filter_map(rule).collect();
    assert!(rules.len() > 40, "{} commands", rules.len());
    assert_eq!(rows_of("What one person decides alone"), rules);
}
