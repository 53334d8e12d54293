// A command that signs and sends a request with the reader's own key, to paste into a shell. What is in it was made here, in the
// page, and is gone when the page is.

export function signingExample(origin: string, publicKey: string, secretKey: string): string {
  // A command, no text.
  return `PUBLIC_KEY='${publicKey}'
SECRET_KEY='${secretKey}'
METHOD=POST REQUEST_PATH=/v1/auth/check BODY='{}'
TIMESTAMP=$(date +%s)
HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
SIGNATURE=$(printf %s "$TIMESTAMP.$METHOD.$REQUEST_PATH.$HASH" |
  openssl dgst -sha256 -hmac "$SECRET_KEY" -binary | openssl base64 -A)
curl -s -X "$METHOD" "${origin}$REQUEST_PATH" --data-raw "$BODY" \\
  -H 'Content-Type: application/json' -H "X-Public-Key: $PUBLIC_KEY" \\
  -H "X-Timestamp: $TIMESTAMP" -H "X-Signature: $SIGNATURE"`
}
