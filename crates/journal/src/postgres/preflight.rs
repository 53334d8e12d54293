//! The server settings required for durable writes. Each refusal names the setting. A writer checks every server it
//! connects to, and again at intervals: after a failover it may be connected to another server.

use tokio_postgres::Client;

use crate::Error;

pub(super) const DOING: &str = "look at the settings of";

const VERSION_MIN: i32 = 150_000;
const SETTINGS: &str = "\
    SELECT current_setting('server_version_num')::integer, current_setting('fsync'), \
           current_setting('full_page_writes'), current_setting('synchronous_commit'), \
           current_setting('synchronous_standby_names')";
const STANDBYS: &str =
    "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')";

/// A synchronous commit, which returns when the standbys have everything that was committed before it. A server that
/// was started again shows rows that it never sent to a standby; a successor would not have them.
pub(super) const REPLICATED: &str = "SELECT pg_logical_emit_message(true, 'bellwether', '')";

/// The server's version, settings and standbys.
#[derive(Clone, Debug)]
pub(super) struct ServerSettings {
    version: i32,
    fsync: String,
    full_page_writes: String,
    synchronous_commit: String,
    standby_names: String,
    standbys: i64,
}

pub(super) async fn read_settings(client: &Client) -> Result<ServerSettings, tokio_postgres::Error> {
    let row = client.query_one(SETTINGS, &[]).await?;
    let standbys = client.query_one(STANDBYS, &[]).await?;
    Ok(ServerSettings {
        version: row.get(0),
        fsync: row.get(1),
        full_page_writes: row.get(2),
        synchronous_commit: row.get(3),
        standby_names: row.get(4),
        standbys: standbys.get(0),
    })
}

pub(super) fn check(found: &ServerSettings, replicas_min: u32) -> Result<(), Error> {
    check_settings(found, replicas_min).map_err(|what| Error::WrongDatabase { what })
}

fn check_settings(found: &ServerSettings, replicas_min: u32) -> Result<(), String> {
    if found.version < VERSION_MIN {
        return Err(format!("server_version_num is {}, PostgreSQL 15 or newer is needed", found.version));
    }
    for (name, value) in [("fsync", &found.fsync), ("full_page_writes", &found.full_page_writes)] {
        if value != "on" {
            return Err(format!("{name} is {value}: an answered write could be lost; set it to on"));
        }
    }
    if !["on", "remote_apply"].contains(&&*found.synchronous_commit) {
        let value = &found.synchronous_commit;
        return Err(format!("synchronous_commit is {value}: an answered write could be lost; set it to on"));
    }
    let waited_for = standbys_waited_for(&found.standby_names);
    if waited_for < replicas_min {
        let names = &found.standby_names;
        return Err(format!(
            "synchronous_standby_names is '{names}': a commit waits for {waited_for} standbys, {replicas_min} are required"
        ));
    }
    if found.standbys < i64::from(replicas_min) {
        return Err(format!(
            "pg_stat_replication shows {} synchronous standbys, {replicas_min} are required",
            found.standbys
        ));
    }
    Ok(())
}

/// The number of standbys a commit waits for: `ANY 2 (a, b, c)`, `FIRST 2 (…)`, `2 (…)`, or a list, which means one.
fn standbys_waited_for(names: &str) -> u32 {
    let names = names.trim();
    if names.is_empty() {
        return 0;
    }
    let before = names.split('(').next().filter(|before| before.len() < names.len());
    before.and_then(|before| before.split_whitespace().last()?.parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::{ServerSettings, check_settings, standbys_waited_for};

    fn fit() -> ServerSettings {
        ServerSettings {
            version: 150_004,
            fsync: "on".to_owned(),
            full_page_writes: "on".to_owned(),
            synchronous_commit: "on".to_owned(),
            standby_names: String::new(),
            standbys: 0,
        }
    }

    #[test]
    fn each_setting_that_could_lose_an_answered_write_is_refused_by_name() {
        let off = || "off".to_owned();
        let table = [
            ("fsync", ServerSettings { fsync: off(), ..fit() }),
            ("full_page_writes", ServerSettings { full_page_writes: off(), ..fit() }),
            ("synchronous_commit", ServerSettings { synchronous_commit: off(), ..fit() }),
        ];
        assert_eq!(check_settings(&fit(), 0), Ok(()));
        for (name, found) in table {
            assert!(check_settings(&found, 0).unwrap_err().starts_with(&format!("{name} is off")), "{name}");
        }
        for weaker in ["local", "remote_write"] {
            let found = ServerSettings { synchronous_commit: weaker.to_owned(), ..fit() };
            assert!(check_settings(&found, 0).unwrap_err().starts_with("synchronous_commit"), "{weaker}");
        }
        let old = ServerSettings { version: 140_011, ..fit() };
        assert!(check_settings(&old, 0).unwrap_err().starts_with("server_version_num is 140011"));
    }

    #[test]
    fn replicas_that_are_required_must_be_named_and_there() {
        let named = ServerSettings { standby_names: "ANY 1 (a, b)".to_owned(), ..fit() };
        assert!(check_settings(&fit(), 1).unwrap_err().starts_with("synchronous_standby_names is ''"));
        assert!(check_settings(&named, 1).unwrap_err().starts_with("pg_stat_replication shows 0"));
        assert_eq!(check_settings(&ServerSettings { standbys: 2, ..named.clone() }, 1), Ok(()));
        assert!(check_settings(&ServerSettings { standbys: 2, ..named }, 2).is_err());
    }

    #[test]
    fn the_standbys_a_commit_waits_for_are_read_from_every_form() {
        let table =
            [("", 0), ("*", 1), ("a, b", 1), ("ANY 2 (a, b, c)", 2), ("FIRST 3 (*)", 3), ("2 (a,b)", 2)];
        for (names, count) in table {
            assert_eq!(standbys_waited_for(names), count, "{names}");
        }
    }
}
