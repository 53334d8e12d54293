#!/usr/bin/env node
// Signs a request and sends it, until there is an answer. Node 18 or newer, no packages.
//
//   signed_request.mjs [--print-signature] METHOD PATH [BODY]
//
// Keys and address come from data/demo.json (DEMO=file chooses another, USER_NUMBER=n the n-th user, from 1), or from
// BASE_URL, PUBLIC_KEY and SECRET_KEY. IDEMPOTENCY_KEY names a write, TIMESTAMP replaces the clock.
// --print-signature prints X-Signature and sends nothing.

import { createHash, createHmac, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const ATTEMPTS = 5;
const { env } = process;

// The value of X-Signature. The body must be sent as exactly these bytes.
function sign(secretKey, timestamp, method, path, body) {
  const bodyHash = body.length > 0 ? createHash("sha256").update(body).digest("hex") : "";
  const payload = `${timestamp}.${method}.${path.split("?")[0]}.${bodyHash}`;
  return createHmac("sha256", secretKey).update(payload).digest("base64");
}

function now() {
  return env.TIMESTAMP || String(Math.floor(Date.now() / 1000));
}

// One attempt; returns any response.
async function send(account, method, path, body, idempotencyKey) {
  const timestamp = now();
  const response = await fetch(account.baseUrl + path, {
    method,
    headers: {
      "X-Public-Key": account.publicKey,
      "X-Timestamp": timestamp,
      "X-Signature": sign(account.secretKey, timestamp, method, path, body),
      "Idempotency-Key": idempotencyKey,
      "Content-Type": "application/json",
    },
    body: body.length > 0 ? body : undefined,
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

// Repeats what is safe to repeat. The same Idempotency-Key each time: however often it arrives, it happens once.
async function sendUntilAnswered(account, method, path, body) {
  const idempotencyKey = env.IDEMPOTENCY_KEY || randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === ATTEMPTS;
    let answer;
    try {
      answer = await send(account, method, path, body, idempotencyKey);
    } catch (lost) {
      // No answer says nothing about what happened.
      if (isLast) throw new Error(`no answer (${lost}); ask again with IDEMPOTENCY_KEY=${idempotencyKey}`);
      await wait(1_000);
      continue;
    }
    // In flight, too often, not available: none of these is the last word.
    if (![409, 429, 503].includes(answer.status) || isLast) return answer;
    await wait(1_000 * Number(answer.headers.get("Retry-After") ?? 1));
  }
}

// From the environment, or else from the demo's file.
function accountOfThisRun() {
  const given = { baseUrl: env.BASE_URL, publicKey: env.PUBLIC_KEY, secretKey: env.SECRET_KEY };
  const file = env.DEMO || "data/demo.json";
  if (Object.values(given).every(Boolean) || !existsSync(file)) return given;
  const demo = JSON.parse(readFileSync(file, "utf8"));
  const user = demo.users[Number(env.USER_NUMBER || 1) - 1];
  return {
    baseUrl: given.baseUrl || demo.baseUrl,
    publicKey: given.publicKey || user.publicKey,
    secretKey: given.secretKey || user.secretKey,
  };
}

function fail(message, code) {
  console.error(message);
  process.exit(code);
}

const words = process.argv.slice(2);
const printsSignature = words[0] === "--print-signature";
if (printsSignature) words.shift();
if (words.length < 2 || words.length > 3) fail("signed_request.mjs [--print-signature] METHOD PATH [BODY]", 2);
const [method, path, text = ""] = words;
const body = Buffer.from(text, "utf8");
const account = accountOfThisRun();
const needed = printsSignature ? ["secretKey"] : ["baseUrl", "publicKey", "secretKey"];
const missing = needed.filter((key) => !account[key]);
if (missing.length > 0) fail(`no ${missing.join(", ")}: neither in the environment nor in the demo's file`, 1);

if (printsSignature) {
  console.log(sign(account.secretKey, now(), method, path, body));
} else {
  const answer = await sendUntilAnswered(account, method, path, body).catch((error) => fail(error.message, 1));
  console.log(answer.text);
  if (answer.status >= 400) process.exitCode = 1;
}
