#!/bin/sh
# Makes the secrets of compose.yaml: secrets.sh [FOLDER [OWNER]]. One that is there already stays as it is.
#
# The folder is for its owner's eyes only. What is in it is handed to the containers file by file: the passwords and the token
# to whoever is in there, the master key to the user of the image alone, because a node refuses one that others can read.
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
