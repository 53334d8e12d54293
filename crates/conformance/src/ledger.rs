//! The account of a run: money that is bound, orders and sets that are not closed yet, and everything that was left behind.

use crate::decimal::Decimal;
use crate::wire::Answer;

/// An order that a check placed and has not seen closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenOrder {
    pub id: String,
    /// Whether it belongs to the second key.
    pub is_second: bool,
}

/// Sets that a check minted and has not burned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sets {
    pub market: String,
    pub quantity: Decimal,
    /// Whether they belong to the second key.
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
    pub sets: Vec<Sets>,
    /// Other things that stay in the account, a line each.
    pub left: Vec<String>,
}

impl Ledger {
    /// Notes every order of a success, whatever else the body says.
    pub fn note_orders(&mut self, answer: &Answer, is_second: bool) {
        if !answer.is_success() {
            return;
        }
        for id in order_ids(answer) {
            self.open.push(OpenOrder { id, is_second });
        }
    }

    pub fn minted(&mut self, market: &str, quantity: Decimal, is_second: bool) {
        self.sets.push(Sets { market: market.to_owned(), quantity, is_second });
    }

    pub fn burned(&mut self, market: &str, quantity: Decimal, is_second: bool) {
        let same =
            |sets: &Sets| sets.market == market && sets.is_second == is_second && sets.quantity == quantity;
        if let Some(index) = self.sets.iter().position(same) {
            self.sets.remove(index);
        }
    }
}

/// The ids of the orders in the answer to a placement, under each name that public servers use.
fn order_ids(answer: &Answer) -> Vec<String> {
    let value = answer.value();
    let single = ["order/id", "clobOrder/id", "ammOrder/id", "id"];
    let mut ids: Vec<String> = single.iter().filter_map(|path| value.text(path).map(str::to_owned)).collect();
    for result in value.list("results") {
        ids.extend(single.iter().filter_map(|path| result.text(path).map(str::to_owned)));
    }
    ids.retain(|id| !id.is_empty());
    ids
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderMap;

    use super::Ledger;
    use crate::decimal::Decimal;
    use crate::json::Json;
    use crate::wire::Answer;

    fn answer(status: u16, body: &str) -> Answer {
        Answer {
            request: String::new(),
            status,
            headers: HeaderMap::new(),
            body: Vec::new(),
            json: Json::parse(body.as_bytes()).ok(),
            is_secret: false,
        }
    }

    #[test]
    fn orders_of_any_success_are_noted_and_those_of_a_refusal_are_not() {
        let mut ledger = Ledger::default();
        ledger.note_orders(&answer(201, r#"{"clobOrder":{"id":"a"}}"#), false);
        let batch = r#"{"results":[{"order":{"id":"b"}},{"error":{}},{"order":{"id":"c"}}]}"#;
        ledger.note_orders(&answer(200, batch), true);
        ledger.note_orders(&answer(400, r#"{"order":{"id":"d"}}"#), false);
        let noted: Vec<_> = ledger.open.iter().map(|order| (order.id.as_str(), order.is_second)).collect();
        assert_eq!(noted, [("a", false), ("b", true), ("c", true)]);
    }

    #[test]
    fn sets_stay_until_a_burn_of_the_same_market_account_and_quantity() {
        let mut ledger = Ledger::default();
        ledger.minted("m", Decimal::whole(3), true);
        ledger.burned("m", Decimal::whole(3), false);
        ledger.burned("m", Decimal::whole(2), true);
        assert_eq!(ledger.sets.len(), 1);
        ledger.burned("m", Decimal::whole(3), true);
        assert!(ledger.sets.is_empty());
    }
}
