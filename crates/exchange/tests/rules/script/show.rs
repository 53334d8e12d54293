//! `show` lines: the current books, wallets, positions, markets.

use exchange::book::{Book, BookSide, Resting};
use exchange::id::UserId;
use exchange::numbers::{Currency, Money};
use exchange::order::{Outcome, Side};
use exchange::position::Holding;

use super::Script;
use super::speech::outcome;
use super::words::Words;
use crate::rules::world::id;

impl Script {
    pub(crate) fn show(&mut self, words: &mut Words<'_>) {
        let text = match words.next() {
            "book" => self.show_book(words),
            "wallet" => self.show_wallet(words),
            "position" => self.show_position(words),
            "market" => self.show_market(words),
            "pool" => self.show_pool(words),
            other => words.fail(&format!("{other:?} cannot be shown")),
        };
        self.say(&text);
    }

    /// `show book [rain] [in NGN]`: every order, the best first on each side, in YES price.
    fn show_book(&self, words: &mut Words<'_>) -> String {
        let (market, currency) = (self.shown_market(words), Script::currency_in(words));
        let listing = self.world.exchange.catalogue().listing(self.world.listing_index(&market, currency));
        let Some(book) = listing.book() else { words.fail("a pool has no book") };
        let mut lines = vec![format!("book {market}{}", if book.is_empty() { " is empty" } else { "" })];
        for side in [BookSide::Ask, BookSide::Bid] {
            lines.extend(self.book_lines(book, side));
        }
        lines.join("\n")
    }

    fn book_lines(&self, book: &Book, side: BookSide) -> Vec<String> {
        let word = if side == BookSide::Ask { "ask" } else { "bid" };
        let line = |resting: Resting| {
            let order = self.world.exchange.orders().resting(&resting);
            let owner = self.user_name(self.world.exchange.directory().user(order.user).id);
            let name = format!("{owner}.{}", self.order_name(order.terms.id));
            let verb = if order.terms.side == Side::Buy { "buys" } else { "sells" };
            let outcome = outcome(order.terms.outcome);
            format!("  {word} {} {name} {verb} {outcome} {}", resting.price, resting.remaining)
        };
        book.resting(side).map(line).collect()
    }

    /// `show wallet alice`: free and held, in each currency that was touched.
    fn show_wallet(&self, words: &mut Words<'_>) -> String {
        let user = words.next();
        let wallet = |currency: &Currency| {
            let (free, held) = (self.world.free(user, *currency), self.world.held(user, *currency));
            let is_shown = *currency == Currency::Usd || free + held > Money::ZERO;
            is_shown.then(|| format!("{free} {} free, {held} held", currency.code()))
        };
        let wallets: Vec<String> = Currency::ALL.iter().filter_map(wallet).collect();
        format!("{user} has {}", wallets.join("; "))
    }

    /// `show position alice [rain] [in NGN]`.
    fn show_position(&self, words: &mut Words<'_>) -> String {
        let user = words.next();
        let (market, currency) = (self.shown_market(words), Script::currency_in(words));
        let (index, listing) = (self.world.user_index(user), self.world.listing_index(&market, currency));
        let nothing = Holding::default();
        let position = self.world.exchange.position(index, listing);
        let side = |outcome_of: Outcome| {
            let holding = position.map_or(&nothing, |position| position.holding(outcome_of));
            let name = outcome(outcome_of);
            let held = holding.held;
            format!(
                "{name} {} ({held} held) cost {} realised {}",
                holding.total(),
                holding.cost,
                holding.realised
            )
        };
        format!("{user} holds {}, {}", side(Outcome::Yes), side(Outcome::No))
    }

    /// `show market [rain] [in NGN]`: price, collateral, volume, and the currency's fees.
    fn show_market(&self, words: &mut Words<'_>) -> String {
        let (market, currency) = (self.shown_market(words), Script::currency_in(words));
        let index = self.world.listing_index(&market, currency);
        let (listing, ledger) =
            (self.world.exchange.catalogue().listing(index), self.world.exchange.ledger());
        let (price, volume) = (listing.yes_price(), listing.volume);
        let (collateral, fees) = (ledger.collateral(index), ledger.accounts(currency).fees());
        format!("{market} YES at {price}, collateral {collateral}, volume {volume}, fees {fees}")
    }

    /// `show pool [rain] [in NGN]`: reserves in shares.
    fn show_pool(&self, words: &mut Words<'_>) -> String {
        let (market, currency) = (self.shown_market(words), Script::currency_in(words));
        let listing = self.world.exchange.catalogue().listing(self.world.listing_index(&market, currency));
        let Some(pool) = listing.pool() else { words.fail("no pool there") };
        format!("pool {market} has {} YES and {} NO, YES at {}", pool.yes, pool.no, listing.yes_price())
    }

    /// A market's name, or the one opened last.
    fn shown_market(&self, words: &mut Words<'_>) -> String {
        match words.peek() {
            Some(word) if self.markets.iter().any(|market| market == word) => words.next().to_owned(),
            _ => self.market_name(words),
        }
    }

    /// The user that a name stands for.
    pub(crate) fn user_id(name: &str) -> UserId {
        UserId::new(id(name))
    }
}
