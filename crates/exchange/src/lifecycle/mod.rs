//! Status changes of events and markets, and their effects.
//!
//! The table is in `catalogue/status.rs`. A command on an event applies to all its markets for which the action is
//! allowed, and an event's status is always derived from its markets. `closing` refunds resting orders, `settling` pays
//! holders, `series` creates and ends events by the clock, `retiring` moves ended events out of memory.

mod civil_date;
mod closing;
mod retiring;
mod retiring_games;
mod series;
mod settling;

pub(crate) use closing::{REFUNDED_AT_ONCE, orders_of};

use crate::catalogue::{Action, EventLink, Status};
use crate::change::Change;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::index::{EventIndex, MarketIndex};
use crate::reject::Reject;
use crate::time::Time;
use crate::timers::TimerKind;

impl Exchange {
    /// The markets that `action` applies to, and their event. Refuses an action that no market allows.
    pub(crate) fn find_targets(
        &self,
        target: Target,
        action: Action,
    ) -> Result<(EventIndex, Vec<MarketIndex>), Reject> {
        let (event, mut markets, status) = match target {
            Target::Event(id) => {
                let index = self.catalogue.find_event(id).ok_or(Reject::EventNotFound)?;
                let event = self.catalogue.event(index);
                (index, event.markets.clone(), event.status)
            }
            Target::Market(id) => {
                let index = self.catalogue.find_market(id).ok_or(Reject::MarketNotFound)?;
                let market = self.catalogue.market(index);
                (market.event, vec![index], market.status)
            }
        };
        markets.retain(|market| self.catalogue.market(*market).status.after(action).is_some());
        if markets.is_empty() { Err(Reject::StatusNotAllowed { status }) } else { Ok((event, markets)) }
    }

    /// Changes the status of markets that allow it, then updates their event.
    pub(crate) fn move_markets(&mut self, event: EventIndex, markets: &[MarketIndex], action: Action) {
        for market in markets {
            self.move_market(*market, action);
        }
        self.refresh_event(event);
    }

    pub(crate) fn move_market(&mut self, index: MarketIndex, action: Action) {
        let market = self.catalogue.market_mut(index);
        let after = market.status.after(action);
        assert!(after.is_some(), "a market's status changes only as the lifecycle table allows");
        if let Some(status) = after {
            market.status = status;
            self.changes.push(Change::MarketStatus { market: market.id, status });
            if status.is_final() {
                self.clear_announced_terms(index);
            }
        }
    }

    /// Recomputes an event's status and updates its timers: a closing timer while trading is possible, a resolution
    /// timer while the event awaits it.
    pub(crate) fn refresh_event(&mut self, index: EventIndex) {
        let event = self.catalogue.event(index);
        let markets = event.markets.iter().map(|market| self.catalogue.market(*market).status);
        let (before, status) = (event.status, Status::of_event(markets));
        if before == status {
            return;
        }
        self.clear_event_timers(index);
        let is_newer = self.since(4);
        let event = self.catalogue.event_mut(index);
        event.status = status;
        event.never_opened = is_newer && before == Status::Draft && status == Status::Cancelled;
        if status == Status::Resolved {
            event.resolved_at = Some(self.now);
        }
        let id = event.id;
        self.changes.push(Change::EventStatus { event: id, status });
        self.arm_event(index);
        if status.is_final() {
            self.end_proposals_for_event(id);
            let ended_at = self.ended_at(index);
            assert!(ended_at == Some(self.now), "an event ends when its last market is settled");
            self.catalogue.ended.insert((self.now, index));
            self.arm_retirement();
        }
    }

    /// The timer that an event needs in its current state.
    fn event_timer(&self, index: EventIndex) -> Option<(Time, TimerKind)> {
        let event = self.catalogue.event(index);
        let awaits_resolution = matches!(event.link, EventLink::Series { .. })
            && event.close_value.is_some()
            && !event.is_result_proposed;
        match event.status {
            Status::Open | Status::Paused => Some((event.details.closing_date?, TimerKind::Close)),
            Status::Closed if awaits_resolution => {
                Some((event.details.resolution_date?, TimerKind::Resolution))
            }
            _ => None,
        }
    }

    pub(crate) fn arm_event(&mut self, index: EventIndex) {
        if let Some((due, kind)) = self.event_timer(index) {
            self.timers.set(due, kind, self.catalogue.event(index).id.as_u128());
        }
    }

    pub(crate) fn clear_event_timers(&mut self, index: EventIndex) {
        if let Some((due, kind)) = self.event_timer(index) {
            self.timers.clear(due, kind, self.catalogue.event(index).id.as_u128());
        }
    }
}
