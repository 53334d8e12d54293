//! Scenarios a trader can read: `check("alice buys YES 10 shares at 0.40", expect![…])`.
//!
//! One line is one command. Its result is printed as text, with its trades and closed orders indented below. Lines
//! that set the stage (`market`, `has`) print nothing. A line that cannot be parsed panics with its text. `words`
//! tokenises, `order_line` parses orders, `stage_line` sets the stage, `speech` and `show` print.

#![allow(dead_code, reason = "each test target uses its part")]

mod order_line;
mod show;
mod speech;
mod stage_line;
mod words;

use std::collections::BTreeMap;

use exchange::command::{
    AmendOrders, BurnSets, CancelAllOrders, CancelOrder, CancelOrders, Command, MintSets, PlaceOrders,
};
use exchange::id::{OrderId, UserId};
use exchange::numbers::Currency;
use exchange::order::Item;
use exchange::reject::Reject;
use exchange::reply::Reply;
use expect_test::Expect;

use crate::rules::world::{World, event_of, id, market_id};
use words::Words;

/// Runs a scenario and compares its whole output.
pub(crate) fn check(scenario: &str, expected: Expect) {
    expected.assert_eq(&Script::after(scenario).output);
}

/// A running scenario. Tests that need more than its output use its `world`.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) world: World,
    pub(crate) output: String,
    users: BTreeMap<UserId, String>,
    orders: BTreeMap<OrderId, String>,
    markets: Vec<String>,
}

impl Script {
    pub(crate) fn after(scenario: &str) -> Script {
        let mut script = Script::default();
        script.run(scenario);
        script
    }

    pub(crate) fn run(&mut self, scenario: &str) {
        for line in scenario.lines().map(str::trim).filter(|line| !line.is_empty()) {
            self.line(&mut Words::of(line));
        }
    }

    fn line(&mut self, words: &mut Words<'_>) {
        match words.next() {
            "market" => self.open_market(words),
            "wait" => self.wait(words),
            "show" => self.show(words),
            verb @ ("pause" | "resume" | "close" | "resolve" | "cancel") => self.lifecycle(verb, words),
            user => self.person(user, words),
        }
        words.end();
    }

    fn person(&mut self, user: &str, words: &mut Words<'_>) {
        self.meet(user);
        match words.next() {
            "has" => self.give(user, words),
            "mints" => self.sets(user, true, words),
            "burns" => self.sets(user, false, words),
            side @ ("buys" | "sells") => {
                let new = self.order_line(user, side, words);
                self.tell(user, Command::PlaceOrder(new));
            }
            "places" => self.places(user, words),
            "cancels" => self.cancels(user, words),
            "amends" => self.amends(user, words),
            other => words.fail(&format!("unknown verb {other:?}")),
        }
    }

    /// A user exists from the first mention on.
    pub(crate) fn meet(&mut self, user: &str) {
        if self.users.insert(UserId::new(id(user)), user.to_owned()).is_none() {
            self.world.user(user);
        }
    }

    /// Several orders in one command, parted by `;`.
    fn places(&mut self, user: &str, words: &mut Words<'_>) {
        let mut items = Vec::new();
        for mut part in words.split(';') {
            let side = part.next();
            items.push(Item::Valid(self.order_line(user, side, &mut part)));
            part.end();
        }
        self.tell(user, Command::PlaceOrders(PlaceOrders { items }));
    }

    /// One order, several parted by `,`, or `all` with what bounds it.
    fn cancels(&mut self, user: &str, words: &mut Words<'_>) {
        if words.take("all") {
            let market = words.take("of").then(|| market_id(words.next()));
            let event = words.take("event").then(|| event_of(words.next()));
            let currency = words.take("in").then(|| words.currency());
            return self.tell(user, Command::CancelAllOrders(CancelAllOrders { event, market, currency }));
        }
        let orders: Vec<OrderId> = words.split(',').map(|mut part| self.order_id(part.next())).collect();
        match orders[..] {
            [order] => self.tell(user, Command::CancelOrder(CancelOrder { order })),
            _ => self.tell(user, Command::CancelOrders(CancelOrders { orders })),
        }
    }

    /// One or several amendments, parted by `;`: always the batch command.
    fn amends(&mut self, user: &str, words: &mut Words<'_>) {
        let items = words.split(';').map(|mut part| Item::Valid(self.amendment(&mut part))).collect();
        self.tell(user, Command::AmendOrders(AmendOrders { items }));
    }

    fn sets(&mut self, user: &str, is_mint: bool, words: &mut Words<'_>) {
        let (amount, currency) = (words.money(), words.currency());
        let market = market_id(&self.market_name(words));
        let id = self.world.next_operation();
        self.tell(
            user,
            match is_mint {
                true => Command::MintSets(MintSets { id, market, currency, amount }),
                false => Command::BurnSets(BurnSets { id, market, currency, amount }),
            },
        );
    }

    /// Sends a user's command and prints the result.
    fn tell(&mut self, user: &str, command: Command) {
        let result = self.world.by(user, command);
        self.say_result(user, result);
    }

    fn say_result(&mut self, subject: &str, result: Result<Reply, Reject>) {
        let lines = self.result_lines(subject, &result);
        let changes = self.change_lines();
        for line in lines.into_iter().chain(changes) {
            self.say(&line);
        }
    }

    fn say(&mut self, line: &str) {
        self.output.push_str(line);
        self.output.push('\n');
    }

    /// `of NAME`, or the market that was opened last.
    fn market_name(&self, words: &mut Words<'_>) -> String {
        match (words.take("of"), self.markets.last()) {
            (true, _) => words.next().to_owned(),
            (false, Some(market)) => market.clone(),
            (false, None) => words.fail("no market is open yet"),
        }
    }

    fn currency_in(words: &mut Words<'_>) -> Currency {
        if words.take("in") { words.currency() } else { Currency::Usd }
    }

    pub(crate) fn order_id(&mut self, name: &str) -> OrderId {
        let order = OrderId::new(id(name));
        self.orders.insert(order, name.to_owned());
        order
    }
}
