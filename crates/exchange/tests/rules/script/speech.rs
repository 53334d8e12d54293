//! Renders replies, refusals and changes as text.

use exchange::change::{Change, MatchType, OrderCause, Party, Settled, Trade};
use exchange::id::{OrderId, UserId};
use exchange::numbers::{Money, Shares};
use exchange::order::{OrderRecord, OrderStatus, Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::{ItemResult, Reply};

use super::Script;

impl Script {
    /// The first lines of an answer: one, or one for each item of a batch.
    pub(crate) fn result_lines(&self, subject: &str, result: &Result<Reply, Reject>) -> Vec<String> {
        match result {
            Err(reject) => vec![refusal(reject)],
            Ok(Reply::Order(record)) => {
                self.assert_reported(record);
                vec![self.order(record)]
            }
            Ok(Reply::Orders(records)) if records.is_empty() => vec!["nothing was open".to_owned()],
            Ok(Reply::Orders(records)) => {
                let all: Vec<String> = records.iter().map(|record| self.order(record)).collect();
                vec![format!("{} cancelled: {}", records.len(), all.join(", "))]
            }
            Ok(Reply::Results(items)) if items.len() == 1 => vec![self.item(&items[0])],
            Ok(Reply::Results(items)) => {
                let line = |(index, item)| format!("{index}: {}", self.item(item));
                items.iter().enumerate().map(line).collect()
            }
            Ok(Reply::Sets(sets)) => {
                vec![format!("{} sets for {}, YES at {}", sets.sets, sets.cash, sets.yes_price)]
            }
            Ok(_) => vec![subject.to_owned()],
        }
    }

    fn item(&self, item: &ItemResult) -> String {
        match &item.outcome {
            Ok(record) => {
                self.assert_reported(record);
                self.order(record)
            }
            Err(reject) => match item.order {
                Some(order) => format!("{} {}", self.order_name(order), refusal(reject)),
                None => refusal(reject),
            },
        }
    }

    /// The changes contain exactly the order record of the reply.
    fn assert_reported(&self, told: &OrderRecord) {
        let is_told =
            |change: &&Change| matches!(change, Change::Order { record, .. } if record.record == *told);
        assert_eq!(
            self.world.changes().iter().filter(is_told).count(),
            1,
            "each answered order is one change"
        );
    }

    /// `a1 partial_filled 300/400 @0.513333 fee 3.08`.
    pub(crate) fn order(&self, record: &OrderRecord) -> String {
        let terms = &record.terms;
        let name = self.order_name(terms.id);
        let mut text = format!("{name} {} {}/{}", status(record.status), terms.filled, terms.size);
        if terms.filled > Shares::ZERO {
            text.push_str(&format!(" @{}", record.average_price()));
        }
        if terms.fee > Money::ZERO {
            text.push_str(&format!(" fee {}", terms.fee));
        }
        text
    }

    pub(crate) fn order_name(&self, order: OrderId) -> &str {
        self.orders.get(&order).map_or("(no such order)", String::as_str)
    }

    pub(crate) fn user_name(&self, user: UserId) -> &str {
        self.users.get(&user).map_or("house", String::as_str)
    }

    /// Trades, and orders other than those that were answered, indented.
    pub(crate) fn change_lines(&self) -> Vec<String> {
        self.world
            .changes()
            .iter()
            .filter_map(|change| self.change(change))
            .map(|line| format!("  {line}"))
            .collect()
    }

    fn change(&self, change: &Change) -> Option<String> {
        match change {
            Change::Trade(trade) => Some(self.trade(trade)),
            Change::Order { record, cause } => {
                let because = match cause {
                    OrderCause::Placed | OrderCause::Amended | OrderCause::Cancelled => return None,
                    OrderCause::Filled | OrderCause::Expired => "",
                    OrderCause::Switch => " by its owner's switch",
                    OrderCause::Operator => " by an operator",
                    OrderCause::Disconnected => " by the end of its owner's connection",
                    OrderCause::SelfTrade => " by self-trade prevention",
                    OrderCause::MarketClosed => " by the market's close",
                };
                Some(format!("{}{because}", self.order(record)))
            }
            Change::Settled(settled) => Some(self.settled(settled)),
            _ => None,
        }
    }

    /// `DIRECT 100 YES @0.50 bob.b1 → alice.a1`: from the seller to the buyer.
    /// `MINT 20 YES @0.52 alice.a1 + NO @0.48 erin.e1`: the maker first.
    fn trade(&self, trade: &Trade) -> String {
        let (maker, taker) = (&trade.maker, &trade.taker);
        let party =
            |party: &Party| format!("{}.{}", self.user_name(party.user), self.order_name(party.order));
        let leg = |one: &Party| format!("{} @{} {}", outcome(one.outcome), one.price, party(one));
        let mut text = match trade.match_type {
            MatchType::Direct => {
                assert_eq!(
                    (maker.outcome, maker.price),
                    (taker.outcome, taker.price),
                    "one outcome, one price"
                );
                let (seller, buyer) = if taker.side == Side::Buy { (maker, taker) } else { (taker, maker) };
                format!("DIRECT {} {} → {}", trade.size, leg(seller), party(buyer))
            }
            MatchType::Mint => format!("MINT {} {} + {}", trade.size, leg(maker), leg(taker)),
            MatchType::Merge => format!("MERGE {} {} + {}", trade.size, leg(maker), leg(taker)),
        };
        if trade.taker_fee > Money::ZERO {
            text.push_str(&format!(" fee {}", trade.taker_fee));
        }
        text
    }

    fn settled(&self, settled: &Settled) -> String {
        let user = self.user_name(settled.user);
        format!("{user} paid {} for {} YES and {} NO", settled.payout, settled.yes, settled.no)
    }
}

/// `refused: INSUFFICIENT_BALANCE need 209.08 have 209.079999`.
fn refusal(reject: &Reject) -> String {
    let debug = format!("{reject:?}");
    let name = debug.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let mut code = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !code.is_empty() {
            code.push('_');
        }
        code.push(letter.to_ascii_uppercase());
    }
    let detail = match reject {
        Reject::InsufficientBalance { need, have } => format!(" need {need} have {have}"),
        Reject::InsufficientShares { need, have } => format!(" need {need} have {have}"),
        Reject::BelowMinimum { currency, minimum, .. } => format!(" {} {minimum}", currency.code()),
        Reject::SizeNotAboveFilled { filled } => format!(" {filled}"),
        Reject::BatchSize { max } => format!(" {max}"),
        _ => String::new(),
    };
    format!("refused: {code}{detail}")
}

pub(crate) const fn status(status: OrderStatus) -> &'static str {
    match status {
        OrderStatus::Open => "open",
        OrderStatus::PartialFilled => "partial_filled",
        OrderStatus::Filled => "filled",
        OrderStatus::Cancelled => "cancelled",
        OrderStatus::Rejected => "rejected",
        OrderStatus::Expired => "expired",
    }
}

pub(crate) const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Yes => "YES",
        Outcome::No => "NO",
    }
}
