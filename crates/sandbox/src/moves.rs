//! Moves of the market on request, as ordinary commands: fills of an order, a market's price, and the end of an event.

use exchange::book::BookSide;
use exchange::catalogue::{Engine, Status};
use exchange::command::{CancelAllOrders, CloseTrading, Command, Finalise, Propose, Target};
use exchange::governance::{Evidence, Ruling, Subject, Verdict};
use exchange::id::{EventId, MarketId, OrderId, ProposalId, UserId};
use exchange::index::ListingIndex;
use exchange::numbers::{Currency, Shares};
use exchange::order::{NewOrder, Outcome, Side};
use exchange::text::Text;
use server::identifiers::new_id;

use crate::error::Refusal;
use crate::orders::Place;
use crate::venue::Venue;

/// Orders that one request may need. One is enough unless the book is larger than an order may be.
const ORDERS_MAX: usize = 200;
/// The largest quantity of an order.
const SWEEP: Shares = Shares::whole(1_000_000);
/// Shares of the quotes around a price that was set.
const QUOTED: Shares = Shares::whole(1_000);

/// An open order, as far as a counterparty needs it.
struct Resting {
    place: Place,
    /// The outcome and price at which a sale meets the order.
    outcome: Outcome,
    cents: i64,
    remaining: Shares,
}

impl Venue {
    fn open_order(&self, id: OrderId) -> Result<Option<Resting>, Refusal> {
        let exchange = self.app()?.reading().state();
        let Some(order) = exchange.order(id) else { return Ok(None) };
        let market = exchange.catalogue().market(order.listing.market()).id;
        let price = i64::from(order.price().cents());
        let (outcome, cents) = match order.terms.side {
            Side::Buy => (order.terms.outcome, price),
            Side::Sell => (order.terms.outcome.other(), 100 - price),
        };
        let place = Place { market, currency: order.listing.currency() };
        Ok(Some(Resting { place, outcome, cents, remaining: order.terms.remaining() }))
    }

    /// Shares of others in front of an order, which fill first. A sale of `seller` cancels the seller's own bids.
    fn ahead(&self, id: OrderId, seller: UserId) -> Result<Shares, Refusal> {
        let exchange = self.app()?.reading().state();
        let (Some(order), Some(slot)) = (exchange.order(id), exchange.orders().find(id)) else {
            return Ok(Shares::ZERO);
        };
        let is_bid = (order.terms.side == Side::Buy) == (order.terms.outcome == Outcome::Yes);
        let side = if is_bid { BookSide::Bid } else { BookSide::Ask };
        let Some(book) = exchange.catalogue().listing(order.listing).book() else { return Ok(Shares::ZERO) };
        let seller = exchange.directory().find(seller);
        let ahead = book.resting(side).take_while(|resting| resting.order != slot);
        let others = ahead.filter(|resting| Some(resting.user) != seller);
        Ok(others.fold(Shares::ZERO, |sum, resting| sum + resting.remaining))
    }

    /// Fills a resting order by `quantity`, or completely. The counterparty mints shares and sells them at the order's
    /// price: a sale has no minimum, and the orders in front fill first. Returns how many shares were filled.
    pub(crate) fn fill(&mut self, id: OrderId, quantity: Option<Shares>) -> Result<Shares, Refusal> {
        let missing = || Refusal::missing("No such open order");
        let first = self.open_order(id)?.ok_or_else(missing)?.remaining;
        let wanted = quantity.unwrap_or(first);
        if wanted <= Shares::ZERO || wanted > first {
            return Err(Refusal::bad("quantity: is more than 0, and at most the order's remainder"));
        }
        let (goal, seller) = (first - wanted, self.counterparty()?);
        let actor = self.actor_of(seller)?;
        for _ in 0..ORDERS_MAX {
            let Some(order) = self.open_order(id)? else { return Ok(first) };
            if order.remaining <= goal {
                return Ok(first - order.remaining);
            }
            let (place, ahead) = (order.place, self.ahead(id, seller)?);
            let quantity = (ahead + order.remaining - goal).min(SWEEP);
            self.submit(actor, Command::MintSets(place.mint(quantity)))?;
            let sale = NewOrder { side: Side::Sell, ..place.take(order.outcome, order.cents, quantity) };
            self.submit(actor, Command::PlaceOrder(sale))?;
        }
        Err(Refusal::bad("Too many orders are ahead of this one"))
    }

    /// Moves the price of a book to `cents`: takes everything in between, and quotes a cent to either side.
    pub(crate) fn move_price(&mut self, place: Place, cents: i64) -> Result<(), Refusal> {
        let counterparty = self.counterparty()?;
        let actor = self.actor_of(counterparty)?;
        let cancel =
            CancelAllOrders { event: None, market: Some(place.market), currency: Some(place.currency) };
        self.submit(actor, Command::CancelAllOrders(cancel))?;
        for _ in 0..ORDERS_MAX {
            let (bid, ask) = self.best(place)?;
            let order = if ask.is_some_and(|ask| ask <= cents) {
                place.take(Outcome::Yes, cents, SWEEP)
            } else if bid.is_some_and(|bid| bid >= cents) {
                place.take(Outcome::No, 100 - cents, SWEEP)
            } else {
                for (outcome, price) in [(Outcome::Yes, cents - 1), (Outcome::No, 100 - cents - 1)] {
                    if price >= 1 {
                        self.submit(actor, Command::PlaceOrder(place.bid(outcome, price, QUOTED)))?;
                    }
                }
                return Ok(());
            };
            self.submit(actor, Command::PlaceOrder(order))?;
        }
        Err(Refusal::bad("The book has too many orders in between"))
    }

    /// The best bid and ask of a book, in cents of YES.
    fn best(&self, place: Place) -> Result<(Option<i64>, Option<i64>), Refusal> {
        let exchange = self.app()?.reading().state();
        let catalogue = exchange.catalogue();
        let index = catalogue.find_market(place.market).ok_or_else(|| Refusal::missing("No such market"))?;
        let listing = catalogue.listing(ListingIndex::new(index, place.currency));
        let book = listing.book().ok_or_else(|| Refusal::bad("This market has a pool, not a book"))?;
        let cents = |side| book.best(side).map(|price| i64::from(price.cents()));
        Ok((cents(BookSide::Bid), cents(BookSide::Ask)))
    }

    /// Closes an event if it is open and ends it: an operator proposes the verdict with evidence and finalises it.
    pub(crate) fn resolve(&mut self, event: EventId, rulings: Vec<Ruling>) -> Result<(), Refusal> {
        let actor = self.operator()?;
        if matches!(self.status(event)?, Status::Open | Status::Paused) {
            self.submit(actor, Command::CloseTrading(CloseTrading { target: Target::Event(event) }))?;
        }
        let id = ProposalId::new(new_id().as_u128());
        let propose = Propose {
            id,
            subject: Subject::Resolution { event, verdict: Verdict::Outcomes(rulings) },
            evidence: Evidence { text: Text::from("A request to the sandbox."), link: Text::default() },
        };
        self.submit(actor, Command::Propose(propose))?;
        self.submit(actor, Command::Finalise(Finalise { proposal: id }))?;
        Ok(())
    }

    fn status(&self, event: EventId) -> Result<Status, Refusal> {
        let exchange = self.app()?.reading().state();
        let index =
            exchange.catalogue().find_event(event).ok_or_else(|| Refusal::missing("No such event"))?;
        Ok(exchange.catalogue().event(index).status)
    }

    /// The event with this id or slug, and its markets.
    pub(crate) fn find_event(&self, name: &str) -> Result<(EventId, Vec<MarketId>), Refusal> {
        let exchange = self.app()?.reading().state();
        let catalogue = exchange.catalogue();
        let by_id = uuid::Uuid::parse_str(name).ok();
        let by_id = by_id.and_then(|id| catalogue.find_event(EventId::new(id.as_u128())));
        let index = by_id.or_else(|| catalogue.find_event_by_slug(name));
        let event = catalogue.event(index.ok_or_else(|| Refusal::missing("No such event"))?);
        Ok((event.id, event.markets.iter().map(|market| catalogue.market(*market).id).collect()))
    }

    /// The event of a market, and whether it has a book.
    pub(crate) fn event_of(&self, market: MarketId) -> Result<(EventId, bool), Refusal> {
        let exchange = self.app()?.reading().state();
        let catalogue = exchange.catalogue();
        let index = catalogue.find_market(market).ok_or_else(|| Refusal::missing("No such market"))?;
        let event = catalogue.event(catalogue.market(index).event);
        Ok((event.id, event.engine == Engine::Clob))
    }
}

/// The currency with this code.
pub(crate) fn currency(code: Option<&str>) -> Result<Currency, Refusal> {
    let code = code.unwrap_or(Currency::Usd.code());
    let found = Currency::ALL.into_iter().find(|currency| currency.code().eq_ignore_ascii_case(code));
    found.ok_or_else(|| Refusal::bad("currency: is USD or NGN"))
}
