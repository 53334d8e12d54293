//! Divides the process's file descriptors. Connections of the public listener get what remains after the operators'
//! listener and after everything that must never run out: journal, history, snapshots, the shared log's database, price
//! feeds.

use std::fs;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use server::http::admission::{OPERATORS_MAX, PER_NETWORK_USUAL};

/// Descriptors reserved for files and connections that the exchange opens later.
const KEPT_BACK: u64 = 128;
/// With fewer descriptors hardly any would remain for connections.
const LIMIT_MIN: u64 = 256;
/// The default limit on connections: each costs memory.
const CONNECTIONS_USUAL_MAX: u64 = 65_536;
/// By default a network gets at most one part in this many of all connections.
const NETWORKS_MIN: u32 = 4;

/// Settings as given; none means the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectionSettings {
    pub all: Option<u32>,
    pub per_network: Option<u32>,
}

/// Limits of the public listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub connections_max: u32,
    pub per_network_max: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DescriptorError {
    #[error(
        "this process may open {limit} files, and an exchange needs at least {LIMIT_MIN}: raise the hard limit (`ulimit -Hn`, LimitNOFILE)"
    )]
    LimitTooLow { limit: u64 },
    #[error(
        "connections is {all}, but {connections_max} is the most: this process may open {limit} files, and the rest is kept back for operators, journal and history; raise the hard limit (`ulimit -Hn`, LimitNOFILE) or set fewer"
    )]
    TooManyConnections { all: u32, connections_max: u64, limit: u64 },
    #[error("connections-per-network is {per_network}, more than the {all} connections there are")]
    NetworkAboveAll { per_network: u32, all: u32 },
}

/// Raises the soft limit of open files to the hard limit, and returns it.
pub fn raise_limit() -> Result<u64, DescriptorError> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
    {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
    // None: unlimited.
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    if limit < LIMIT_MIN { Err(DescriptorError::LimitTooLow { limit }) } else { Ok(limit) }
}

/// The descriptors that an exchange with this many streams needs. Files that are permanently open count as those reserved.
pub fn needed_for(streams_max: u64) -> u64 {
    streams_max + u64::from(OPERATORS_MAX) + 2 * KEPT_BACK
}

/// The number of open descriptors.
pub fn open_now() -> u64 {
    let listed = fs::read_dir("/proc/self/fd").or_else(|_| fs::read_dir("/dev/fd"));
    listed.map_or(KEPT_BACK, |entries| entries.count() as u64)
}

impl ConnectionSettings {
    /// The public listener's share of `limit` descriptors, of which `open` are in use.
    pub fn share(self, limit: u64, open: u64) -> Result<Share, DescriptorError> {
        let kept = open + KEPT_BACK + u64::from(OPERATORS_MAX);
        let connections_max = limit.saturating_sub(kept);
        let connections_max = match self.all {
            Some(all) if u64::from(all) > connections_max => {
                return Err(DescriptorError::TooManyConnections { all, connections_max, limit });
            }
            Some(all) => all,
            None if connections_max == 0 => return Err(DescriptorError::LimitTooLow { limit }),
            None => u32::try_from(connections_max.min(CONNECTIONS_USUAL_MAX)).unwrap_or(u32::MAX),
        };
        let per_network_max = match self.per_network {
            Some(per_network) if per_network > connections_max => {
                return Err(DescriptorError::NetworkAboveAll { per_network, all: connections_max });
            }
            Some(per_network) => per_network,
            None => PER_NETWORK_USUAL.min(connections_max.div_ceil(NETWORKS_MIN)),
        };
        Ok(Share { connections_max, per_network_max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(all: Option<u32>, per_network: Option<u32>, limit: u64) -> Result<(u32, u32), String> {
        let share = ConnectionSettings { all, per_network }.share(limit, 30);
        share.map(|share| (share.connections_max, share.per_network_max)).map_err(|error| error.to_string())
    }

    #[test]
    fn connections_get_what_is_left_of_the_descriptors() {
        assert_eq!(share(None, None, 65_536), Ok((65_314, 256)));
        assert_eq!(share(None, None, u64::MAX), Ok((65_536, 256)), "each costs memory");
        assert_eq!(share(None, None, 300), Ok((78, 20)), "four networks at least have room");
        assert_eq!(share(Some(100_000), Some(1_000), 1 << 20), Ok((100_000, 1_000)));
        assert_eq!(share(Some(3), None, 1_024), Ok((3, 1)));
    }

    #[test]
    fn more_connections_than_descriptors_are_refused_with_the_figures() {
        let error = share(Some(803), None, 1_024).expect_err("a refusal");
        assert!(error.contains("connections is 803, but 802 is the most"), "{error}");
        let error = share(Some(10), Some(11), 1_024).expect_err("a refusal");
        assert!(error.contains("connections-per-network is 11"), "{error}");
        let error = share(None, None, 222).expect_err("a refusal");
        assert!(error.contains("may open 222 files"), "{error}");
    }
}
