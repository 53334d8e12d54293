//! Push messages at a fake push service, which verifies the sender and decrypts the message like a browser.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use data_encoding::BASE64URL_NOPAD;
use exchange::command::{CloseTrading, Command, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::order::Outcome;
use parking_lot::Mutex;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature;
use serde_json::{Value, json};
use stage::node::{Stage, User, get, market, post, text, traded};
use stage::soon;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A request to the service.
#[derive(Clone, Debug)]
struct Received {
    path: String,
    head: String,
    body: Vec<u8>,
}

/// A push service on loopback that answers every request with one status.
struct PushService {
    address: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl PushService {
    async fn open(status: u16) -> PushService {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = received.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let kept = kept.clone();
                tokio::spawn(async move {
                    let mut bytes = Vec::new();
                    loop {
                        if let Some(found) = parse(&bytes) {
                            kept.lock().push(found);
                            break;
                        }
                        let mut part = [0; 4_096];
                        match stream.read(&mut part).await {
                            Ok(count) if count > 0 => bytes.extend_from_slice(&part[..count]),
                            _ => return,
                        }
                    }
                    let location = "location: http://127.0.0.1:1/elsewhere\r\n";
                    let answer = format!(
                        "HTTP/1.1 {status} Done\r\n{location}content-length: 0\r\nconnection: close\r\n\r\n"
                    );
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        PushService { address, received }
    }

    async fn wait_for(&self, count: usize) -> Vec<Received> {
        soon(
            || format!("{} of {count} messages came", self.received.lock().len()),
            async || {
                let received = self.received.lock().clone();
                (received.len() >= count).then_some(received)
            },
        )
        .await
    }
}

/// A whole request, once all of it has come.
fn parse(bytes: &[u8]) -> Option<Received> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let raw = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse::<usize>().ok()?;
    let body = bytes[end + 4..].to_vec();
    let path = raw.split(' ').nth(1)?.to_owned();
    (body.len() == length).then_some(Received { path, head: raw, body })
}

/// A browser: a key pair, a secret, and where its messages go.
struct Browser {
    private: EphemeralPrivateKey,
    public: Vec<u8>,
    secret: Vec<u8>,
    path: String,
}

impl Browser {
    fn new(name: &str) -> Browser {
        let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).expect("a key");
        let public = private.compute_public_key().expect("a public key").as_ref().to_vec();
        Browser { private, public, secret: vec![7; 16], path: format!("/send/{name}") }
    }

    async fn subscribe(&self, stage: &Stage, user: &User, service: &PushService) {
        let keys = json!({
            "p256dh": BASE64URL_NOPAD.encode(&self.public),
            "auth": BASE64URL_NOPAD.encode(&self.secret),
        });
        let body = json!({"endpoint": format!("{}{}", service.address, self.path), "keys": keys});
        stage.ask(post("/v1/pm/push-subscriptions").json(&body).in_session(user)).await.expect(201);
        // The notifier learns of it beside the request.
        stage.app().notifying().settle_blocking();
    }

    /// The message, as RFC 8291 describes its decryption, written out here with plain HMACs.
    fn open(self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let (size, rest) = rest.split_at(4);
        assert_eq!(size, 4_096_u32.to_be_bytes());
        let (sender, record) = rest[1..].split_at(usize::from(rest[0]));
        let extract = |salt: &[u8], input: &[u8]| {
            hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, salt), input).as_ref().to_vec()
        };
        let expand =
            |key: &[u8], info: &[u8], length: usize| extract(key, &[info, &[1]].concat())[..length].to_vec();
        let (public, secret) = (self.public, self.secret);
        let sender_key = UnparsedPublicKey::new(&ECDH_P256, sender);
        let shared = agree_ephemeral(self.private, &sender_key, |shared| shared.to_vec()).expect("a secret");
        let info = [&b"WebPush: info\0"[..], &public, sender].concat();
        let input = expand(&extract(&secret, &shared), &info, 32);
        let keys = extract(salt, &input);
        let key = expand(&keys, b"Content-Encoding: aes128gcm\0", 16);
        let nonce = expand(&keys, b"Content-Encoding: nonce\0", 12);
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("a key"));
        let nonce = Nonce::try_assume_unique_for_key(&nonce).expect("a nonce");
        let mut record = record.to_vec();
        let plain =
            cipher.open_in_place(nonce, Aad::empty(), &mut record).expect("a message for this browser");
        let (last, content) = plain.split_last().expect("a delimiter");
        assert_eq!(*last, 2, "the last record");
        serde_json::from_slice(content).expect("JSON")
    }
}

/// The claims of a signed header, once the signature is verified.
fn verified(received: &Received, public_key: &str) -> Value {
    let line = received.head.lines().find_map(|line| line.strip_prefix("authorization: vapid t="));
    let (token, key) = line.expect("a signature").split_once(", k=").expect("a key");
    assert_eq!(key, public_key, "the key that the browser subscribed with");
    let decode = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).expect("base64url");
    let (signed, proof) = token.rsplit_once('.').expect("a signature");
    let key = signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, decode(key));
    key.verify(signed.as_bytes(), &decode(proof)).expect("a valid signature");
    serde_json::from_slice(&decode(signed.split_once('.').expect("claims").1)).expect("JSON")
}

async fn public_key(stage: &Stage) -> String {
    let known = stage.ask(get("/v1/pm/push-subscriptions").in_session(&stage.alice)).await.expect(200);
    text(&known["publicKey"]).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fill_and_a_payout_reach_the_browsers_that_subscribed() {
    let stage = Stage::open_with_push().await;
    let service = PushService::open(201).await;
    let key = public_key(&stage).await;
    let browser = Browser::new("alice");
    browser.subscribe(&stage, &stage.alice, &service).await;
    // Alice's order rests; Bob meets it.
    let order =
        json!({"side": "BUY", "outcomeId": stage.book.yes, "amount": 40, "price": 0.4, "type": "LIMIT"});
    stage.place(&stage.alice.key, &stage.book, &order).await;
    let met = json!({"side": "BUY", "outcomeId": stage.book.no, "amount": 60, "price": 0.6, "type": "LIMIT"});
    stage.place(&stage.bob.key, &stage.book, &met).await;
    let received = service.wait_for(1).await;
    assert_eq!(received[0].path, "/send/alice");
    let claims = verified(&received[0], &key);
    assert_eq!(text(&claims["aud"]), service.address);
    for wanted in ["content-encoding: aes128gcm", "ttl: 86400"] {
        assert!(received[0].head.contains(wanted), "{}", received[0].head);
    }
    let message = browser.open(&received[0].body);
    assert_eq!(text(&message["title"]), "Bought 100 Yes at 40¢");
    assert_eq!(text(&message["body"]), "Will the book hold?");
    assert_eq!(text(&message["url"]), format!("/events/{}?market={}", stage.book.event, stage.book.market));

    // Another key for each further message, because this test opens each with a key that is used once.
    let others = [Browser::new("result"), Browser::new("other")];
    for browser in &others {
        browser.subscribe(&stage, &stage.bob, &service).await;
    }
    let [result, other] = others;
    let market_id = MarketId::new(stage.book.market.as_u128());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(market_id) })).await;
    stage.operate(Command::ResolveMarket(ResolveMarket { market: market_id, outcome: Outcome::No })).await;
    let received = service.wait_for(4).await;
    let to = |path: &str| received.iter().find(|one| one.path == path).expect("a message").body.clone();
    assert_eq!(text(&result.open(&to("/send/result"))["title"]), "Won $100.00");
    assert_eq!(text(&other.open(&to("/send/other"))["title"]), "Won $100.00", "to every subscription");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_price_alert_is_pushed_once() {
    let stage = Stage::open_with_push().await;
    let service = PushService::open(201).await;
    let browser = Browser::new("alert");
    browser.subscribe(&stage, &stage.alice, &service).await;
    let wish = json!({"marketId": stage.pool.market, "outcome": "YES", "price": 0.51});
    stage.write(&stage.alice.key, "POST", "/v1/pm/price-alerts", &wish).await.expect(201);
    for _ in 0..3 {
        stage.clock.advance_seconds(1);
        stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.yes, "BUY", 100.0)).await;
    }
    let received = service.wait_for(1).await;
    let title = browser.open(&received[0].body)["title"].clone();
    assert!(text(&title).starts_with("Yes is at "), "{title}");
    // A message to Bob comes behind all that there are about these prices.
    Browser::new("later").subscribe(&stage, &stage.bob, &service).await;
    let wish = json!({"marketId": stage.pool.market, "outcome": "YES", "price": 0.8});
    stage.write(&stage.bob.key, "POST", "/v1/pm/price-alerts", &wish).await.expect(201);
    stage.clock.advance_seconds(1);
    stage.place(&stage.bob.key, &stage.pool, &market(stage.pool.yes, "BUY", 500.0)).await;
    let paths: Vec<String> = service.wait_for(2).await.into_iter().map(|one| one.path).collect();
    assert_eq!(paths, ["/send/alert", "/send/later"]);
}

/// A push service that takes connections and never answers; the number of them.
async fn silent_service() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let taken = Arc::new(AtomicUsize::new(0));
    let count = taken.clone();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::Relaxed);
            held.push(stream);
        }
    });
    (address, taken)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_never_answers_holds_up_only_the_person_who_named_it() {
    let stage = Stage::open_with_push().await;
    let (address, taken) = silent_service().await;
    let silent = PushService { address, received: Arc::default() };
    for name in ["one", "two", "three", "four", "five"] {
        Browser::new(name).subscribe(&stage, &stage.alice, &silent).await;
    }
    let service = PushService::open(201).await;
    Browser::new("bob").subscribe(&stage, &stage.bob, &service).await;
    traded(&stage).await;
    assert_eq!(service.wait_for(1).await[0].path, "/send/bob");
    assert!(taken.load(Ordering::Relaxed) <= 2, "a person has two places");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subscription_that_its_service_forgot_is_removed_and_no_redirect_is_followed() {
    let stage = Stage::open_with_push().await;
    let (gone, moved) = (PushService::open(410).await, PushService::open(307).await);
    Browser::new("gone").subscribe(&stage, &stage.alice, &gone).await;
    Browser::new("moved").subscribe(&stage, &stage.alice, &moved).await;
    traded(&stage).await;
    gone.wait_for(1).await;
    moved.wait_for(1).await;
    let left = soon("the subscription is still there", async || {
        stage.clock.advance_seconds(1);
        let known = stage.ask(get("/v1/pm/push-subscriptions").in_session(&stage.alice)).await.expect(200);
        let left = known["subscriptions"].as_array().expect("subscriptions").clone();
        (left.len() == 1).then_some(left)
    });
    assert!(text(&left.await[0]["endpoint"]).ends_with("/send/moved"));
}
