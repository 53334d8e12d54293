//! Backpressure: limits the bytes queued for the history thread. Bytes, not groups: a second of small groups is harmless,
//! while a few large ones take a lot of memory.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// About a second of changes of a busy exchange. Above this the apply thread waits.
const BYTES_MAX: usize = 128 << 20;

#[derive(Debug, Default)]
pub(super) struct Room {
    held: Mutex<Held>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    is_closed: bool,
}

impl Room {
    /// Waits until less than `BYTES_MAX` is queued, then adds `bytes`, which may exceed the limit.
    pub(super) fn enter(&self, bytes: usize) {
        let has_none = |held: &mut Held| held.bytes >= BYTES_MAX && !held.is_closed;
        let held = self.freed.wait_while(self.held(), has_none);
        held.unwrap_or_else(PoisonError::into_inner).bytes += bytes;
    }

    pub(super) fn leave(&self, bytes: usize) {
        self.held().bytes -= bytes;
        self.freed.notify_all();
    }

    /// Wakes all waiting threads and makes `enter` return at once: the history thread has ended.
    pub(super) fn close(&self) {
        self.held().is_closed = true;
        self.freed.notify_all();
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::Duration;

    use super::{BYTES_MAX, Room};

    /// Calls `enter` on another thread, and sends a message when that has returned.
    fn entering(room: &Arc<Room>) -> Receiver<()> {
        let (say, told) = channel();
        let room = room.clone();
        thread::spawn(move || {
            room.enter(1);
            say.send(())
        });
        told
    }

    #[test]
    fn whoever_finds_no_room_waits_until_some_is_left() {
        let room = Arc::new(Room::default());
        room.enter(BYTES_MAX - 1);
        room.enter(7);
        let told = entering(&room);
        assert!(told.recv_timeout(Duration::from_millis(50)).is_err(), "the room is full");
        room.leave(7);
        assert!(told.recv_timeout(Duration::from_secs(120)).is_ok());
    }

    #[test]
    fn no_wait_for_a_history_that_has_ended() {
        let room = Arc::new(Room::default());
        room.enter(BYTES_MAX);
        let told = entering(&room);
        room.close();
        assert!(told.recv_timeout(Duration::from_secs(120)).is_ok());
        room.enter(BYTES_MAX);
        room.enter(1);
    }
}
