//! The tool of a check: it sends requests, notes differences, and keeps account of money and of open orders.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::check::{Difference, Stop};
use crate::decimal::Decimal;
use crate::json::{Json, shorten};
use crate::shape::{Kind, compare};
use crate::shapes;
use crate::socket::Socket;
use crate::target::{Key, Target};
use crate::wire::{Answer, Call, Wire};
use crate::world::{Market, World};

/// An order that a check placed and has not seen closed.
#[derive(Clone, Debug)]
pub(crate) struct OpenOrder {
    pub id: String,
    /// Whether it belongs to the second key.
    pub is_second: bool,
}

/// The ledger of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    /// Bound by orders, mints and trades now.
    pub bound: Decimal,
    /// The most that was bound at a time.
    pub most: Decimal,
    pub open: Vec<OpenOrder>,
}

/// The tool of one check.
pub(crate) struct Probe<'a> {
    pub target: &'a Target,
    pub wire: &'a Wire,
    pub world: &'a World,
    pub ledger: &'a mut Ledger,
    pub differences: Vec<Difference>,
}

impl<'a> Probe<'a> {
    /// Sends a request, again if the server asks to wait a little.
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
        // A repetition after 429 keeps its timestamp: the waits are far below the window.
        self.send(&Call::new(method, path).body(&body).signed(key))
    }

    /// A signed request without a body.
    pub fn delete(&self, path: &str) -> Result<Answer, Stop> {
        self.send(&Call::new("DELETE", path).signed(self.key()?))
    }

    /// Connects to a stream.
    pub fn open(&self, path: &str) -> Result<Socket<'a>, Stop> {
        Socket::open(self.wire, path)
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

    /// Ends the check at another status: what follows would mean nothing.
    pub fn need(&mut self, answer: &Answer, expected: u16) -> Result<(), Stop> {
        if answer.status == expected {
            return Ok(());
        }
        let (what, expected) = (answer.request.clone(), format!("status {expected}"));
        Err(Stop::Broken(Difference { what, expected, seen: answer.shown() }))
    }

    /// Compares a body with a shape.
    pub fn shape(&mut self, answer: &Answer, kind: &Kind) {
        match &answer.json {
            Some(value) => compare(kind, value, &answer.request, &mut self.differences),
            None => {
                let seen = shorten(&String::from_utf8_lossy(&answer.body));
                self.differ(&answer.request, "a JSON body", seen);
            }
        }
    }

    /// Compares a message with a shape.
    pub fn message(&mut self, place: &str, message: &Json, kind: &Kind) {
        compare(kind, message, place, &mut self.differences);
    }

    /// An answer with this status, whose body fits.
    pub fn succeeded(&mut self, answer: &Answer, kind: &Kind) -> Result<(), Stop> {
        self.need(answer, 200)?;
        self.shape(answer, kind);
        Ok(())
    }

    /// A refusal with the envelope of errors, and if given, its code.
    pub fn refused(&mut self, answer: &Answer, statuses: &[u16], code: Option<&str>) {
        let expected = statuses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
        if !statuses.contains(&answer.status) {
            self.differ(&answer.request, format!("status {expected}"), answer.shown());
            return;
        }
        self.shape(answer, &shapes::ERROR);
        let said = answer.value().decimal("statusCode");
        let is_status = said == Some(Decimal::whole(i64::from(answer.status)));
        self.expect(
            is_status,
            format!("{}.statusCode", answer.request),
            answer.status.to_string(),
            answer.shown(),
        );
        if let Some(code) = code {
            let seen = answer.value().text("error").unwrap_or_default().to_owned();
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

    /// Notes an order, to be cancelled at the end if no check sees it closed.
    pub fn opened(&mut self, id: &str, is_second: bool) {
        self.ledger.open.push(OpenOrder { id: id.to_owned(), is_second });
    }

    /// Forgets an order that is closed.
    pub fn closed(&mut self, id: &str) {
        self.ledger.open.retain(|order| order.id != id);
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
        let answer = self.write("POST", &market.orders(), &body)?;
        self.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
        let order = answer.value().at("order").cloned().unwrap_or(Json::Null);
        let id = order.text("id").unwrap_or_default().to_owned();
        self.opened(&id, false);
        self.text_is(&answer.request, &order, "status", "open");
        Ok(order)
    }

    /// Cancels an order that `rest` placed.
    pub fn unrest(&mut self, market: &Market, id: &str) -> Result<Answer, Stop> {
        let answer = self.delete(&format!("/v1/pm/orders/{id}"))?;
        self.need(&answer, 200)?;
        self.closed(id);
        self.release(market.minimum);
        Ok(answer)
    }

    /// The best bid and the best ask of a market's first outcome, in USD. 0 and 1: there is none.
    pub fn best(&self, market: &Market) -> Result<(Decimal, Decimal), Stop> {
        let books = self.get(&format!("/v1/pm/books?outcomeId[]={}&currency=USD", market.outcomes[0]))?;
        let bid = books.value().decimal("0/bids/0/price").unwrap_or(Decimal::ZERO);
        let ask = books.value().decimal("0/asks/0/price").unwrap_or(Decimal::ONE);
        Ok((bid, ask))
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

    /// The free balance in USD.
    pub fn balance(&self) -> Result<Option<Decimal>, Stop> {
        let wallet = self.read("/v1/wallet/assets")?;
        let assets = wallet.value().list("assets").iter();
        let usd = assets.filter(|asset| asset.text("symbol") == Some("USD"));
        Ok(usd.filter_map(|asset| asset.decimal("availableBalance")).next())
    }
}

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
    use super::number;
    use crate::decimal::Decimal;

    #[test]
    fn amounts_are_sent_with_their_digits() {
        for literal in ["1", "0.29", "1.1", "33.34", "100.25"] {
            assert_eq!(number(Decimal::parse(literal).expect("a literal")).to_string(), literal);
        }
    }
}
