#!/bin/sh
# Creates the secrets of compose.yaml: secrets.sh [FOLDER [OWNER]]. Existing secrets stay unchanged.
#
# Only the owner can open the folder. Compose mounts its files into the containers one by one. Every user of a container can
# read the passwords and the token; only the image's user can read the master key, because a node refuses a key that others
# can read.
set -eu

folder=${1:-$(dirname "$0")/secrets}
owner=${2:-10001}
umask 077
mkdir -p "$folder"

for name in operator.token journal.password replication.password; do
    if [ ! -e "$folder/$name" ]; then
        od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$folder/$name.new"
        chmod 444 "$folder/$name.new"
        mv "$folder/$name.new" "$folder/$name"
    fi
done
if [ ! -e "$folder/master.key" ]; then
    head -c 32 /dev/urandom >"$folder/master.key.new"
    chown "$owner" "$folder/master.key.new"
    chmod 400 "$folder/master.key.new"
    mv "$folder/master.key.new" "$folder/master.key"
fi
