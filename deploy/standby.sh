#!/bin/sh
# The standby of compose.yaml: copies the primary on the first start, then follows it. What is given goes to the server.
set -eu

if [ ! -d "$PGDATA" ]; then
    PGPASSWORD=$(cat "$REPLICATION_PASSWORD_FILE")
    export PGPASSWORD
    # -R: the copy keeps how it reaches the primary, password included, in a file of its owner's.
    until rm -rf "$PGDATA.new" && pg_basebackup --dbname="$PRIMARY" --pgdata="$PGDATA.new" --checkpoint=fast -R; do
        echo "the primary is not there yet"
        sleep 0.5
    done
    mv "$PGDATA.new" "$PGDATA"
fi

exec postgres -k "$PGHOST" "$@"
