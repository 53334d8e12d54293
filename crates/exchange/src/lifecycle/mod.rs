//! How events and markets move from status to status, and what each step brings with it.
//!
//! The table is `catalogue/status.rs`. Here is what follows from it: a command on an event reaches all its
//! markets that the action is allowed for, and an event's own status is always recomputed out of its markets'.
//! `closing` refunds what rests, `settling` pays what is held, `series` makes and ends events by the clock, `retiring`
//! takes ended events out of memory.

mod civil_date;
mod closing;
mod retiring;
mod series;
mod settling;

pub(crate) use closing::resting_orders;

use crate::catalogue::{Action, EventLink, Status};
use crate::change::Change;
use crate::command::Target;
use crate::exchange::Exchange;
use crate::index::{EventIndex, MarketIndex};
use crate::reject::Reject;
use crate::time::Time;
use crate::timers::TimerKind;

impl Exchange {
    /// The markets that `action` reaches, and their event. Refuses an action that is allowed for none.
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

    /// Moves markets that allow it, then their event.
    pub(crate) fn move_markets(&mut self, event: EventIndex, markets: &[MarketIndex], action: Action) {
        for market in markets {
            self.move_market(*market, action);
        }
        self.refresh_event(event);
    }

    pub(crate) fn move_market(&mut self, market: MarketIndex, action: Action) {
        let market = self.catalogue.market_mut(market);
        let after = market.status.after(action);
        assert!(after.is_some(), "a market moves by the lifecycle's table only");
        if let Some(status) = after {
            market.status = status;
            self.changes.push(Change::MarketStatus { market: market.id, status });
        }
    }

    /// Recomputes an event's status, and keeps its timers: a closing date stands on the clock while trading
    /// can go on, a resolution while the event waits for it.
    pub(crate) fn refresh_event(&mut self, index: EventIndex) {
        let event = self.catalogue.event(index);
        let markets = event.markets.iter().map(|market| self.catalogue.market(*market).status);
        let (before, status) = (event.status, Status::of_event(markets));
        if before == status {
            return;
        }
        self.clear_event_timers(index);
        let event = self.catalogue.event_mut(index);
        event.status = status;
        if status == Status::Resolved {
            event.resolved_at = Some(self.now);
        }
        let id = event.id;
        self.changes.push(Change::EventStatus { event: id, status });
        self.arm_event(index);
        if status.is_final() {
            self.end_proposals_for_event(id);
            let ended_at = self.ended_at(index);
            assert!(ended_at == Some(self.now), "an event ends with the settlement of its last market");
            self.catalogue.ended.insert((self.now, index));
            self.arm_retirement();
        }
    }

    /// What stands on the clock for an event as it is now.
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

    fn clear_event_timers(&mut self, index: EventIndex) {
        if let Some((due, kind)) = self.event_timer(index) {
            self.timers.clear(due, kind, self.catalogue.event(index).id.as_u128());
        }
    }
}
