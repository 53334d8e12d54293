//! A trade on a venue that has just been installed, with nothing but the package, `curl` and `scripts/sign.sh`: an operator
//! creates a question and two people; one bids for YES, the other buys NO from the bid.

use std::process::Command;

use super::release::said;
use super::try_out::Venue;
use crate::json::find;
use crate::process::root;

const TOKEN_FILE: &str = "/var/lib/bellwether/operator.token";
const SLUG: &str = "does-the-package-work";
const PASSWORD: &str = "a password of a trial";

struct Trader {
    public_key: String,
    secret_key: String,
}

pub(super) fn trade(venue: &Venue<'_>) -> Result<(), String> {
    let question = ["--slug", SLUG, "--title", "Does the package work?", "--category", "software"];
    admin(venue, &[&["events", "create"], &question[..]].concat())?;
    admin(venue, &["events", "open", SLUG])?;
    let (bidder, buyer) = (join(venue, "bidder")?, join(venue, "buyer")?);
    let event = said(
        Command::new("curl")
            .args(["--silent", "--fail"])
            .arg(format!("{}/v1/pm/events/slug/{SLUG}", venue.public)),
    )?;
    let event_id = find(&event, "id")?;
    let market = event.split("\"markets\":[").nth(1).ok_or("the event has no markets")?;
    let orders = format!("/v1/pm/events/{event_id}/markets/{}/orders", find(market, "id")?);
    let (yes, no) = (find(market, "outcome1Id")?, find(market, "outcome2Id")?);
    let bid = format!(
        r#"{{"side":"BUY","outcomeId":"{yes}","type":"LIMIT","price":0.6,"amount":6,"currency":"USD"}}"#
    );
    let resting = bidder.send(venue, "POST", &orders, &bid)?;
    let buy = format!(r#"{{"side":"BUY","outcomeId":"{no}","type":"MARKET","amount":4,"currency":"USD"}}"#);
    let filled = buyer.send(venue, "POST", &orders, &buy)?;
    let portfolio = bidder.send(venue, "GET", "/v1/pm/portfolio", "")?;
    println!(
        "    traded: the resting order is {}, the taking order is {}",
        find(&resting, "status")?,
        find(&filled, "status")?
    );
    if find(&resting, "status")? != "open"
        || find(&filled, "status")? != "filled"
        || !portfolio.contains("\"balance\":10")
    {
        return Err(format!("the orders did not trade ten shares:\n{resting}\n{filled}\n{portfolio}"));
    }
    Ok(())
}

/// `bellwether admin`, inside, as the exchange's user.
fn admin(venue: &Venue<'_>, words: &[&str]) -> Result<String, String> {
    let command =
        [&["bellwether", "admin", "--url", &venue.operators, "--token-file", TOKEN_FILE], words].concat();
    venue.root.run(&venue.user, &[format!("BELLWETHER_PASSWORD={PASSWORD}")], &command)
}

/// Creates a person with money, logs in, and creates an API key.
fn join(venue: &Venue<'_>, tag: &str) -> Result<Trader, String> {
    let email = format!("{tag}@example.org");
    admin(venue, &["users", "create", "--email", &email, "--tag", tag])?;
    admin(venue, &["users", "credit", tag, "--currency", "USD", "--amount", "100", "--reference", tag])?;
    let post = |path: &str, headers: &[String], body: &str| {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--fail-with-body", "--header", "Content-Type: application/json"]);
        for header in headers {
            curl.args(["--header", header]);
        }
        said(curl.args(["--data", body]).arg(format!("{}{path}", venue.public)))
    };
    let session = post("/v1/user/login", &[], &format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#))?;
    let headers = [
        format!("x-auth-token: {}", find(&session, "token")?),
        format!("x-device-id: {}", find(&session, "deviceId")?),
    ];
    let key = post("/v1/user/me/api-keys", &headers, r#"{"name":"trial"}"#)?;
    Ok(Trader {
        public_key: find(&key, "publicKey")?.to_owned(),
        secret_key: find(&key, "secretKey")?.to_owned(),
    })
}

impl Trader {
    fn send(&self, venue: &Venue<'_>, method: &str, path: &str, body: &str) -> Result<String, String> {
        let mut sign = Command::new("sh");
        sign.arg(root().join("scripts/sign.sh")).args([method, path]);
        if !body.is_empty() {
            sign.arg(body);
        }
        sign.env("BASE_URL", &venue.public)
            .env("PUBLIC_KEY", &self.public_key)
            .env("SECRET_KEY", &self.secret_key);
        said(&mut sign)
    }
}
