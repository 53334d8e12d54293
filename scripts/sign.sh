#!/bin/sh
# Signs a request with a demo user's key and sends it. Needs curl and openssl.
#
#   scripts/sign.sh METHOD PATH [BODY]
#
# Keys and address come from DIR/demo.json (DEMO=file chooses another, USER_NUMBER=n the n-th user, from 1), or from
# BASE_URL, PUBLIC_KEY and SECRET_KEY. What is signed: {timestamp}.{METHOD}.{path}.{lower-case hex SHA-256 of the body},
# where the hash of no body is empty.
set -eu

if [ $# -lt 2 ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
method=$1 path=$2 body=${3-}
demo=${DEMO:-data/demo.json}

# The n-th value of a key in demo.json, which has one key on each line.
value() {
    sed -n "s/^ *\"$1\": *\"\(.*\)\",\{0,1\}\$/\1/p" "$demo" | sed -n "$2p"
}

number=${USER_NUMBER:-1}
base_url=${BASE_URL:-$(value baseUrl 1)}
public_key=${PUBLIC_KEY:-$(value publicKey "$number")}
secret_key=${SECRET_KEY:-$(value secretKey "$number")}
if [ -z "$base_url" ] || [ -z "$public_key" ] || [ -z "$secret_key" ]; then
    echo "sign.sh: no address or no keys: is $demo there?" >&2
    exit 1
fi

timestamp=$(date +%s)
hash=
if [ -n "$body" ]; then
    hash=$(printf %s "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
fi
signature=$(printf %s "$timestamp.$method.$path.$hash" |
    openssl dgst -sha256 -hmac "$secret_key" -binary | openssl base64 -A)

set -- -sS -X "$method" "$base_url$path" \
    -H "X-Public-Key: $public_key" -H "X-Timestamp: $timestamp" -H "X-Signature: $signature"
if [ -n "$body" ]; then
    set -- "$@" -H 'Content-Type: application/json' --data-binary "$body"
fi
if [ -n "${IDEMPOTENCY_KEY-}" ]; then
    set -- "$@" -H "Idempotency-Key: $IDEMPOTENCY_KEY"
fi
curl "$@"
echo
