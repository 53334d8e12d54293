//! A look at the state before a command: what is compared afterwards, and no more.

use exchange::Exchange;
use exchange::catalogue::Status;
use exchange::numbers::{Currency, Money, Ppm};
use exchange::pool::Pool;

use super::governance::Waiting;

#[derive(Clone, Debug, Default)]
pub struct Before {
    pub markets: Vec<Status>,
    pub events: Vec<Status>,
    /// By listing.
    pub pools: Vec<Option<Pool>>,
    pub prices: Vec<Ppm>,
    pub collateral: Vec<Money>,
    /// By currency.
    pub deposited: [Money; 2],
    pub fees: [Money; 2],
    pub waiting: Waiting,
}

impl Before {
    /// Looks again, in the same memory.
    pub fn look(&mut self, exchange: &Exchange) {
        let catalogue = exchange.catalogue();
        self.markets.clear();
        self.markets.extend(catalogue.markets().map(|(_, market)| market.status));
        self.events.clear();
        self.events.extend(catalogue.events().map(|(_, event)| event.status));
        self.pools.clear();
        self.prices.clear();
        self.collateral.clear();
        for (index, listing) in catalogue.listings() {
            self.pools.push(listing.pool().copied());
            self.prices.push(listing.yes_price());
            self.collateral.push(exchange.ledger().collateral(index));
        }
        self.waiting.look(exchange);
        self.fees = Currency::ALL.map(|currency| exchange.ledger().accounts(currency).fees);
        self.deposited = Currency::ALL.map(|currency| exchange.ledger().deposited(currency));
    }
}
