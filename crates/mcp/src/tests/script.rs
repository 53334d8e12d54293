//! A venue that answers by a script and records every call.

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::venue::{Call, Failure, Method, Venue};

pub(super) const EVENT: &str = "01a1bc5a-58c0-7001-b783-506990d08a2f";
pub(super) const MARKET: &str = "01a1bc5a-58c0-7002-ac77-bf654389c453";
pub(super) const YES: &str = "b0de5ab7-4915-86ae-86ec-858d51d4f061";
pub(super) const NO: &str = "8ef6f829-2b98-86f2-8e2d-69554922eb08";
pub(super) const ORDER: &str = "01a1e590-28af-719d-a520-6c72e6243234";

/// The venue's reaction to an order or a mint.
#[derive(Clone, Debug)]
pub(super) enum Write {
    Answers(Value),
    Fails(Failure),
    /// Waits until the test lets it pass, then answers.
    Waits(Arc<Semaphore>, Value),
}

/// The venue's reaction to a look-up of orders.
#[derive(Clone, Debug)]
pub(super) enum Reads {
    Answer,
    Fail(Failure),
    /// Never answers.
    Hang,
}

/// A venue with one event.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) event: Value,
    /// All events of a search.
    pub(super) found: Vec<Value>,
    pub(super) write: Mutex<Write>,
    /// The order that a look-up finds, also by a name that it does not have.
    pub(super) lookup: Mutex<Option<Value>>,
    /// Further orders of the list.
    pub(super) listed: Mutex<Vec<Value>>,
    pub(super) order_reads: Mutex<Reads>,
    pub(super) trades: Vec<Value>,
    /// The `clientOrderId` of the last order that was sent. Orders of the script without a name have this one.
    name: Mutex<Option<String>>,
    pub(super) cancelled: Mutex<Value>,
    pub(super) refusal: Option<&'static str>,
    pub(super) calls: Arc<Mutex<Vec<Call>>>,
}

impl Script {
    pub(super) fn new(write: Write) -> Script {
        Script {
            event: event("rain", "Rain in Lagos"),
            found: Vec::new(),
            write: Mutex::new(write),
            lookup: Mutex::default(),
            listed: Mutex::default(),
            order_reads: Mutex::new(Reads::Answer),
            trades: vec![trade("USD", "0.5")],
            name: Mutex::default(),
            cancelled: Mutex::default(),
            refusal: None,
            calls: Arc::default(),
        }
    }

    fn answer(&self, call: &Call) -> Result<Value, Failure> {
        let path = call.path.as_str();
        let slug = self.event["slug"].as_str().unwrap_or_default();
        let missing = Err(Failure::Refused { status: 404, code: None });
        match (call.method, path) {
            (Method::Get, "/v1/pm/events") => Ok(json!({"events": self.found, "pagination": pagination()})),
            (Method::Get, "/v1/pm/events/series") => Ok(json!({"series": [series()]})),
            (Method::Get, "/v1/pm/books") => {
                Ok(json!([{"bids": [{"price": 0.48, "quantity": 5}], "asks": []}]))
            }
            (Method::Get, "/v1/pm/trades") => Ok(json!({"data": self.trades})),
            (Method::Get, "/v1/wallet/assets") => {
                Ok(json!({"assets": [{"symbol": "USD", "availableBalance": 100, "pendingBalance": 0}]}))
            }
            (Method::Get, "/v1/pm/portfolio") => {
                Ok(json!({"outcomeBalances": [self.position()], "pagination": pagination()}))
            }
            (Method::Get, "/v1/pm/activities") => Ok(json!({"activities": [self.activity()]})),
            (Method::Get, "/v1/pm/solvency") => Ok(solvency()),
            (Method::Get, "/v1/pm/orders") => Ok(self.orders(call)),
            (Method::Get, _) if path.starts_with("/v1/pm/orders/") => {
                self.lookup.lock().clone().map_or(missing, |order| Ok(self.named(order)))
            }
            (Method::Get, _) if path == format!("/v1/pm/events/{EVENT}") => Ok(self.event.clone()),
            (Method::Get, _) if path == format!("/v1/pm/events/slug/{slug}") => Ok(self.event.clone()),
            (Method::Get, _) if path.ends_with("/resolution") => Ok(self.resolution()),
            (Method::Get, _) if path.ends_with("/ticker") => Ok(ticker()),
            (Method::Get, _) if path.ends_with("/candles") => Ok(json!({"candles": []})),
            (Method::Post, _) if path.ends_with("/quote") => Ok(self.quote()),
            (Method::Post, "/v1/pm/orders/cancel-all") => {
                Ok(json!({"orders": [self.named(self.cancelled.lock().clone())], "total": 1, "message": ""}))
            }
            (Method::Delete, _) => {
                Ok(json!({"message": "", "order": self.named(self.cancelled.lock().clone())}))
            }
            _ => missing,
        }
    }

    /// A page of the list of orders.
    fn orders(&self, call: &Call) -> Value {
        let asked =
            |name: &str| call.query.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
        let mut found: Vec<Value> = self.lookup.lock().clone().into_iter().collect();
        found.extend(self.listed.lock().clone());
        if let Some(status) = asked("status") {
            found.retain(|order| order["status"] == status);
        }
        let number = |name| asked(name).map(|text| text.parse::<usize>().expect("a number"));
        let (start, size) = (number("after").unwrap_or(0), number("size").unwrap_or(20));
        let page: Vec<Value> =
            found.iter().skip(start).take(size).map(|order| self.named(order.clone())).collect();
        let mut answer = json!({"orders": page, "pagination": pagination()});
        if found.len() > start + size {
            answer["nextCursor"] = (start + size).to_string().into();
        }
        answer
    }

    /// An order with the name of the last one that was sent, unless it has a name.
    fn named(&self, mut order: Value) -> Value {
        let name = self.name.lock().clone();
        if let (Some(fields), Some(name)) = (order.as_object_mut(), name) {
            fields.entry("clientOrderId").or_insert(name.into());
        }
        order
    }

    fn placed(&self, mut answer: Value) -> String {
        if let Some(order) = answer.get_mut("order") {
            *order = self.named(order.take());
        }
        answer.to_string()
    }

    fn quote(&self) -> Value {
        let order = self.refusal.map(|code| {
            json!({"restingSize": 0, "cancelledSize": 0, "hold": 0, "cancelledOrders": 0,
                   "refusal": {"code": code, "message": "words of the venue"}})
        });
        json!({"price": 0.5, "currentMarketPrice": 0.5, "quantity": 10, "amount": 5, "fee": 0.1,
               "priceImpactAbsolute": 0, "completeFill": true, "tradeGoesOverMaxLiability": false, "order": order})
    }

    fn position(&self) -> Value {
        let market = &self.event["markets"][0];
        json!({"outcome": "YES", "balance": 3, "availableBalance": 3, "averagePrice": 0.5, "cost": 1.5,
               "currentValue": 1.4, "payoutIfOutcomeWins": 3, "currency": "USD",
               "market": {"title": market["title"], "outcome1Label": market["outcome1Label"],
                          "outcome2Label": market["outcome2Label"],
                          "event": {"id": EVENT, "title": self.event["title"]}}})
    }

    fn activity(&self) -> Value {
        json!({"type": "PAYOUT_WIN", "eventTitle": self.event["title"], "marketTitle": self.event["title"],
               "outcome": "YES", "currency": "USD", "amount": "1", "fee": "0", "size": "1", "price": "1",
               "createdAt": "2026-11-17T10:00:00Z"})
    }

    fn resolution(&self) -> Value {
        let title = &self.event["title"];
        json!({"eventId": EVENT, "status": "open", "rules": title, "rulesSha256": "00",
               "markets": [{"marketId": MARKET, "title": title, "rules": title, "status": "open", "settledAt": ""}],
               "verdicts": [{"verdict": {"type": "outcomes", "outcomes": []}, "evidence": {"text": title, "link": title},
                             "proposedBy": "operator", "proposedAt": "2026-11-17T10:00:00Z", "ending": "withdrawn",
                             "reason": title, "endedBy": "operator", "endedAt": "2026-11-17T10:00:00Z"}]})
    }
}

impl Venue for Script {
    async fn send(&self, call: Call) -> Result<String, Failure> {
        self.calls.lock().push(call.clone());
        if call.key.is_none() {
            let reads = self.order_reads.lock().clone();
            return match reads {
                Reads::Fail(failure) if call.path.starts_with("/v1/pm/orders") => Err(failure),
                Reads::Hang if call.path.starts_with("/v1/pm/orders") => std::future::pending().await,
                _ => self.answer(&call).map(|value| value.to_string()),
            };
        }
        let body: Value = serde_json::from_str(call.body.as_deref().expect("a body")).expect("JSON");
        if let Some(name) = body["clientOrderId"].as_str() {
            *self.name.lock() = Some(name.to_owned());
        }
        let write = self.write.lock().clone();
        match write {
            Write::Answers(value) => Ok(self.placed(value)),
            Write::Fails(failure) => Err(failure),
            Write::Waits(gate, value) => {
                gate.acquire().await.expect("the gate stays open").forget();
                Ok(self.placed(value))
            }
        }
    }
}

pub(super) fn event(slug: &str, title: &str) -> Value {
    json!({"id": EVENT, "slug": slug, "title": title, "category": "weather", "type": "single", "engine": "CLOB",
           "status": "open", "closingDate": "2027-01-01T00:00:00Z", "resolutionDate": "", "liquidity": 0,
           "totalVolume": 12.5, "supportedCurrencies": ["USD"], "description": "", "markets": [market(title)]})
}

pub(super) fn market(title: &str) -> Value {
    json!({"id": MARKET, "title": title, "status": "open", "outcome1Id": YES, "outcome2Id": NO,
           "outcome1Label": "YES", "outcome2Label": "NO", "outcome1Price": 0.5, "outcome2Price": 0.5,
           "yesBuyPrice": 0.5, "noBuyPrice": 0.5, "minimumOrderAmount": 1, "feePercentage": 2, "rules": title,
           "resolvedOutcome": ""})
}

/// An answer to a placed order.
pub(super) fn placed(status: &str, filled: &str, average: &str) -> Value {
    json!({"engine": "CLOB", "order": order(status, filled, average)})
}

pub(super) fn order(status: &str, filled: &str, average: &str) -> Value {
    json!({"id": ORDER, "eventId": EVENT, "marketId": MARKET, "outcome": "YES", "outcomeLabel": "YES", "side": "BUY",
           "orderType": "LIMIT", "status": status, "amount": 5, "price": 0.5, "size": 10, "filledSize": number(filled),
           "remainingSize": 0, "avgFillPrice": number(average), "fee": 0, "currency": "USD",
           "createdAt": "2026-11-17T10:00:00Z"})
}

fn pagination() -> Value {
    json!({"page": 1, "size": 10, "lastPage": 1, "totalCount": 1})
}

fn series() -> Value {
    json!({"slug": "s", "displayName": "S", "assetSymbol": "BTC", "intervalType": "HOURLY"})
}

pub(super) fn trade(currency: &str, price: &str) -> Value {
    json!({"outcome": "YES", "price": number(price), "size": 1, "currency": currency, "takerSide": "BUY",
           "createdAt": "2026-11-17T10:00:00Z"})
}

fn number(text: &str) -> Value {
    serde_json::from_str(text).expect("a number")
}

fn ticker() -> Value {
    json!({"lastPrice": 0.5, "midPrice": 0.5, "volume24h": 1, "high24h": 0.5, "low24h": 0.5, "priceChange24h": -0.04,
           "tradeCount24h": 1})
}

fn solvency() -> Value {
    json!({"sequence": 1, "at": "", "frameHash": "", "stateDigest": "", "solvent": true, "currencies": [],
           "markets": [{"backed": true}], "proof": {"root": "00", "leaves": 6}})
}
