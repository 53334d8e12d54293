//! The state of a market or an account, in the parts that `changes` sends, and a trade from each party's perspective.

use api::response::{
    AccountFill, ChangedLevel, ChangedPosition, ChangedResolution, ChangedWallet, FillRole, LastTrade,
    MarketChanges, MarketPrices, MarketTerms,
};
use api::terms;
use exchange::Exchange;
use exchange::change::{Party, Trade};
use exchange::id::UserId;
use exchange::index::{ListingIndex, MarketIndex, UserIndex};
use exchange::numbers::{Cents, Currency};
use exchange::order::{Outcome, Side};

use super::market::{buy_price, price, terms as terms_of};
use super::resolution::{pending, proposed, shown_past};
use super::words::ToApi;

/// The complete state of a market in one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullMarketState {
    /// The immutable fields, with everything else left out.
    pub named: MarketChanges,
    pub status: terms::Status,
    pub prices: MarketPrices,
    pub terms: MarketTerms,
    /// Best price first.
    pub bids: Vec<ChangedLevel>,
    pub asks: Vec<ChangedLevel>,
    pub last_trade: Option<LastTrade>,
    pub resolution: ChangedResolution,
}

pub fn market(exchange: &Exchange, index: MarketIndex, currency: Currency) -> FullMarketState {
    let catalogue = exchange.catalogue();
    let market = catalogue.market(index);
    let event = catalogue.event(market.event);
    let listing = catalogue.listing(ListingIndex::new(index, currency));
    let levels = |side: Side| match listing.book() {
        Some(book) => {
            let levels = book.levels(side.on_book(Outcome::Yes));
            levels
                .map(|(price, quantity)| ChangedLevel { price: price.to_api(), quantity: quantity.to_api() })
                .collect()
        }
        None => Vec::new(),
    };
    let is_bid = |last: exchange::catalogue::LastTrade| last.side == Side::Buy.on_book(Outcome::Yes);
    FullMarketState {
        named: MarketChanges {
            market_id: market.id.to_api(),
            event_id: event.id.to_api(),
            currency: currency.to_api(),
            engine: event.engine.to_api(),
            status: None,
            prices: None,
            terms: None,
            bids: Vec::new(),
            asks: Vec::new(),
            last_trade: None,
            resolution: None,
            trades: Vec::new(),
        },
        status: market.status.to_api(),
        prices: MarketPrices {
            outcome1_price: price(market, listing, Outcome::Yes).to_api(),
            outcome2_price: price(market, listing, Outcome::No).to_api(),
            yes_buy_price: buy_price(market, listing, Outcome::Yes).to_api(),
            no_buy_price: buy_price(market, listing, Outcome::No).to_api(),
        },
        terms: terms_of(market, currency),
        bids: levels(Side::Buy),
        asks: levels(Side::Sell),
        last_trade: listing.last_trade.map(|last| LastTrade {
            price: last.price.to_api(),
            side: if is_bid(last) { terms::Side::Buy } else { terms::Side::Sell },
        }),
        resolution: ChangedResolution {
            proposal: pending(exchange, event).and_then(|pending| proposed(exchange, pending)),
            last_verdict: event.resolutions.last().map(shown_past),
            resolved_outcome: market.resolved_outcome().map(Outcome::to_api),
            yes_payout: market.settlement.map(|settlement| settlement.yes.to_api()),
            settled_at: market.settlement.map(|settlement| settlement.at).to_api(),
        },
    }
}

/// Both wallets of a user.
pub fn wallets(exchange: &Exchange, user: UserIndex) -> [ChangedWallet; 2] {
    Currency::ALL.map(|currency| {
        let wallet = exchange.ledger().wallet(user, currency);
        ChangedWallet {
            currency: currency.to_api(),
            available_balance: wallet.free.to_api(),
            pending_balance: wallet.held.to_api(),
        }
    })
}

/// A user's balances of both outcomes; 0 without a position.
pub fn positions(exchange: &Exchange, user: UserIndex, listing: ListingIndex) -> [ChangedPosition; 2] {
    let instrument = exchange.catalogue().instrument(listing.market());
    let position = exchange.position(user, listing);
    Outcome::BOTH.map(|outcome| {
        let holding = position.map(|position| *position.holding(outcome)).unwrap_or_default();
        ChangedPosition {
            market_id: instrument.market.to_api(),
            outcome_id: instrument.outcome(outcome).to_api(),
            outcome: outcome.to_api(),
            currency: listing.currency().to_api(),
            balance: holding.total().to_api(),
            available_balance: holding.free.to_api(),
            cost: holding.cost.to_api(),
        }
    })
}

/// A user's side of a trade. At most one, because self-trades are prevented.
pub fn fills(trade: &Trade, user: UserId) -> impl Iterator<Item = AccountFill> {
    let taker = (&trade.taker, FillRole::Taker, trade.taker_fee);
    let maker = (&trade.maker, FillRole::Maker, exchange::numbers::Money::ZERO);
    let own = [taker, maker].into_iter().filter(move |(party, ..)| party.user == user);
    own.map(|(party, role, fee)| fill(trade, party, role, fee))
}

fn fill(trade: &Trade, party: &Party, role: FillRole, fee: exchange::numbers::Money) -> AccountFill {
    let outcome = exchange::id::OutcomeId::of(trade.market, party.outcome as u64);
    AccountFill {
        trade_id: trade.id().to_api(),
        order_id: party.order.to_api(),
        market_id: trade.market.to_api(),
        outcome_id: outcome.to_api(),
        outcome: party.outcome.to_api(),
        side: party.side.to_api(),
        price: party.price.to_api(),
        quantity: trade.size.to_api(),
        amount: trade.size.value_at(Cents::from(party.price), trade.currency).to_api(),
        fee: fee.to_api(),
        role,
        match_type: trade.match_type.to_api(),
        currency: trade.currency.to_api(),
    }
}
