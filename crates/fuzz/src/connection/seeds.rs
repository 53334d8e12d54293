//! Valid client input, one connection per seed: reads, writes from the page, streams, operators' requests.

use exchange::Exchange;
use exchange::catalogue::Catalogue;
use exchange::id::{EventId, MarketId, OutcomeId};

use super::{DEVICE, OPERATOR_TOKEN, OPERATORS, PAST, TOKEN, USER};
use crate::world;

const PUBLIC: u8 = 0;

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let exchange: Exchange = world::day(PAST.0, PAST.1, 0).exchange;
    let catalogue = exchange.catalogue();
    let mut seeds = Vec::new();
    for path in READS {
        seeds.push(request(PUBLIC, "GET", path, "Accept-Encoding: gzip\r\nx-trace-id: t\r\n", ""));
        seeds.push(request(PUBLIC, "GET", path, &format!("{}x-wait-for-sequence: 3\r\n", page()), ""));
    }
    let session = format!("x-auth-token: {TOKEN}\r\nx-device-id: {DEVICE}\r\n");
    seeds.push(request(PUBLIC, "POST", "/v1/user/me/api-keys", &session, r#"{"name":"one"}"#));
    for (method, path, body) in WRITES {
        seeds.push(request(PUBLIC, method, path, &page(), body));
    }
    for (event, market) in markets(catalogue) {
        seeds.extend(of_market(event, market));
    }
    for (method, path, body) in OPERATING {
        seeds.push(request(OPERATORS, method, path, &operator(), body));
    }
    let ping = r#"{"type":"ping"}"#;
    seeds.extend(["/ws/v1/markets", "/ws/v1/user", "/ws/v1/realtime"].map(|path| stream(path, ping)));
    let assets = r#"{"type":"subscribe","channel":"asset_prices","symbols":["BTCUSDT"]}"#;
    seeds.push(stream("/ws/v1/realtime", assets));
    let armed =
        format!(r#"{{"type":"cancelOnDisconnect","enabled":true,"auth":{{"accessToken":"{TOKEN}"}}}}"#);
    seeds.push(stream("/ws/v1/user", &armed));
    // Two requests on one connection, the first with a chunked body.
    let chunked = b"POST /v1/auth/check HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    let next = b"GET /version HTTP/1.1\r\nHost: here\r\n\r\n";
    seeds.push([&[PUBLIC], chunked.as_slice(), next].concat());
    seeds
}

fn markets(catalogue: &Catalogue) -> Vec<(EventId, MarketId)> {
    let of_event = |event: &exchange::catalogue::Event| {
        event.markets.iter().map(|index| (event.id, catalogue.market(*index).id)).collect::<Vec<_>>()
    };
    catalogue.events().flat_map(|(_, event)| of_event(event)).take(6).collect()
}

fn of_market(event: EventId, market: MarketId) -> Vec<Vec<u8>> {
    let outcome = OutcomeId::of(market, 0);
    let order = format!(
        r#"{{"side":"BUY","outcomeId":"{outcome}","type":"LIMIT","quantity":10,"price":0.4,"clientOrderId":"m-1"}}"#
    );
    let place = format!("/v1/pm/events/{event}/markets/{market}");
    let keyed = format!("{}Idempotency-Key: abc-1\r\n", page());
    let mut seeds = vec![
        request(PUBLIC, "POST", &format!("{place}/orders"), &keyed, &order),
        request(PUBLIC, "POST", &format!("{place}/quote"), &page(), &order),
        request(PUBLIC, "POST", "/v1/pm/orders/batch", &page(), &format!(r#"{{"orders":[{order}]}}"#)),
        request(PUBLIC, "POST", &format!("/v1/pm/markets/{market}/mint"), &page(), r#"{"amount":5}"#),
        request(PUBLIC, "POST", &format!("/v1/pm/markets/{market}/burn"), &page(), r#"{"amount":1}"#),
    ];
    let reads = [
        format!("/v1/pm/events/{event}"),
        format!("/v1/pm/events/{event}/price-history?timePeriod=24H"),
        format!("/v1/pm/books?outcomeId[]={outcome}&depth=5"),
        format!("/v1/pm/markets/{market}/ticker?outcome=YES"),
        format!("/v1/pm/markets/{market}/candles?interval=1h"),
        format!("/v1/pm/markets/{market}/changes?after=1"),
        format!("/v1/pm/trades?marketId={market}"),
    ];
    seeds.extend(reads.map(|path| request(PUBLIC, "GET", &path, "", "")));
    let messages = [
        format!(r#"{{"type":"subscribe","channel":"orderbook","marketIds":["{market}"],"currency":"USD"}}"#),
        format!(r#"{{"type":"subscribe","channel":"changes","marketIds":["{market}"],"resumeFrom":1}}"#),
        format!(r#"{{"type":"subscribe","channel":"activity","eventId":"{event}","marketId":"{market}"}}"#),
        format!(r#"{{"type":"subscribe","channel":"prices","eventId":"{event}"}}"#),
        format!(r#"{{"type":"subscribe","channel":"user_trades","userId":"{USER}"}}"#),
    ];
    seeds.extend(messages.map(|message| stream("/ws/v1/markets", &message)));
    let own = format!(
        r#"{{"type":"subscribe","channel":"orders","marketIds":["{market}"],"auth":{{"accessToken":"{TOKEN}"}}}}"#
    );
    seeds.push(stream("/ws/v1/user", &own));
    seeds
}

fn page() -> String {
    format!(
        "Sec-Fetch-Site: same-origin\r\nX-Bellwether-Page: 1\r\nCookie: bellwether_session={TOKEN}\r\nContent-Type: application/json\r\n"
    )
}

fn operator() -> String {
    format!("Authorization: Bearer {OPERATOR_TOKEN}\r\n")
}

fn request(listener: u8, method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let text = format!("{method} {path} HTTP/1.1\r\nHost: here\r\n{headers}{length}\r\n{body}");
    [&[listener], text.as_bytes()].concat()
}

/// A handshake and one text frame, masked with zeros so that its text appears unchanged in the input.
fn stream(path: &str, message: &str) -> Vec<u8> {
    let handshake = format!(
        "GET {path} HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let length = u16::try_from(message.len()).expect("a short message").to_be_bytes();
    let head: &[u8] = match message.len() {
        0..126 => &[0x81, 0x80 | length[1]],
        _ => &[0x81, 0xFE, length[0], length[1]],
    };
    [&[PUBLIC], handshake.as_bytes(), head, &[0; 4], message.as_bytes()].concat()
}

const READS: &[&str] = &[
    "/health",
    "/version",
    "/ready",
    "/metrics",
    "/",
    "/no/such/page",
    "/v1/pm/events?trending=true&size=5",
    "/v1/pm/events/series",
    "/v1/pm/trades?limit=10",
    "/v1/pm/sports/leagues",
    "/v1/pm/sports/teams",
    "/v1/pm/sports/games",
    "/v1/pm/solvency",
    "/v1/pm/portfolio?currency=USD",
    "/v1/pm/orders?status=open&size=5",
    "/v1/pm/activities?type=trades",
    "/v1/pm/pnl?timePeriod=ALL&breakdown=true",
    "/v1/wallet/assets",
    "/v1/pm/account/changes?after=1",
    "/v1/pm/liquidity-rewards",
    "/v1/user/lookup?tag=fuzz",
    "/v1/user/me/api-keys",
    "/web/session",
];

const WRITES: &[(&str, &str, &str)] = &[
    ("DELETE", "/v1/pm/orders", r#"{"all":true}"#),
    ("DELETE", "/v1/pm/orders/batch", r#"{"orderIds":["01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00"]}"#),
    ("DELETE", "/v1/pm/orders/01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00", ""),
    (
        "POST",
        "/v1/pm/orders/batch/amend",
        r#"{"orders":[{"orderId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","price":0.5,"newSize":2}]}"#,
    ),
    ("POST", "/v1/pm/orders/cancel-after", r#"{"timeout":60}"#),
    ("OPTIONS", "/v1/pm/orders", ""),
];

const OPERATING: &[(&str, &str, &str)] = &[
    ("GET", "/admin/v1/status", ""),
    ("GET", "/admin/v1/audit?size=5", ""),
    ("GET", "/admin/v1/operators", ""),
    ("GET", "/admin/v1/users?size=5", ""),
    ("GET", "/admin/v1/users/fuzz", ""),
    ("GET", "/admin/v1/events?status=open", ""),
    ("GET", "/admin/v1/proposals", ""),
    ("GET", "/admin/v1/series", ""),
    ("GET", "/admin/v1/sports", ""),
    ("PUT", "/admin/v1/cancel-only", r#"{"on":false}"#),
    ("POST", "/admin/v1/users", r#"{"email":"new@example.org","tag":"newcomer"}"#),
    ("POST", "/admin/v1/users/fuzz/credit", r#"{"currency":"USD","amount":5,"reference":"r-1"}"#),
    (
        "POST",
        "/admin/v1/events",
        r#"{"title":"Rain","slug":"rain","category":"Weather","type":"SINGLE","engine":"CLOB","currencies":["USD"],"closingDate":"2027-01-01T00:00:00Z","resolutionDate":"2027-01-02T00:00:00Z","markets":[{"title":"Rain?","yesLabel":"Yes","noLabel":"No","rules":"r","feePercentage":2}]}"#,
    ),
    ("POST", "/admin/v1/feeds/BTCUSDT/push", r#"{"value":96250.5,"source":"desk"}"#),
    (
        "POST",
        "/admin/v1/sports/import",
        r#"{"leagues":[{"slug":"epl","name":"League","sport":"soccer"}],"teams":[],"games":[]}"#,
    ),
    ("PUT", "/admin/v1/policy", r#"{"twoPersons":false}"#),
];
