//! Forgetting in time: login attempts when they no longer count, idempotency keys after a day, sessions of users after
//! thirty days and of operators after twelve hours, reset tokens at their end.
//!
//! One timer stands at the earliest of them. Every source knows its own earliest end at once, so keeping
//! the timer right costs a comparison.

use crate::exchange::Exchange;
use crate::timers::TimerKind;

impl Exchange {
    /// Puts the ageing timer where the next thing is to be forgotten, if it is not there already.
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

    /// The ageing timer fired: drops all that is over by now, and sets the timer again.
    pub(crate) fn forget_aged(&mut self) {
        self.ageing_at = None;
        self.directory.login_limit.forget_until(self.now);
        self.directory.forget_until(self.now);
        while let Some(user) = self.memory.forget_one(self.now) {
            self.directory.user_mut(user).idempotency_keys -= 1;
        }
        self.arm_ageing();
    }
}
