#!/bin/sh
# The standby of compose.yaml: copies the primary on the first start, then follows it. Arguments are passed to the server.
set -eu

if [ ! -d "$PGDATA" ]; then
    PGPASSWORD=$(cat "$REPLICATION_PASSWORD_FILE")
    export PGPASSWORD
    # -R stores the connection to the primary, password included, in a file that only its owner can read.
    until rm -rf "$PGDATA.new" && pg_basebackup --dbname="$PRIMARY" --pgdata="$PGDATA.new" --checkpoint=fast -R; do
        echo "the primary is not there yet"
        sleep 0.5
    done
    mv "$PGDATA.new" "$PGDATA"
fi

exec postgres -k "$PGHOST" "$@"
