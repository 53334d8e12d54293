//! How much may wait for the history thread. It is counted in bytes and not in groups: groups are small when all is
//! well, and then a second of them is nothing, while a few large ones are much.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// About a second of what a busy exchange reports; when more waits, the apply thread waits too.
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
    /// Waits until there is room, and takes it. Whoever finds some may take more than that.
    pub(super) fn enter(&self, bytes: usize) {
        let has_none = |held: &mut Held| held.bytes >= BYTES_MAX && !held.is_closed;
        let held = self.freed.wait_while(self.held(), has_none);
        held.unwrap_or_else(PoisonError::into_inner).bytes += bytes;
    }

    pub(super) fn leave(&self, bytes: usize) {
        self.held().bytes -= bytes;
        self.freed.notify_all();
    }

    /// Nobody will leave any more, so nobody waits any more.
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

    /// Enters on a thread of its own, and says when it is in.
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
        assert!(told.recv_timeout(Duration::from_millis(50)).is_err(), "there is none");
        room.leave(7);
        assert!(told.recv_timeout(Duration::from_secs(120)).is_ok());
    }

    #[test]
    fn nobody_waits_for_a_history_that_has_ended() {
        let room = Arc::new(Room::default());
        room.enter(BYTES_MAX);
        let told = entering(&room);
        room.close();
        assert!(told.recv_timeout(Duration::from_secs(120)).is_ok());
        room.enter(BYTES_MAX);
        room.enter(1);
    }
}
