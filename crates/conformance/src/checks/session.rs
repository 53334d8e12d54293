//! Login, and the life of an API key.

use serde_json::json;

use crate::check::{Check, Difference, Needs, Source, Stop};
use crate::json::Json;
use crate::probe::{Probe, unknown_id};
use crate::shapes;
use crate::target::Key;
use crate::wire::{Answer, Call};

const SECTION: &str = "Endpoints: User and API keys";
const LOGIN: &str = "POST /v1/user/login";
const CREATE: &str = "POST /v1/user/me/api-keys";
const LIST: &str = "GET /v1/user/me/api-keys";
const REVOKE: &str = "DELETE /v1/user/me/api-keys/{keyId}";
const ROTATE: &str = "POST /v1/user/me/api-keys/{keyId}/rotate";
const KEYS: &str = "/v1/user/me/api-keys";

const fn account(
    id: &'static str,
    endpoints: &'static [&'static str],
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let source = Source::Specification;
    Check { id, section: SECTION, source, title, endpoints, needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    account(
        "session.malformed",
        &[LOGIN],
        "A login without a valid email, without a password, or with one of 129 characters is 400.",
        malformed,
    ),
    account("session.unknown", &[LOGIN], "A login with wrong credentials is 401.", unknown),
    Check {
        section: "Limits",
        ..account(
            "session.limit",
            &[LOGIN],
            "A second login of one address within two minutes is 429.",
            limit,
        )
    },
    Check {
        section: "Authentication",
        ..account(
            "session.none",
            &[CREATE, LIST, REVOKE, ROTATE],
            "Key management without a session is 401.",
            none,
        )
    },
    Check {
        needs: Needs::Login("logs in, creates a key, rotates it and revokes it"),
        ..account(
            "session.keys",
            &[LOGIN, CREATE, LIST, REVOKE, ROTATE],
            "A key is created, listed, rotated and revoked; an old secret stops at once.",
            keys,
        )
    },
];

fn malformed(probe: &mut Probe<'_>) -> Result<(), Stop> {
    // Each address is new: a login counts against one in two minutes of its address.
    let fresh = || format!("{}@example.org", unknown_id());
    for body in [
        json!({}),
        json!({"email": fresh()}),
        json!({"password": "x"}),
        json!({"email": "no-address", "password": "x"}),
        json!({"email": fresh(), "password": "x".repeat(129)}),
    ] {
        let answer = probe.wire.send_once(&Call::new("POST", "/v1/user/login").body(&body.to_string()))?;
        probe.refused(&answer, &[400], None);
    }
    Ok(())
}

/// A login of an address that no server has. Sent once: a 429 is judged, not waited out.
fn try_login(probe: &Probe<'_>, email: &str) -> Result<Answer, Stop> {
    let body = json!({"email": email, "password": "not the password"}).to_string();
    probe.wire.send_once(&Call::new("POST", "/v1/user/login").body(&body))
}

fn unknown(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = try_login(probe, &format!("{}@example.org", unknown_id()))?;
    probe.refused(&answer, &[401], None);
    Ok(())
}

fn limit(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let email = format!("{}@example.org", unknown_id());
    try_login(probe, &email)?;
    let again = try_login(probe, &email)?;
    super::limits::compare_refusal(probe, &again);
    Ok(())
}

fn none(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (one, rotate) = (format!("{KEYS}/{}", unknown_id()), format!("{KEYS}/{}/rotate", unknown_id()));
    for call in [
        Call::new("GET", KEYS),
        Call::new("POST", KEYS).body(r#"{"name":"conformance"}"#),
        Call::new("DELETE", &one),
        Call::new("POST", &rotate),
    ] {
        let answer = probe.send(&call)?;
        probe.refused(&answer, &[401], None);
    }
    Ok(())
}

/// The two headers of a session.
struct Session {
    token: String,
    device: String,
}

impl Session {
    fn open(probe: &mut Probe<'_>) -> Result<Session, Stop> {
        let Some(login) = &probe.target.login else { return Err(Stop::not_tried("no login was given")) };
        let body = json!({"email": login.email, "password": login.password}).to_string();
        let answer = probe.wire.send_once(&Call::new("POST", "/v1/user/login").body(&body).secret())?;
        if answer.status == 429 {
            return Err(Stop::not_tried("the address logged in within the last two minutes"));
        }
        probe.succeeded(&answer, &shapes::SESSION)?;
        let text = |name: &str| answer.value().text(name).unwrap_or_default().to_owned();
        Ok(Session { token: text("token"), device: text("deviceId") })
    }

    fn send(&self, probe: &Probe<'_>, call: Call<'_>) -> Result<Answer, Stop> {
        let call = call.secret().header("x-auth-token", self.token.as_str());
        probe.wire.send_once(&call.header("x-device-id", self.device.as_str()))
    }
}

fn keys(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let session = Session::open(probe)?;
    let name = format!("conformance-{}", unknown_id());
    let listed = session.send(probe, Call::new("GET", KEYS))?;
    probe.succeeded(&listed, &shapes::KEYS)?;
    if listed.value().list("keys").len() >= 2 {
        return Err(Stop::not_tried("the account has two keys already, and more are not allowed"));
    }
    let result = create_and_use(probe, &session, &name);
    // Whatever happened before: the account must not keep the key.
    revoke(probe, &session, &name)?;
    if let Some(key) = result? {
        let refused = probe.send(&Call::new("GET", "/v1/pm/orders").reader(&key))?;
        probe.refused(&refused, &[401], None);
    }
    Ok(())
}

/// Creates a key and uses it. Returns the key as it is at the end; `None`: none was created.
fn create_and_use(probe: &mut Probe<'_>, session: &Session, name: &str) -> Result<Option<Key>, Stop> {
    let body = json!({"name": name}).to_string();
    let created = session.send(probe, Call::new("POST", KEYS).body(&body))?;
    if created.status == 429 {
        return Err(Stop::not_tried("the session has used up its creations of keys for now"));
    }
    probe.need(&created, 201)?;
    probe.shape(&created, &shapes::CREATED_KEY);
    let id = created.value().text("id").unwrap_or_default().to_owned();
    use_key(probe, session, &created, &id, name).map(Some)
}

/// Revokes the key with this name, if there is one. A key that stays is named in the report.
fn revoke(probe: &mut Probe<'_>, session: &Session, name: &str) -> Result<(), Stop> {
    let listed = session.send(probe, Call::new("GET", KEYS))?;
    let mut own = listed.value().list("keys").iter().filter(|key| key.text("name") == Some(name));
    let Some(id) = own.next().and_then(|key| key.text("id")) else {
        if listed.status != 200 {
            probe.ledger.left.push(format!("key {name}: not revoked, because keys cannot be listed"));
        }
        return Ok(());
    };
    let revoked = session.send(probe, Call::new("DELETE", &format!("{KEYS}/{id}")))?;
    if !revoked.is_success() {
        probe.ledger.left.push(format!("key {name}: not revoked: {}", revoked.shown()));
    }
    probe.need_success(&revoked)
}

/// Uses the key, rotates it, and uses both secrets. Returns the rotated key.
fn use_key(
    probe: &mut Probe<'_>,
    session: &Session,
    created: &Answer,
    id: &str,
    name: &str,
) -> Result<Key, Stop> {
    let old = pair(created)?;
    probe.expect(old.public.starts_with("pk_"), "publicKey", "the prefix pk_", "another prefix");
    probe.expect(old.secret.starts_with("sk_"), "secretKey", "the prefix sk_", "another prefix");
    let listed = session.send(probe, Call::new("GET", KEYS))?;
    probe.succeeded(&listed, &shapes::KEYS)?;
    let row = listed.value().list("keys").iter().find(|key| key.text("id") == Some(id)).cloned();
    let row = row.unwrap_or(Json::Null);
    probe.text_is(&listed.request, &row, "name", name);
    let has_secret = String::from_utf8_lossy(&listed.body).contains(&old.secret);
    probe.expect(!has_secret, &listed.request, "no secret", "the secret key");
    let path = format!("/v1/pm/orders/{}", unknown_id());
    let accepted = probe.send(&Call::new("DELETE", &path).signed(&old))?;
    probe.status(&accepted, 404);
    let rotated = session.send(probe, Call::new("POST", &format!("{KEYS}/{id}/rotate")))?;
    probe.succeeded(&rotated, &shapes::ROTATED_KEY)?;
    probe.text_is(&rotated.request, rotated.value(), "id", id);
    probe.text_is(&rotated.request, rotated.value(), "publicKey", &old.public);
    let new = pair(&rotated)?;
    probe.expect(new.secret != old.secret, &rotated.request, "a new secret", "the old one");
    let refused = probe.send(&Call::new("DELETE", &path).signed(&old))?;
    probe.refused(&refused, &[401], None);
    let accepted = probe.send(&Call::new("DELETE", &path).signed(&new))?;
    probe.status(&accepted, 404);
    Ok(new)
}

fn pair(answer: &Answer) -> Result<Key, Stop> {
    let (public, secret) = (answer.value().text("publicKey"), answer.value().text("secretKey"));
    match (public, secret) {
        (Some(public), Some(secret)) => Ok(Key { public: public.to_owned(), secret: secret.to_owned() }),
        _ => Err(Stop::Broken(Difference {
            what: answer.request.clone(),
            expected: "publicKey and secretKey".to_owned(),
            // The body may hold a secret.
            seen: "not both".to_owned(),
        })),
    }
}
