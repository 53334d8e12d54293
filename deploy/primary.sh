#!/bin/sh
# The primary of compose.yaml: creates its cluster on the first start, then serves. Arguments are passed to the server.
set -eu

# The content of a file, with quotes doubled for SQL.
secret() {
    sed "s/'/''/g" "$1"
}

if [ ! -d "$PGDATA" ]; then
    # Created under another name, so that an interrupted creation is not used as a cluster.
    rm -rf "$PGDATA.new"
    initdb --pgdata="$PGDATA.new" --encoding=UTF8 --no-locale --auth-local=peer --auth-host=scram-sha-256
    cat >>"$PGDATA.new/pg_hba.conf" <<END
host bellwether bellwether all scram-sha-256
host replication replicator all scram-sha-256
END
    # One command per line. pg_read_all_stats lets a node see whether a standby is synchronous.
    postgres --single -D "$PGDATA.new" -c exit_on_error=on postgres <<END
CREATE ROLE bellwether LOGIN PASSWORD '$(secret "$JOURNAL_PASSWORD_FILE")'
GRANT pg_read_all_stats TO bellwether
CREATE DATABASE bellwether OWNER bellwether
CREATE ROLE replicator LOGIN REPLICATION PASSWORD '$(secret "$REPLICATION_PASSWORD_FILE")'
END
    mv "$PGDATA.new" "$PGDATA"
fi

exec postgres -k "$PGHOST" "$@"
