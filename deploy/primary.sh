#!/bin/sh
# The primary of compose.yaml: makes its cluster on the first start, then serves. What is given goes to the server.
set -eu

# A text as SQL has it.
secret() {
    sed "s/'/''/g" "$1"
}

if [ ! -d "$PGDATA" ]; then
    # In a folder beside, so that one that was left half made is not taken for a cluster.
    rm -rf "$PGDATA.new"
    initdb --pgdata="$PGDATA.new" --encoding=UTF8 --no-locale --auth-local=peer --auth-host=scram-sha-256
    cat >>"$PGDATA.new/pg_hba.conf" <<END
host bellwether bellwether all scram-sha-256
host replication replicator all scram-sha-256
END
    # A command is a line here. To see whether a standby is synchronous, a node must be allowed to look.
    postgres --single -D "$PGDATA.new" -c exit_on_error=on postgres <<END
CREATE ROLE bellwether LOGIN PASSWORD '$(secret "$JOURNAL_PASSWORD_FILE")'
GRANT pg_read_all_stats TO bellwether
CREATE DATABASE bellwether OWNER bellwether
CREATE ROLE replicator LOGIN REPLICATION PASSWORD '$(secret "$REPLICATION_PASSWORD_FILE")'
END
    mv "$PGDATA.new" "$PGDATA"
fi

exec postgres -k "$PGHOST" "$@"
