//! `ChangeTerms`: changes the given terms of a market. A raise is announced an hour before it applies, so that traders know
//! the fee of an order before they place it. Resting orders keep their fee.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::{AnnouncedTerms, Market, MarketTerms, Status};
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::MarketId;
use crate::index::MarketIndex;
use crate::numbers::{Currency, FeeRate, Money, PerCurrency};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::Span;
use crate::timers::TimerKind;

/// The time between the announcement of a raise and the raise.
pub const NOTICE: Span = Span::hours(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ChangeTerms {
    #[n(0)]
    pub market: MarketId,
    #[n(1)]
    pub fee_rate: Option<FeeRate>,
    #[n(2)]
    pub order_min: PerCurrency<Option<Money>>,
}

impl ChangeTerms {
    /// The terms after the change.
    pub fn over(&self, terms: MarketTerms) -> MarketTerms {
        MarketTerms {
            fee_rate: self.fee_rate.unwrap_or(terms.fee_rate),
            order_min: self.order_min.over(terms.order_min),
        }
    }
}

impl MarketTerms {
    fn raises(&self, now: &MarketTerms) -> bool {
        let raises_minimum = |currency| self.order_min.get(currency) > now.order_min.get(currency);
        self.fee_rate > now.fee_rate || Currency::ALL.into_iter().any(raises_minimum)
    }
}

impl Exchange {
    pub(crate) fn change_terms(&mut self, _: Caller, command: &ChangeTerms) -> Result<Reply, Reject> {
        let (index, terms) = self.check_terms_change(command)?;
        let market = self.catalogue.market(index);
        let is_announced = market.status != Status::Draft && terms.raises(&market.terms());
        let event = self.catalogue.event(market.event).id;
        self.clear_announced_terms(index);
        if is_announced {
            let announced = AnnouncedTerms { terms, from: self.now + NOTICE };
            self.catalogue.market_mut(index).announced = Some(announced);
            self.arm_announced_terms(index);
        } else {
            self.apply_terms(index, terms);
        }
        self.changes.push(Change::EventEdited { event });
        Ok(Reply::Done)
    }

    /// The terms that a change leads to. It goes on from terms that are announced, if there are any.
    pub(crate) fn check_terms_change(
        &self,
        command: &ChangeTerms,
    ) -> Result<(MarketIndex, MarketTerms), Reject> {
        let index = self.catalogue.find_market(command.market).ok_or(Reject::MarketNotFound)?;
        let market = self.catalogue.market(index);
        let terms = command.over(market.announced.map_or(market.terms(), |announced| announced.terms));
        let mut details = market.details.clone();
        (details.fee_rate, details.order_min) = (terms.fee_rate, terms.order_min);
        details.check_terms()?;
        match market.status {
            status if status.is_final() => Err(Reject::StatusNotAllowed { status }),
            _ => Ok((index, terms)),
        }
    }

    fn apply_terms(&mut self, index: MarketIndex, terms: MarketTerms) {
        let mut details = self.catalogue.market(index).details.clone();
        (details.fee_rate, details.order_min) = (terms.fee_rate, terms.order_min);
        self.catalogue.set_market_details(index, details);
    }

    /// Handles the timer of announced terms.
    pub(crate) fn apply_announced_terms(&mut self, id: u128) {
        let Some(index) = self.catalogue.find_market(MarketId::new(id)) else { return };
        let Some(AnnouncedTerms { terms, .. }) = self.catalogue.market_mut(index).announced.take() else {
            return;
        };
        self.apply_terms(index, terms);
        let event = self.catalogue.event(self.catalogue.market(index).event).id;
        self.changes.push(Change::EventEdited { event });
    }

    fn announced_timer(market: &Market) -> Option<(crate::time::Time, u128)> {
        market.announced.map(|announced| (announced.from, market.id.as_u128()))
    }

    pub(crate) fn arm_announced_terms(&mut self, index: MarketIndex) {
        if let Some((due, id)) = Exchange::announced_timer(self.catalogue.market(index)) {
            self.timers.set(due, TimerKind::Terms, id);
        }
    }

    /// Drops terms that are announced: others replace them, or the market has ended.
    pub(crate) fn clear_announced_terms(&mut self, index: MarketIndex) {
        if let Some((due, id)) = Exchange::announced_timer(self.catalogue.market(index)) {
            self.timers.clear(due, TimerKind::Terms, id);
            self.catalogue.market_mut(index).announced = None;
        }
    }
}
