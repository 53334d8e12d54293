//! The tool of a check: it sends requests, notes differences, and enters money, orders and sets into the ledger.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::check::{Difference, Stop};
use crate::decimal::Decimal;
use crate::json::{Json, shorten};
use crate::ledger::{Ledger, OpenOrder};
use crate::shape::{Kind, compare};
use crate::shapes;
use crate::socket::Socket;
use crate::target::{Key, Target};
use crate::wire::{Answer, Call, Wire};
use crate::world::{Market, World};

/// Reads of an order that is still `pending`, and the wait between them.
const POLLS: usize = 20;
const POLL_WAIT: Duration = Duration::from_millis(500);

/// The tool of one check.
pub(crate) struct Probe<'a> {
    pub target: &'a Target,
    pub wire: &'a Wire,
    pub world: &'a World,
    pub ledger: &'a mut Ledger,
    pub differences: Vec<Difference>,
}

impl<'a> Probe<'a> {
    /// Sends a request. After a 429 it waits for `Retry-After`, if that is short, and sends the request again.
    pub fn send(&self, call: &Call<'_>) -> Result<Answer, Stop> {
        self.wire.send(call)
    }

    /// A public read.
    pub fn get(&self, path: &str) -> Result<Answer, Stop> {
        self.send(&Call::new("GET", path))
    }

    /// A public request with a body.
    pub fn post(&self, path: &str, body: &Value) -> Result<Answer, Stop> {
        self.send(&Call::new("POST", path).body(&body.to_string()))
    }

    /// A read with the key.
    pub fn read(&self, path: &str) -> Result<Answer, Stop> {
        self.send(&Call::new("GET", path).reader(self.key()?))
    }

    /// A signed request with a body.
    pub fn write(&self, method: &str, path: &str, body: &Value) -> Result<Answer, Stop> {
        self.write_as(self.key()?, method, path, body)
    }

    /// A signed request of a given key.
    pub fn write_as(&self, key: &Key, method: &str, path: &str, body: &Value) -> Result<Answer, Stop> {
        let body = body.to_string();
        self.send(&Call::new(method, path).body(&body).signed(key))
    }

    /// A signed request without a body.
    pub fn delete(&self, path: &str) -> Result<Answer, Stop> {
        self.send(&Call::new("DELETE", path).signed(self.key()?))
    }

    /// Connects to a stream.
    pub fn open(&self, path: &str) -> Result<Socket<'a>, Stop> {
        match &self.world.no_streams {
            Some(reason) => Err(Stop::not_tried(reason.as_str())),
            None => Socket::open(self.wire, path),
        }
    }

    /// Places an order or a batch as one of the two accounts, and notes the orders of the answer first of all.
    pub fn place(&mut self, is_second: bool, path: &str, body: &Value) -> Result<Answer, Stop> {
        let key = if is_second { self.second_key()? } else { self.key()? };
        let answer = self.write_as(key, "POST", path, body)?;
        self.ledger.note_orders(&answer, is_second);
        Ok(answer)
    }

    /// The key.
    pub fn key(&self) -> Result<&'a Key, Stop> {
        self.target.key.as_ref().ok_or_else(|| Stop::not_tried("no key was given"))
    }

    /// The key of the other account.
    pub fn second_key(&self) -> Result<&'a Key, Stop> {
        self.target.second_key.as_ref().ok_or_else(|| Stop::not_tried("no second key was given"))
    }

    /// An open market with a book.
    pub fn book(&self) -> Result<&'a Market, Stop> {
        self.world.books.first().ok_or_else(|| Stop::not_tried("the server has no open CLOB market in USD"))
    }

    /// An open market with a pool.
    pub fn pool(&self) -> Result<&'a Market, Stop> {
        self.world.pools.first().ok_or_else(|| Stop::not_tried("the server has no open AMM market in USD"))
    }

    /// Notes a difference.
    pub fn differ(&mut self, what: impl Into<String>, expected: impl Into<String>, seen: impl Into<String>) {
        let difference = Difference { what: what.into(), expected: expected.into(), seen: seen.into() };
        self.differences.push(difference);
    }

    /// Notes a difference unless `holds`.
    pub fn expect(
        &mut self,
        holds: bool,
        what: impl Into<String>,
        expected: impl Into<String>,
        seen: impl Into<String>,
    ) {
        if !holds {
            self.differ(what, expected, seen);
        }
    }

    /// Notes another status.
    pub fn status(&mut self, answer: &Answer, expected: u16) {
        self.expect(answer.status == expected, &answer.request, format!("status {expected}"), answer.shown());
    }

    /// Ends the check at another status, because later steps depend on it.
    pub fn need(&mut self, answer: &Answer, expected: u16) -> Result<(), Stop> {
        if answer.status == expected {
            return Ok(());
        }
        let (what, expected) = (answer.request.clone(), format!("status {expected}"));
        Err(Stop::Broken(Difference { what, expected, seen: answer.shown() }))
    }

    /// Ends the check unless the status is 2xx. For answers whose status the specification does not show.
    pub fn need_success(&mut self, answer: &Answer) -> Result<(), Stop> {
        if answer.is_success() {
            return Ok(());
        }
        let what = answer.request.clone();
        Err(Stop::Broken(Difference { what, expected: "a status 2xx".to_owned(), seen: answer.shown() }))
    }

    /// Compares a body with a shape.
    pub fn shape(&mut self, answer: &Answer, kind: &Kind) {
        let mut found = Vec::new();
        match &answer.json {
            Some(value) => compare(kind, value, &answer.request, &mut found),
            None => found.push(Difference {
                what: answer.request.clone(),
                expected: "a JSON body".to_owned(),
                seen: shorten(&String::from_utf8_lossy(&answer.body)),
            }),
        }
        if answer.is_secret {
            found
                .iter_mut()
                .for_each(|difference| difference.seen = "another value (body withheld)".to_owned());
        }
        self.differences.append(&mut found);
    }

    /// Compares a message with a shape.
    pub fn message(&mut self, place: &str, message: &Json, kind: &Kind) {
        compare(kind, message, place, &mut self.differences);
    }

    /// An answer with status 200 whose body fits.
    pub fn succeeded(&mut self, answer: &Answer, kind: &Kind) -> Result<(), Stop> {
        self.need(answer, 200)?;
        self.shape(answer, kind);
        Ok(())
    }

    /// A refusal with one of the statuses and, if given, this code. The envelope of most errors has a check of its own.
    pub fn refused(&mut self, answer: &Answer, statuses: &[u16], code: Option<&str>) {
        if !statuses.contains(&answer.status) {
            let expected = statuses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
            self.differ(&answer.request, format!("status {expected}"), answer.shown());
            return;
        }
        if let Some(code) = code {
            let seen = answer.value().text("error").unwrap_or("absent").to_owned();
            self.expect(seen == code, format!("{}.error", answer.request), code, seen);
        }
    }

    /// Notes another value of a text field.
    pub fn text_is(&mut self, place: &str, value: &Json, path: &str, expected: &str) {
        let seen = value.at(path).map_or_else(|| "absent".to_owned(), Json::shown);
        self.expect(value.text(path) == Some(expected), format!("{place}.{path}"), expected, seen);
    }

    /// Notes another value of a number field, compared exactly.
    pub(crate) fn number_is(&mut self, place: &str, value: &Json, path: &str, expected: Decimal) {
        let seen = value.at(path).map_or_else(|| "absent".to_owned(), Json::shown);
        let holds = value.decimal(path) == Some(expected);
        self.expect(holds, format!("{place}.{path}"), expected.to_string(), seen);
    }

    /// Binds money, or leaves the check untried where the limit does not allow it.
    pub fn bind(&mut self, amount: Decimal) -> Result<(), Stop> {
        let after = self.ledger.bound + amount;
        if after > self.target.max_spend {
            let reason =
                format!("it would bind {after} USD, and --max-spend allows {}", self.target.max_spend);
            return Err(Stop::NotTried(reason));
        }
        self.ledger.bound = after;
        self.ledger.most = self.ledger.most.max(after);
        Ok(())
    }

    /// Releases money that came back.
    pub fn release(&mut self, amount: Decimal) {
        self.ledger.bound = (self.ledger.bound - amount).max(Decimal::ZERO);
    }

    /// Forgets an order that is closed.
    pub fn closed(&mut self, id: &str) {
        self.ledger.open.retain(|order: &OpenOrder| order.id != id);
    }

    /// Places a limit order to buy that rests, at a price that takes nothing. Returns the order.
    pub fn rest(&mut self, market: &Market, price: Decimal, more: &Value) -> Result<Json, Stop> {
        self.bind(market.minimum)?;
        let mut body = json!({
            "side": "BUY", "outcomeId": market.outcomes[0], "type": "LIMIT",
            "amount": number(market.minimum), "price": number(price), "currency": "USD",
        });
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more.clone());
        }
        let answer = self.place(false, &market.orders(), &body)?;
        if !answer.is_success() {
            self.release(market.minimum);
        }
        self.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
        let mut order = answer.value().at("order").cloned().unwrap_or(Json::Null);
        if order.text("status") == Some("pending") {
            order = self.settled(order)?;
        }
        self.text_is(&answer.request, &order, "status", "open");
        Ok(order)
    }

    /// Reads an order until it is no longer `pending`. Without a readable order the placed one stands.
    fn settled(&self, placed: Json) -> Result<Json, Stop> {
        let id = placed.text("id").unwrap_or_default().to_owned();
        for _ in 0..POLLS {
            thread::sleep(POLL_WAIT);
            let read = self.order(&id)?;
            if read.text("status") != Some("pending") {
                return Ok(with_status(placed, read.text("status").unwrap_or_default()));
            }
        }
        Ok(placed)
    }

    /// Reads an own order. The specification does not show this read, so a check that cannot use it is not tried.
    pub fn order(&self, id: &str) -> Result<Json, Stop> {
        let answer = self.read(&format!("/v1/pm/orders/{id}"))?;
        let order = answer.value().at("order").unwrap_or(answer.value());
        if answer.status == 200 && order.text("status").is_some() {
            return Ok(order.clone());
        }
        Err(Stop::not_tried(format!("the order cannot be read: {}", answer.shown())))
    }

    /// Cancels an order that `rest` placed.
    pub fn unrest(&mut self, market: &Market, id: &str) -> Result<Answer, Stop> {
        let answer = self.delete(&format!("/v1/pm/orders/{id}"))?;
        self.need_success(&answer)?;
        self.closed(id);
        self.release(market.minimum);
        Ok(answer)
    }

    /// Mints sets and binds their price.
    pub fn mint(&mut self, is_second: bool, market: &Market, sets: Decimal) -> Result<Answer, Stop> {
        self.bind(sets)?;
        let answer = self.change_sets(is_second, market, "mint", sets)?;
        match answer.is_success() {
            true => self.ledger.minted(&market.id, sets, is_second),
            false => self.release(sets),
        }
        self.need(&answer, 200)?;
        Ok(answer)
    }

    /// Burns sets and releases their price.
    pub fn burn(&mut self, is_second: bool, market: &Market, sets: Decimal) -> Result<Answer, Stop> {
        let answer = self.change_sets(is_second, market, "burn", sets)?;
        self.need(&answer, 200)?;
        self.ledger.burned(&market.id, sets, is_second);
        self.release(sets);
        Ok(answer)
    }

    fn change_sets(
        &self,
        is_second: bool,
        market: &Market,
        name: &str,
        sets: Decimal,
    ) -> Result<Answer, Stop> {
        let key = if is_second { self.second_key()? } else { self.key()? };
        let path = format!("/v1/pm/markets/{}/{name}", market.id);
        self.write_as(key, "POST", &path, &json!({"quantity": number(sets), "currency": "USD"}))
    }

    /// The best bid and the best ask for YES in USD, of both outcomes' books: a bid for NO at 0.40 is an offer of YES at
    /// 0.60. 0 and 1: there is none. Without readable books no order may be placed, so the check is not tried.
    pub fn best(&self, market: &Market) -> Result<(Decimal, Decimal), Stop> {
        let [yes, no] = &market.outcomes;
        let books = self.get(&format!("/v1/pm/books?outcomeId[]={yes}&outcomeId[]={no}&currency=USD"))?;
        let mut differences = Vec::new();
        compare(&shapes::BOOKS, books.value(), "books", &mut differences);
        let of = |outcome: &String| {
            books.value().list("").iter().find(|book| book.text("outcomeId") == Some(outcome.as_str()))
        };
        match (of(yes), of(no)) {
            (Some(yes), Some(no)) if books.status == 200 && differences.is_empty() => Ok(best_of(yes, no)),
            _ => Err(Stop::not_tried(format!("the books of a market cannot be read: {}", books.shown()))),
        }
    }

    /// A market with a book in which a bid at the lowest price rests.
    pub fn quiet_book(&self) -> Result<&'a Market, Stop> {
        for market in self.world.books.iter().take(20) {
            let (_, ask) = self.best(market)?;
            if ask > Decimal::hundredths(3) {
                return Ok(market);
            }
        }
        Err(Stop::not_tried("the server has no open CLOB market in USD whose best ask is above 0.03"))
    }

    /// A market with a book, and a price between its best bid and its best ask, as near to the middle as possible.
    pub fn gap(&self) -> Result<(&'a Market, Decimal), Stop> {
        let mut found: Option<(&Market, Decimal)> = None;
        let middle = Decimal::hundredths(50);
        for market in self.world.books.iter().take(20) {
            let (bid, ask) = self.best(market)?;
            for cents in 1..=99 {
                let price = Decimal::hundredths(cents);
                let is_nearer = found.is_none_or(|(_, best)| price.distance(middle) < best.distance(middle));
                if price > bid && price < ask && is_nearer {
                    found = Some((market, price));
                }
            }
        }
        found.ok_or_else(|| Stop::not_tried("no open CLOB market in USD has a gap between its best prices"))
    }

    /// The free balance in USD. The specification does not show the wallet.
    pub fn balance(&self) -> Result<Decimal, Stop> {
        let wallet = self.read("/v1/wallet/assets")?;
        let assets = wallet.value().list("assets").iter();
        let mut usd = assets.filter(|asset| asset.text("symbol") == Some("USD"));
        let balance = usd.next().and_then(|asset| asset.decimal("availableBalance"));
        balance.ok_or_else(|| Stop::not_tried("the wallet shows no availableBalance in USD"))
    }
}

/// The best bid and ask for YES, of the books of both outcomes.
fn best_of(yes: &Json, no: &Json) -> (Decimal, Decimal) {
    let best = |book: &Json, side: &str| book.decimal(&format!("{side}/0/price"));
    let other = |price: Option<Decimal>| price.map(|price| Decimal::ONE - price);
    let bids = [best(yes, "bids"), other(best(no, "asks"))];
    let asks = [best(yes, "asks"), other(best(no, "bids"))];
    let bid = bids.into_iter().flatten().max().unwrap_or(Decimal::ZERO);
    let ask = asks.into_iter().flatten().min().unwrap_or(Decimal::ONE);
    (bid, ask)
}

/// A placed order with the status that a later read gave.
fn with_status(order: Json, status: &str) -> Json {
    let Json::Object(mut members) = order else { return order };
    for (name, value) in &mut members {
        if name == "status" {
            *value = Json::Text(status.to_owned());
        }
    }
    Json::Object(members)
}

/// The statuses of a refusal that the specification leaves open.
pub(crate) const REFUSALS: &[u16] = &[400, 404, 409, 422];

/// An id that no server has.
pub(crate) fn unknown_id() -> String {
    Uuid::now_v7().to_string()
}

/// A decimal as a JSON number. Its digits survive: serde_json writes the shortest form of the float that it stores.
pub(crate) fn number(value: Decimal) -> Value {
    serde_json::from_str(&value.to_string()).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::{best_of, number, with_status};
    use crate::decimal::Decimal;
    use crate::json::Json;

    fn read(text: &str) -> Json {
        Json::parse(text.as_bytes()).expect("valid JSON")
    }

    #[test]
    fn the_best_prices_count_the_book_of_the_other_outcome() {
        let cents = Decimal::hundredths;
        let empty = read(r#"{"bids":[],"asks":[]}"#);
        let yes = read(r#"{"bids":[{"price":0.30}],"asks":[{"price":0.70}]}"#);
        let no = read(r#"{"bids":[{"price":0.40}],"asks":[{"price":0.45}]}"#);
        assert_eq!(best_of(&yes, &empty), (cents(30), cents(70)));
        assert_eq!(best_of(&yes, &no), (cents(55), cents(60)));
        assert_eq!(best_of(&empty, &no), (cents(55), cents(60)));
        assert_eq!(best_of(&empty, &empty), (Decimal::ZERO, Decimal::ONE));
    }

    #[test]
    fn a_pending_order_takes_the_status_of_a_later_read() {
        let order = with_status(read(r#"{"id":"x","status":"pending","size":1}"#), "open");
        assert_eq!(order.to_string(), r#"{"id":"x","status":"open","size":1}"#);
    }

    #[test]
    fn amounts_are_sent_with_their_digits() {
        for literal in ["1", "0.29", "1.1", "33.34", "100.25"] {
            assert_eq!(number(Decimal::parse(literal).expect("a literal")).to_string(), literal);
        }
    }
}
