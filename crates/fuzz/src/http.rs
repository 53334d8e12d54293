//! Parsers of the HTTP contract: any bytes as a query, a body, headers, a signature, a number, a time or an id.
//!
//! Every parser gets every input, since each rejects most of them quickly. An accepted value must be accepted again in
//! its printed form, and only the correct signature is accepted.

use std::sync::LazyLock;

use api::Timestamp;
use api::decimal::{self, Money, Price, Shares, Slippage};
use api::error::BadRequest;
use api::proof::InclusionProof;
use api::query::{
    ActivitiesQuery, BooksQuery, CandlesQuery, ChangesQuery, EventQuery, EventsQuery, GamesQuery,
    MarketChangesQuery, OrdersQuery, PnlQuery, PortfolioQuery, PriceHistoryQuery, RawQuery, RewardsQuery,
    SeriesQuery, TeamsQuery, TickerQuery, TradesQuery, UserLookupQuery,
};
use api::read::{BODY_BYTES_MAX, read};
use api::request::{
    BatchAmend, BatchCancel, BatchPlace, BurnSets, CancelAfter, CancelAll, CreateApiKey, Login, MintSets,
    PasswordReset, PlaceOrder, Quote,
};
use api::signing::{Payload, SecretKey, SignedRequest, SigningKey, body_hash};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use server::http::address::AddressRange;
use server::http::page;

/// The time for checking signatures.
const NOW: i64 = 1_767_225_600;
static KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::new(&SecretKey::from_text("sk_fuzz")));
/// The maximum length of an error message: per input byte (JSON escapes grow sixfold), plus a constant.
const FAULT_BYTES: (usize, usize) = (6, 4_096);

pub(crate) fn run(input: &[u8]) {
    check_bodies(input);
    check_signature(input);
    check_headers(input);
    if let Ok(text) = std::str::from_utf8(input) {
        check_queries(text);
        check_numbers(text);
        check_times(text);
        if let Ok(id) = api::identifier::parse(text) {
            assert_eq!(api::identifier::parse(&id.to_string()), Ok(id), "an id prints as it is read");
        }
        // A text that is not a network is refused when the settings are read.
        let _ = text.parse::<AddressRange>();
    }
}

/// The length of an error message is bounded by the input.
fn check<T>(input: &[u8], read: Result<T, BadRequest>) {
    let Err(fault) = read else { return };
    let (length, (per_byte, own)) = (fault.to_string().len(), FAULT_BYTES);
    assert!(length <= input.len() * per_byte + own, "a fault of {length} bytes");
}

fn check_queries(text: &str) {
    macro_rules! queries {
        ($($query:ident),+ $(,)?) => { $( check(text.as_bytes(), $query::parse(text)); )+ };
    }
    if RawQuery::parse(text).is_err() {
        // Every query starts with this parser.
        assert!(EventsQuery::parse(text).is_err());
        return;
    }
    queries!(
        ActivitiesQuery,
        BooksQuery,
        CandlesQuery,
        ChangesQuery,
        EventQuery,
        EventsQuery,
        GamesQuery,
        MarketChangesQuery,
        OrdersQuery,
        PnlQuery,
        PortfolioQuery,
        PriceHistoryQuery,
        RewardsQuery,
        SeriesQuery,
        TeamsQuery,
        TickerQuery,
        TradesQuery,
        UserLookupQuery,
    );
    if let Ok(query) = EventsQuery::parse(text) {
        assert!((1..=100).contains(&query.size), "a page has 1 to 100 rows");
        let pages = query.pages();
        assert!(pages.offset() < u64::from(query.page) * u64::from(query.size));
    }
}

fn check_bodies(input: &[u8]) {
    macro_rules! bodies {
        ($($body:ty),+ $(,)?) => { $( check(input, read::<$body>(input)); )+ };
    }
    bodies!(
        BurnSets,
        CancelAfter,
        CancelAll,
        CreateApiKey,
        Login,
        MintSets,
        PasswordReset,
        PlaceOrder,
        Quote
    );
    assert_eq!(PlaceOrder::read(input), read::<PlaceOrder>(input), "the one-pass reader agrees");
    assert_eq!(Quote::read(input), read::<Quote>(input), "the one-pass reader agrees");
    check(input, BatchPlace::read(input));
    check(input, BatchAmend::read(input));
    check(input, BatchCancel::read(input));
    if let Ok(proof) = read::<InclusionProof>(input) {
        // Any proof may be submitted; `check` decides whether it holds.
        let _ = proof.check();
        let written = api::json::to_vec(&proof);
        if written.len() <= BODY_BYTES_MAX {
            assert_eq!(read::<InclusionProof>(&written), Ok(proof), "a proof is read as it is written");
        }
    }
}

fn check_numbers(text: &str) {
    for places in 0..=9 {
        if let Ok(units) = decimal::parse(text, places) {
            assert_eq!(decimal::parse(&decimal::print(units, places), places), Ok(units), "{places} places");
        }
    }
    macro_rules! kinds {
        ($($kind:ident),+) => { $(
            if let Ok(number) = $kind::parse(text) {
                assert_eq!($kind::parse(&number.to_string()), Ok(number), "a number prints as it is read");
                let json = api::json::to_vec(&number);
                assert_eq!(serde_json::from_slice::<$kind>(&json).ok(), Some(number), "{json:?}");
            }
        )+ };
    }
    kinds!(Money, Shares, Slippage, Price);
}

fn check_times(text: &str) {
    let Ok(time) = Timestamp::parse(text) else { return };
    assert_eq!(Timestamp::parse_query(text), Ok(time), "a query takes what a body takes");
    assert_eq!(Timestamp::parse(&time.to_string()), Ok(time), "a time prints as it is read");
    assert!(time.start_of_week() <= time && time.start_of_month() <= time && time.start_of_year() <= time);
}

/// The lines of an input: timestamp, signature, method, path; the rest is the body.
fn check_signature(input: &[u8]) {
    let mut lines = input.splitn(5, |byte| *byte == b'\n');
    let mut line = || lines.next().unwrap_or_default();
    let (timestamp, signature, method, path) = (line(), line(), line(), line());
    let body = line();
    let (Ok(method), Ok(path)) = (std::str::from_utf8(method), std::str::from_utf8(path)) else { return };
    let key = SigningKey::new(&SecretKey::from_text("sk_fuzz"));
    let request =
        SignedRequest { timestamp: Some(timestamp), signature: Some(signature), method, path, body };
    let signed = |timestamp, body_hash: &str| key.sign(&Payload { timestamp, method, path, body_hash });
    if request.verify(&key, NOW).is_ok() {
        let timestamp = std::str::from_utf8(timestamp).expect("an accepted timestamp is digits");
        let hash_of_nothing = body.is_empty().then(|| api::signing::body_digest(b""));
        let of_nothing = hash_of_nothing.map(|digest| digest.map(|byte| format!("{byte:02x}")).concat());
        let right = std::iter::once(body_hash(body)).chain(of_nothing).map(|hash| signed(timestamp, &hash));
        let given = String::from_utf8_lossy(signature);
        assert!(right.into_iter().any(|right| right == given), "only the right signature is accepted");
    }
    let timestamp = NOW.to_string();
    let right = signed(&timestamp, &body_hash(body));
    let (timestamp, signature) = (Some(timestamp.as_bytes()), Some(right.as_bytes()));
    let request = SignedRequest { timestamp, signature, method, path, body };
    assert_eq!(request.verify(&key, NOW), Ok(()), "the right signature is accepted");
}

/// The lines of an input as headers. A cookie counts only for a same-origin request.
fn check_headers(input: &[u8]) {
    let mut headers = HeaderMap::new();
    for line in input.split(|byte| *byte == b'\n').take(100) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name), HeaderValue::from_bytes(value)) {
            headers.append(name, value);
        }
    }
    for cookie in [page::Cookie::Session, page::Cookie::Operator] {
        if let page::FoundCookie::One(value) = page::find_cookie(&headers, cookie.name(false)) {
            assert!(!value.contains(';'), "a cookie ends with a semicolon");
        }
    }
    for is_secure in [false, true] {
        let began_here = page::is_from_own_page(&Method::POST, &headers, is_secure);
        let says_where = headers.contains_key(header::ORIGIN) || headers.contains_key("sec-fetch-site");
        assert!(!began_here || says_where, "a write has an origin");
        let is_let_through = page::require_page(&Method::POST, &headers, is_secure).is_ok();
        assert!(!is_let_through || (began_here && page::is_page(&headers)));
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let key = &*KEY;
    let (timestamp, method, path) = (NOW.to_string(), "POST", "/v1/pm/orders/batch");
    let signature = key.sign(&Payload { timestamp: &timestamp, method, path, body_hash: &body_hash(b"{}") });
    let signed = format!("{timestamp}\n{signature}\n{method}\n{path}\n{{}}");
    let empty = key.sign(&Payload { timestamp: &timestamp, method: "DELETE", path, body_hash: "" });
    let unsigned = format!("{timestamp}\n{empty}\nDELETE\n{path}\n");
    SEEDS.iter().map(|text| text.as_bytes().to_vec()).chain([signed.into(), unsigned.into()]).collect()
}

const SEEDS: &[&str] = &[
    "keyword=rain&category=Weather&subcategory=x&status=open&type=SINGLE&engine=CLOB&trending=true&watchlist=0&page=2&size=25",
    "seriesSlug=crypto-btc-15min&sportGameSlug=a-b&currency=usd&size=100",
    "outcomeId[]=01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00,01980d2f-7c1e-7a64-9a53-3f7d2b8c1e01&depth=99&currency=NGN",
    "outcomeId%5B%5D=01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00&outcomeId=01980d2f-7c1e-7a64-9a53-3f7d2b8c1e01",
    "interval=1h&outcome=NO&from=2026-07-28T23:42:38+01:00&to=2026-07-29T23%3A42%3A38.123456Z",
    "after=9223372036854775807&limit=1000&wait=20&currency=NGN",
    "side=BUY&status=open&eventId=01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00&marketId=01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00&clientOrderId=mm-1&after=12",
    "timePeriod=WEEK&start=2026-01-01T00:00:00Z&end=2026-02-01T00:00:00Z&breakdown=true",
    "timePeriod=24H&outcome=YES&marketId[]=01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00&currency=USD",
    "league=epl&date=2026-07-28&email=a%40example.org&tag=alice&type=trades&limit=50",
    r#"{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","amount":100.5,"type":"LIMIT","currency":"USD","price":0.45,"timeInForce":"GTD","postOnly":true,"stpMode":"CANCEL_BOTH","expiresAt":"2026-07-28T23:42:38Z","clientOrderId":"mm-001"}"#,
    r#"{"side":"SELL","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","quantity":1e2,"type":"MARKET","maxSlippage":0.05}"#,
    r#"{"orders":[{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","amount":1,"type":"MARKET"},{"clientOrderId":"x","side":1}]}"#,
    r#"{"orders":[{"orderId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","price":0.5,"size":10.25},{"clientOrderId":"mm-1","price":0.4}]}"#,
    r#"{"amendments":[{"orderId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","price":0.5,"newSize":10.25}]}"#,
    r#"{"orderIds":["01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","01980d2f-7c1e-7a64-9a53-3f7d2b8c1e01"]}"#,
    r#"{"all":true,"eventId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00","currency":"NGN"}"#,
    r#"{"seconds":60,"timeoutSeconds":60}"#,
    r#"{"email":"alice@example.org","password":"correct horse battery","token":"rt_0123456789abcdef"}"#,
    r#"{"name":"desk","amount":12.5,"quantity":12.5,"currency":"USD"}"#,
    r#"{"a":[1,2,{"b":"\ud83d\ude00\n","c":[[[[[[[]]]]]]]}],"a":1}"#,
    "host: here:1\norigin: http://here:1\nx-bellwether-page: 1\ncontent-type: application/json\ncookie: a=1; bellwether_session=tok; __Host-bellwether_session=b",
    "host: here\nsec-fetch-site: same-origin\nx-bellwether-page: 1\ncookie: bellwether_operator=x; bellwether_operator=y",
    "-0.000001e-3",
    "92233720368547.75807E+6",
    "0.010000000999",
    "9999-12-31T23:59:59.9999999Z",
    "2026-07-28T23:42:38.123456789-03:30",
    "01980D2F-7C1E-7A64-9A53-3F7D2B8C1E00",
    "10.0.0.0/8",
    "fd00::/64",
];

#[cfg(test)]
mod tests {
    use api::error::BadRequest;

    use super::check;

    #[test]
    #[should_panic(expected = "a fault of 10000 bytes")]
    fn a_planted_fault_that_is_longer_than_its_input_allows_is_noticed() {
        let planted = |bytes| Err::<(), _>(BadRequest { message: "a".repeat(bytes) });
        check(b"", planted(1_000));
        check(b"", planted(10_000));
    }
}
