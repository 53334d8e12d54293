//! The trader's moves: splitting, round trips, dust, sets, amends and self-trades, in either currency.

use exchange::Exchange;
use exchange::command::{AmendOrders, BurnSets, CancelOrder, Command, MintSets, PlaceOrders};
use exchange::id::{MarketId, OperationId, OrderId, OutcomeId};
use exchange::index::ListingIndex;
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{Amendment, Item, NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Arena;
use super::arena::{BOOKS, POOLS};
use crate::random::Random;

/// The state of a short game. It mostly stays in one market and currency, so that moves interact.
#[derive(Clone, Debug)]
pub(super) struct Player {
    market: u128,
    currency: Currency,
    ids: u128,
    open: Vec<OrderId>,
    /// The filled quantity of the last order, to be sold or bought back.
    last_filled: Shares,
    last_outcome: Outcome,
}

impl Player {
    pub(super) fn new(random: &mut Random) -> Player {
        let markets = if random.chance(55) { BOOKS } else { POOLS };
        Player {
            market: random.one_of(markets),
            currency: random.one_of(Currency::ALL),
            ids: 1_000_000,
            open: Vec::new(),
            last_filled: Shares::ZERO,
            last_outcome: Outcome::Yes,
        }
    }

    pub(super) fn learn(&mut self, command: &Command, result: &Result<Reply, Reject>) {
        if let (Command::PlaceOrder(_), Ok(Reply::Order(record))) = (command, result) {
            self.last_filled = record.terms.filled;
            self.last_outcome = record.terms.outcome;
            if record.status.is_open() {
                self.open.push(record.terms.id);
            }
        }
    }

    pub(super) fn next(&mut self, exchange: &Exchange, arena: &Arena, random: &mut Random) -> Command {
        if random.chance(6) {
            self.currency = random.one_of(Currency::ALL);
        }
        if random.chance(6) {
            self.market = random.one_of([BOOKS[0], BOOKS[1], POOLS[0], POOLS[1]]);
        }
        let amount = self.amount(exchange, arena, random);
        let (market, currency) = (MarketId::new(self.market), self.currency);
        self.ids += 1;
        let id = OperationId::new(self.ids);
        match random.below(20) {
            0..=1 => Command::MintSets(MintSets { id, market, currency, amount }),
            2 => Command::BurnSets(BurnSets { id, market, currency, amount }),
            3 => {
                let position = self.position(exchange, arena);
                let sets = position.map_or(Shares::ZERO, |position| position.yes.free.min(position.no.free));
                Command::BurnSets(BurnSets { id, market, currency, amount: sets.payout(currency) })
            }
            4..=6 if !self.open.is_empty() => self.amend(exchange, random),
            7 if !self.open.is_empty() => {
                Command::CancelOrder(CancelOrder { order: self.open.remove(random.below(self.open.len())) })
            }
            8 => Command::PlaceOrders(PlaceOrders {
                items: (0..3).map(|_| Item::Valid(self.order(exchange, arena, random))).collect(),
            }),
            _ => Command::PlaceOrder(self.order(exchange, arena, random)),
        }
    }

    fn position<'a>(
        &self,
        exchange: &'a Exchange,
        arena: &Arena,
    ) -> Option<&'a exchange::position::Position> {
        let market = exchange.catalogue().find_market(MarketId::new(self.market))?;
        exchange.position(arena.trader, ListingIndex::new(market, self.currency))
    }

    fn amount(&self, exchange: &Exchange, arena: &Arena, random: &mut Random) -> Money {
        let base = self.currency.base();
        let free = exchange.ledger().wallet(arena.trader, self.currency).free.units();
        Money::new(match random.below(8) {
            0 => 1_000_000 * base,
            1 => free,
            2 => 100 * base * random.between(1, 3),
            3 => 1_000_000 * base + random.between(0, 300),
            _ => random.between(1_000_000 * base, (free / 2).max(1_000_001 * base)),
        })
    }

    /// A new order; often the reverse of the last one.
    fn order(&mut self, exchange: &Exchange, arena: &Arena, random: &mut Random) -> NewOrder {
        self.ids += 1;
        let outcome = if random.chance(60) { self.last_outcome } else { random.one_of(Outcome::BOTH) };
        let held =
            self.position(exchange, arena).map_or(Shares::ZERO, |position| position.holding(outcome).free);
        let side = if held > Shares::ZERO && random.chance(55) { Side::Sell } else { Side::Buy };
        let sizing = match (side, random.below(6)) {
            (_, 0..=1) => Sizing::Amount(self.amount(exchange, arena, random)),
            (Side::Sell, 2) => Sizing::Quantity(held),
            (Side::Sell, 3) => Sizing::Quantity(Shares::new(random.between(1, 3))),
            (_, 4) if self.last_filled > Shares::ZERO => Sizing::Quantity(self.last_filled),
            (Side::Sell, _) => Sizing::Quantity(Shares::new(random.between(1, held.units().max(1)))),
            (Side::Buy, _) => Sizing::Quantity(Shares::new(random.between(10_000, 400_000))),
        };
        let kind = if random.chance(50) { OrderKind::Market } else { OrderKind::Limit };
        let time_in_force = match (kind, random.below(6)) {
            (_, 0) => Some(TimeInForce::Fok),
            (_, 1) => Some(TimeInForce::Fak),
            _ => None,
        };
        NewOrder {
            id: OrderId::new(self.ids),
            outcome: OutcomeId::of(MarketId::new(self.market), outcome as u64),
            side,
            kind,
            currency: self.currency,
            sizing,
            price: (kind == OrderKind::Limit).then(|| self.price(exchange, outcome, side, random)),
            time_in_force,
            post_only: false,
            self_trade: random.one_of([
                SelfTrade::Skip,
                SelfTrade::CancelOldest,
                SelfTrade::CancelNewest,
                SelfTrade::CancelBoth,
            ]),
            max_slippage: None,
            expires_at: None,
            client_order_id: None,
            path: None,
        }
    }

    /// A price near where it would trade.
    fn price(&self, exchange: &Exchange, outcome: Outcome, side: Side, random: &mut Random) -> Price {
        let listing = exchange.catalogue().find_market(MarketId::new(self.market));
        let listing =
            listing.map(|market| exchange.catalogue().listing(ListingIndex::new(market, self.currency)));
        let best = listing.and_then(|listing| listing.book()?.best(side.on_book(outcome).opposite()));
        let centre = match (best, listing) {
            (Some(best), _) => outcome.yes_price(best).cents().into(),
            (None, Some(listing)) => listing.price(outcome).units() / 10_000,
            (None, None) => 50,
        };
        Price::clamp(centre + random.between(-4, 4))
    }

    /// One or two of its own orders, moved across other orders and each other.
    fn amend(&mut self, exchange: &Exchange, random: &mut Random) -> Command {
        let count = 1 + random.below(self.open.len().min(3));
        let items = (0..count).map(|_| {
            let order = self.open[random.below(self.open.len())];
            let Some(open) = exchange.order(order) else {
                return Item::Valid(Amendment { order, new_price: None, new_size: Some(Shares::whole(5)) });
            };
            let terms = &open.terms;
            let new_price =
                random.chance(70).then(|| self.price(exchange, terms.outcome, terms.side, random));
            let new_size = random.chance(60).then(|| {
                let size = terms.size.units();
                Shares::new(random.one_of([
                    size - 1,
                    size + 1,
                    size + 12_345,
                    size / 2 + 1,
                    terms.progress.filled.units() + 1,
                ]))
            });
            Item::Valid(Amendment { order, new_price, new_size })
        });
        Command::AmendOrders(AmendOrders { items: items.collect() })
    }
}
