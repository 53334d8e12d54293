//! The tables, and the settings of every session.

use super::link::Link;
use crate::Error;

/// Abandoned statements and vanished clients must not occupy the server for ever, and no server default may change the
/// meaning of a query.
pub(super) const SESSION: &str = "\
    SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;\
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;\
    SET statement_timeout = '20s'; SET lock_timeout = '10s'; SET client_min_messages = 'error'";

/// The channel that announces every append.
pub(super) const CHANNEL: &str = "bellwether_frames";

/// Several nodes may start at once: one creates the tables, the others wait and find them. Frames are stored
/// uncompressed: most are small, and compression would add latency.
const CREATE: &str = "\
    BEGIN;\
    SELECT pg_advisory_xact_lock(5577006791947779410);\
    CREATE TABLE IF NOT EXISTS bellwether_frames (\
        sequence bigint PRIMARY KEY,\
        node bytea NOT NULL,\
        hash bytea NOT NULL,\
        frame bytea NOT NULL);\
    ALTER TABLE bellwether_frames ALTER COLUMN frame SET STORAGE EXTERNAL;\
    CREATE TABLE IF NOT EXISTS bellwether_agreed (name text PRIMARY KEY, value bytea NOT NULL);\
    CREATE TABLE IF NOT EXISTS bellwether_checkpoints (\
        sequence bigint PRIMARY KEY,\
        node bytea NOT NULL,\
        digest bytea NOT NULL);\
    CREATE TABLE IF NOT EXISTS bellwether_snapshots (\
        sequence bigint,\
        piece integer,\
        content bytea NOT NULL,\
        PRIMARY KEY (sequence, piece));\
    ALTER TABLE bellwether_snapshots ALTER COLUMN content SET STORAGE EXTERNAL;\
    CREATE TABLE IF NOT EXISTS bellwether_nodes (\
        mark bigint PRIMARY KEY,\
        rules bigint NOT NULL,\
        build text NOT NULL);\
    CREATE TABLE IF NOT EXISTS bellwether_marks (mark bigint PRIMARY KEY, server text NOT NULL);\
    CREATE TABLE IF NOT EXISTS bellwether_barrier (number integer PRIMARY KEY, passed timestamptz NOT NULL);\
    CREATE TABLE IF NOT EXISTS bellwether_people (\
        id bytea PRIMARY KEY,\
        person bytea NOT NULL,\
        expires_at bigint NOT NULL,\
        wrapped_key bytea NOT NULL,\
        sealed bytea NOT NULL);\
    CREATE INDEX IF NOT EXISTS bellwether_people_by_person ON bellwether_people (person);\
    CREATE INDEX IF NOT EXISTS bellwether_people_by_expiry ON bellwether_people (expires_at);\
    CREATE TABLE IF NOT EXISTS bellwether_people_settings (name text PRIMARY KEY, value bytea NOT NULL);\
    CREATE TABLE IF NOT EXISTS bellwether_pictures (\
        hash bytea PRIMARY KEY,\
        named boolean NOT NULL,\
        stored_at timestamptz NOT NULL,\
        content bytea NOT NULL);\
    ALTER TABLE bellwether_pictures ALTER COLUMN content SET STORAGE EXTERNAL;\
    CREATE TABLE IF NOT EXISTS bellwether_people_entries (\
        serial bigserial PRIMARY KEY,\
        id bytea NOT NULL UNIQUE,\
        person bytea NOT NULL,\
        kind smallint NOT NULL,\
        mark bigint NOT NULL,\
        wrapped_key bytea NOT NULL,\
        sealed bytea NOT NULL);\
    CREATE INDEX IF NOT EXISTS bellwether_people_entries_by_person ON bellwether_people_entries (person);\
    CREATE TABLE IF NOT EXISTS bellwether_people_sent (\
        person bytea,\
        kind smallint,\
        sequence bigint,\
        at bigint NOT NULL,\
        PRIMARY KEY (person, kind, sequence));\
    COMMIT";

/// The table that was added last.
const ARE_THERE: &str = "SELECT to_regclass('bellwether_marks') IS NOT NULL";

/// Creates the tables if they are missing. A role that may not create tables can use existing ones.
pub(super) fn create(link: &mut Link) -> Result<(), Error> {
    let are_there = link.call("look for the tables of", async |connected| {
        Ok(connected.client.query_one(ARE_THERE, &[]).await?.get::<_, bool>(0))
    })?;
    if are_there {
        return Ok(());
    }
    link.call("make the tables of", async |connected| connected.client.batch_execute(CREATE).await)
}
