//! Expiry: login attempts that no longer count, idempotency keys after a day, sessions of users after thirty days and
//! of operators after twelve hours, reset tokens.
//!
//! One timer is set to the earliest expiry. Each source returns its earliest expiry in constant time, so updating the
//! timer costs a comparison.

use super::TimerKind;
use crate::exchange::Exchange;

impl Exchange {
    /// Sets the ageing timer to the next expiry, unless it is set to that already.
    pub(crate) fn arm_ageing(&mut self) {
        let ends = [
            self.directory.login_limit.next_ageing(),
            self.directory.next_ageing(),
            self.memory.next_ageing(),
        ];
        let earliest = ends.into_iter().flatten().min();
        if earliest == self.ageing_at {
            return;
        }
        if let Some(armed) = self.ageing_at {
            self.timers.clear(armed, TimerKind::Ageing, 0);
        }
        if let Some(due) = earliest {
            self.timers.set(due, TimerKind::Ageing, 0);
        }
        self.ageing_at = earliest;
    }

    /// Handles the ageing timer: removes what has expired, of idempotency keys at most `keys_max`, and sets the timer again.
    pub(crate) fn forget_aged(&mut self, keys_max: usize) {
        self.ageing_at = None;
        self.directory.login_limit.forget_until(self.now);
        self.directory.forget_until(self.now);
        for _ in 0..keys_max {
            let Some(user) = self.memory.forget_one(self.now) else { break };
            self.directory.user_mut(user).open_orders.idempotency_keys -= 1;
        }
        self.arm_ageing();
    }
}
