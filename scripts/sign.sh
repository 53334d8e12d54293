#!/bin/sh
# Signs a request and sends it. Needs curl and openssl.
#
#   scripts/sign.sh [--print-signature] METHOD PATH [BODY]
#
# Keys and address come from data/demo.json (DEMO=file chooses another, USER_NUMBER=n the n-th user, from 1), or from
# BASE_URL, PUBLIC_KEY and SECRET_KEY. IDEMPOTENCY_KEY makes a write safe to repeat; TIMESTAMP replaces the clock.
# --print-signature prints X-Signature and sends nothing. What is signed:
#   {timestamp}.{METHOD}.{path without its query}.{lower-case hex SHA-256 of the body; empty for no body}
set -eu

print_signature=
if [ "${1-}" = --print-signature ]; then
    print_signature=yes
    shift
fi
if [ $# -lt 2 ]; then
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
method=$1 path=$2 body=${3-}
demo=${DEMO:-data/demo.json}

# The n-th value of a key in demo.json, which has one key on each line.
value() {
    [ ! -r "$demo" ] || sed -n "s/^ *\"$1\": *\"\(.*\)\",\{0,1\}\$/\1/p" "$demo" | sed -n "$2p"
}

# $1 with what it stands for, $2; ends here when that is not there.
required() {
    [ -n "$2" ] || {
        echo "sign.sh: no $1: is $demo there?" >&2
        exit 1
    }
}

number=${USER_NUMBER:-1}
secret_key=${SECRET_KEY:-$(value secretKey "$number")}
required SECRET_KEY "$secret_key"

timestamp=${TIMESTAMP:-$(date +%s)}
hash=
if [ -n "$body" ]; then
    hash=$(printf %s "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
fi
# The secret is an argument here, which others on this machine can see: for trying things out, not for a shared server.
signature=$(printf %s "$timestamp.$method.${path%%\?*}.$hash" |
    openssl dgst -sha256 -hmac "$secret_key" -binary | openssl base64 -A)
if [ -n "$print_signature" ]; then
    echo "$signature"
    exit
fi

base_url=${BASE_URL:-$(value baseUrl 1)}
public_key=${PUBLIC_KEY:-$(value publicKey "$number")}
required BASE_URL "$base_url"
required PUBLIC_KEY "$public_key"
set -- -sS --fail-with-body --max-time 10 -X "$method" "$base_url$path" \
    -H "X-Public-Key: $public_key" -H "X-Timestamp: $timestamp" -H "X-Signature: $signature"
if [ -n "$body" ]; then
    set -- "$@" -H 'Content-Type: application/json' --data-raw "$body"
fi
if [ -n "${IDEMPOTENCY_KEY-}" ]; then
    set -- "$@" -H "Idempotency-Key: $IDEMPOTENCY_KEY"
fi
status=0
curl "$@" || status=$?
echo
exit "$status"
