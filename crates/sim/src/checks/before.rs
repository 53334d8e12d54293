//! The part of the state before a command that the checks compare afterwards.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::catalogue::Status;
use exchange::index::{EventIndex, ListingIndex, MarketIndex};
use exchange::numbers::{Currency, Money, Ppm};
use exchange::pool::Pool;

use super::governance::PendingProposals;
use super::retirement::Catalogued;

#[derive(Clone, Debug, Default)]
pub struct Before {
    pub markets: BTreeMap<MarketIndex, Status>,
    pub events: BTreeMap<EventIndex, Status>,
    pub pools: BTreeMap<ListingIndex, Pool>,
    pub prices: BTreeMap<ListingIndex, Ppm>,
    pub collateral: BTreeMap<ListingIndex, Money>,
    /// By currency.
    pub deposited: [Money; 2],
    pub fees: [Money; 2],
    pub pending: PendingProposals,
    pub catalogued: Catalogued,
}

impl Before {
    /// Records the state again.
    pub fn look(&mut self, exchange: &Exchange) {
        let catalogue = exchange.catalogue();
        self.markets.clear();
        self.markets.extend(catalogue.markets().map(|(index, market)| (index, market.status)));
        self.events.clear();
        self.events.extend(catalogue.events().map(|(index, event)| (index, event.status)));
        self.pools.clear();
        self.prices.clear();
        self.collateral.clear();
        for (index, listing) in catalogue.listings() {
            self.pools.extend(listing.pool().map(|pool| (index, *pool)));
            self.prices.insert(index, listing.yes_price());
            self.collateral.insert(index, exchange.ledger().collateral(index));
        }
        self.pending.look(exchange);
        self.catalogued.look(exchange);
        self.fees = Currency::ALL.map(|currency| exchange.ledger().accounts(currency).fees());
        self.deposited = Currency::ALL.map(|currency| exchange.ledger().deposited(currency));
    }
}
