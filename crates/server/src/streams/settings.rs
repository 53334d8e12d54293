//! Settings of the streams. The times match what public clients expect.

use std::time::Duration;

use crate::limits::Rate;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamSettings {
    /// Open connections per network: an IPv4 address or an IPv6 /64.
    pub connections_per_network_max: u32,
    /// Open connections in total.
    pub connections_max: u64,
    /// Other origins that may connect to the user endpoint, such as `https://app.example.org`.
    pub origins: Vec<String>,
    /// Messages of a client, counted by frame and by subscribed room.
    pub messages: Rate,
    /// How long a client may be silent before it is pinged.
    pub ping_after: Duration,
    /// How long a client may be silent before it is disconnected.
    pub idle_max: Duration,
    /// How long a client may read nothing of what is sent.
    pub send_max: Duration,
    /// How long to wait for a client to read the close reason.
    pub close_max: Duration,
    /// Messages queued per client. Books and prices do not count: only the newest of each is queued.
    pub events_waiting_max: usize,
    /// Subscriptions per connection.
    pub rooms_max: usize,
    /// How long a room of `changes` may be idle before a heartbeat is sent.
    pub heartbeat_every: Duration,
    /// Deltas that a room of `changes` keeps for resuming clients, their bytes, and the bytes of all rooms.
    pub changes_kept_max: usize,
    pub changes_kept_bytes_max: usize,
    pub changes_kept_bytes_total_max: usize,
    /// How long such a room is kept without readers.
    pub changes_kept_for: Duration,
}

impl Default for StreamSettings {
    fn default() -> StreamSettings {
        StreamSettings {
            connections_per_network_max: 100,
            connections_max: 10_000,
            origins: Vec::new(),
            messages: Rate { tokens: 10, seconds: 1, capacity: 200 },
            ping_after: Duration::from_secs(54),
            idle_max: Duration::from_secs(60),
            send_max: Duration::from_secs(10),
            close_max: Duration::from_secs(3),
            events_waiting_max: 4_096,
            rooms_max: 200,
            heartbeat_every: Duration::from_secs(5),
            changes_kept_max: 1_024,
            changes_kept_bytes_max: 512 * 1024,
            changes_kept_bytes_total_max: 128 * 1024 * 1024,
            changes_kept_for: Duration::from_secs(180),
        }
    }
}
