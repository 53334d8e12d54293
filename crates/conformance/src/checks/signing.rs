//! Signed requests: which are accepted, and which are refused. They name an unknown order, so nothing changes: a request
//! that is accepted gets 404.

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use serde_json::json;

use crate::check::{Check, Needs, Source, Stop};
use crate::probe::{Probe, unknown_id};
use crate::target::Key;
use crate::wire::{Call, now, signature};

const SECTION: &str = "Authentication: write signing rules";
const CANCEL: &[&str] = &["DELETE /v1/pm/orders/{orderId}"];
const BATCH: &[&str] = &["DELETE /v1/pm/orders/batch"];

const fn signing(
    id: &'static str,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let source = Source::Specification;
    Check { id, section: SECTION, source, title, endpoints: CANCEL, needs: Needs::Key, run }
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        needs: Needs::Nothing,
        endpoints: &[
            "POST /v1/pm/events/{eventId}/markets/{marketId}/orders",
            "DELETE /v1/pm/orders/{orderId}",
            "DELETE /v1/pm/orders/batch",
            "POST /v1/pm/orders/batch",
            "POST /v1/pm/orders/batch/amend",
            "POST /v1/pm/markets/{marketId}/mint",
            "POST /v1/pm/markets/{marketId}/burn",
        ],
        ..signing("signing.none", "Writes without credentials are 401.", none)
    },
    signing("signing.accepted", "A signed request without a body is accepted.", accepted),
    Check {
        endpoints: BATCH,
        ..signing("signing.body", "A signed request with a body is accepted.", accepted_body)
    },
    signing("signing.window", "A timestamp of 100 seconds ago or ahead is accepted.", window),
    signing("signing.expired", "A timestamp of more than 300 seconds ago or ahead is 401.", expired),
    Check {
        source: Source::PublicClients,
        ..signing("signing.replayed", "A request may be sent again while its timestamp is valid.", replayed)
    },
    signing("signing.wrong_secret", "A signature of another secret is 401.", wrong_secret),
    signing("signing.wrong_path", "A signature of another path or method is 401.", wrong_path),
    signing("signing.wrong_time", "A timestamp other than the signed one is 401.", wrong_time),
    Check {
        endpoints: BATCH,
        ..signing("signing.wrong_body", "A body other than the signed one is 401.", wrong_body)
    },
    Check {
        endpoints: BATCH,
        ..signing("signing.capital_hash", "A body hash in capitals is 401.", capital_hash)
    },
    signing("signing.not_base64", "A signature in hexadecimal digits is 401.", not_base64),
    signing("signing.missing_header", "Each of the three headers is needed.", missing_header),
    signing("signing.unknown_key", "An unknown public key is 401.", unknown_key),
];

fn path() -> String {
    format!("/v1/pm/orders/{}", unknown_id())
}

fn unknown_orders() -> String {
    json!({"orderIds": [unknown_id()]}).to_string()
}

fn none(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (event, market) = (unknown_id(), unknown_id());
    let orders = format!("/v1/pm/events/{event}/markets/{market}/orders");
    let (mint, burn) = (format!("/v1/pm/markets/{market}/mint"), format!("/v1/pm/markets/{market}/burn"));
    let order = json!({"side": "BUY", "outcomeId": unknown_id(), "amount": 5, "type": "MARKET"}).to_string();
    let item = json!({"side": "BUY", "outcomeId": unknown_id(), "amount": 5, "type": "LIMIT", "price": 0.01});
    let items = json!({"orders": [item]}).to_string();
    let (cancels, cancel) = (unknown_orders(), path());
    let sets = json!({"quantity": 1}).to_string();
    let amends = json!({"items": [{"orderId": unknown_id(), "newPrice": 0.5}]}).to_string();
    let calls = [
        Call::new("POST", &orders).body(&order),
        Call::new("DELETE", &cancel),
        Call::new("DELETE", "/v1/pm/orders/batch").body(&cancels),
        Call::new("POST", "/v1/pm/orders/batch").body(&items),
        Call::new("POST", "/v1/pm/orders/batch/amend").body(&amends),
        Call::new("POST", &mint).body(&sets),
        Call::new("POST", &burn).body(&sets),
    ];
    for call in calls {
        let answer = probe.send(&call)?;
        probe.refused(&answer, &[401], None);
    }
    Ok(())
}

fn accepted(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.delete(&path())?;
    probe.refused(&answer, &[404], Some("not_found"));
    Ok(())
}

fn accepted_body(probe: &mut Probe<'_>) -> Result<(), Stop> {
    // Spaces belong to the signed bytes.
    let body = format!("{{ \"orderIds\" : [ \"{}\" ] }}", unknown_id());
    let key = probe.key()?;
    let answer = probe.send(&Call::new("DELETE", "/v1/pm/orders/batch").body(&body).signed(key))?;
    probe.status(&answer, 200);
    Ok(())
}

fn window(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let key = probe.key()?;
    for seconds in [-100, 100] {
        let answer = probe.send(&Call::new("DELETE", &path()).signed_at(key, now() + seconds))?;
        probe.status(&answer, 404);
    }
    Ok(())
}

fn expired(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let key = probe.key()?;
    for seconds in [-400, 400] {
        let answer = probe.send(&Call::new("DELETE", &path()).signed_at(key, now() + seconds))?;
        probe.refused(&answer, &[401], None);
    }
    Ok(())
}

fn replayed(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (key, path) = (probe.key()?, path());
    let call = Call::new("DELETE", &path).signed_at(key, now());
    for _ in 0..2 {
        let answer = probe.send(&call)?;
        probe.status(&answer, 404);
    }
    Ok(())
}

fn wrong_secret(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let key = Key { secret: format!("{}x", probe.key()?.secret), ..probe.key()?.clone() };
    let answer = probe.send(&Call::new("DELETE", &path()).signed(&key))?;
    probe.refused(&answer, &[401], None);
    Ok(())
}

/// A request with this signature.
fn with_signature(probe: &mut Probe<'_>, path: &str, seconds: i64, signature: String) -> Result<(), Stop> {
    let call = Call::new("DELETE", path)
        .reader(probe.key()?)
        .header("X-Timestamp", seconds.to_string())
        .header("X-Signature", signature);
    let answer = probe.send(&call)?;
    probe.refused(&answer, &[401], None);
    Ok(())
}

fn wrong_path(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (key, seconds, sent) = (probe.key()?, now(), path());
    with_signature(probe, &sent, seconds, signature(key, seconds, "DELETE", &path(), None))?;
    with_signature(probe, &sent, seconds, signature(key, seconds, "GET", &sent, None))
}

fn wrong_time(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (key, seconds, path) = (probe.key()?, now(), path());
    with_signature(probe, &path, seconds - 1, signature(key, seconds, "DELETE", &path, None))
}

fn wrong_body(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (key, signed, sent) = (probe.key()?, unknown_orders(), unknown_orders());
    let mut call = Call::new("DELETE", "/v1/pm/orders/batch").body(&signed).signed_at(key, now());
    call.body = Some(&sent);
    let answer = probe.send(&call)?;
    probe.refused(&answer, &[401], None);
    Ok(())
}

fn capital_hash(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (key, seconds, body) = (probe.key()?, now().to_string(), unknown_orders());
    let (path, hash) = ("/v1/pm/orders/batch", body_hash(body.as_bytes()).to_uppercase());
    let payload = Payload { timestamp: &seconds, method: "DELETE", path, body_hash: &hash };
    let signature = SigningKey::new(&SecretKey::from_text(&key.secret)).sign(&payload);
    let call = Call::new("DELETE", path)
        .body(&body)
        .reader(key)
        .header("X-Timestamp", seconds.as_str())
        .header("X-Signature", signature);
    let answer = probe.send(&call)?;
    probe.refused(&answer, &[401], None);
    Ok(())
}

fn not_base64(probe: &mut Probe<'_>) -> Result<(), Stop> {
    // As long as the digest in hexadecimal digits.
    with_signature(probe, &path(), now(), "0123456789abcdef".repeat(4))
}

fn missing_header(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let key = probe.key()?;
    for left_out in ["X-Public-Key", "X-Timestamp", "X-Signature"] {
        let path = path();
        let mut call = Call::new("DELETE", &path).signed_at(key, now());
        call.headers.retain(|(name, _)| *name != left_out);
        let mut answer = probe.send(&call)?;
        answer.request = format!("{} without {left_out}", answer.request);
        probe.refused(&answer, &[401], None);
    }
    Ok(())
}

fn unknown_key(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let public = "pk_live_00000000000000000000000000000000".to_owned();
    let key = Key { public, secret: probe.key()?.secret.clone() };
    let answer = probe.send(&Call::new("DELETE", &path()).signed(&key))?;
    probe.refused(&answer, &[401], None);
    Ok(())
}
