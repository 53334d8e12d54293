/** The table of "When no answer comes" in the API guide, and the clock of retries. */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Client, Decimal, type Json, type Refusal } from 'bellwether-exchange'
import { readRefusal } from '#internal/errors'
import { Attempts, classify, RETRY_SECONDS_MAX, settles, type Failure, type Repeat } from '#internal/retry'

/** Two clocks that a test moves. */
class Clocks {
  monotonicSeconds = 100
  wallSeconds = 1_000_000

  attempts(repeat: Repeat, seconds = 60): Attempts {
    return new Attempts(seconds, repeat, {
      monotonic: () => this.monotonicSeconds,
      wall: () => this.wallSeconds,
      jitter: () => 1,
    })
  }
}

function refusal(status: number, fields: Record<string, Json> = {}): Refusal {
  return readRefusal(status, { error: 'word', message: 'text', statusCode: new Decimal(status), ...fields })
}

test('each answer means what the guide says', () => {
  const table: [Refusal, Failure][] = [
    [refusal(302), 'final'],
    [refusal(400), 'final'],
    [refusal(401), 'final'],
    [refusal(403), 'final'],
    [refusal(404), 'final'],
    [refusal(408), 'not executed'],
    [refusal(409), 'pending'],
    [refusal(422, { code: 'INSUFFICIENT_BALANCE' }), 'final'],
    [refusal(422, { code: 'IDEMPOTENCY_KEY_REUSED' }), 'final'],
    [refusal(429, { retryAfter: new Decimal(2) }), 'not executed'],
    [refusal(429, { code: 'TOO_MANY_IDEMPOTENCY_KEYS', retryAfter: new Decimal(3600) }), 'final'],
    [refusal(500), 'maybe executed'],
    [refusal(503, { retryAfter: new Decimal(1) }), 'not executed'],
    [refusal(503, { code: 'CANCEL_ONLY', retryAfter: new Decimal(1) }), 'not executed'],
    [refusal(503, { outcome: 'unknown', commandId: 'x' }), 'maybe executed'],
    [readRefusal(503, null), 'maybe executed'],
    [readRefusal(502, null), 'maybe executed'],
    [readRefusal(504, '<html>'), 'maybe executed'],
  ]
  for (const [answer, meaning] of table) assert.equal(classify(answer), meaning, JSON.stringify(answer))
})

test('only what may be repeated is repeated', () => {
  const table: [Repeat, Failure, boolean][] = [
    ['harmless', 'not executed', true],
    ['harmless', 'maybe executed', true],
    ['harmless', 'pending', false],
    ['harmless', 'final', false],
    ['keyed', 'not executed', true],
    ['keyed', 'maybe executed', true],
    ['keyed', 'pending', true],
    ['keyed', 'final', false],
    ['never', 'not executed', true],
    ['never', 'maybe executed', false],
    ['never', 'pending', false],
    ['never', 'final', false],
  ]
  for (const [repeat, failure, isRepeated] of table) {
    const wait = new Clocks().attempts(repeat).nextWait(failure)
    assert.equal(wait !== undefined, isRepeated, `${repeat}, ${failure}`)
  }
})

test('a pending write stays open when later tries are not executed', () => {
  const attempts = new Clocks().attempts('keyed')
  attempts.nextWait('pending')
  attempts.nextWait('not executed')
  assert(attempts.maybeExecuted)
  const unkeyed = new Clocks().attempts('harmless')
  unkeyed.nextWait('pending')
  assert(!unkeyed.maybeExecuted)
})

test('a retry waits at least as long as the exchange says', () => {
  assert.equal(new Clocks().attempts('keyed').nextWait('not executed', 7), 7)
})

test('waits grow up to a bound', () => {
  const attempts = new Clocks().attempts('keyed')
  const waits = Array.from({ length: 12 }, () => attempts.nextWait('maybe executed') ?? NaN)
  assert.equal(waits[0], 0.1)
  assert.deepEqual(waits, [...waits].sort((a, b) => a - b))
  assert.equal(waits.at(-1), 5)
})

test('a wait beyond the time ends the tries at once', () => {
  assert.equal(new Clocks().attempts('keyed', 60).nextWait('not executed', 61), undefined)
})

test('no try is later than five minutes after the first', () => {
  const clocks = new Clocks()
  const attempts = clocks.attempts('keyed', RETRY_SECONDS_MAX)
  clocks.monotonicSeconds += RETRY_SECONDS_MAX - 1
  assert.notEqual(attempts.nextWait('maybe executed'), undefined)
  clocks.monotonicSeconds += 2
  assert(!attempts.isInTime())
  assert.equal(attempts.nextWait('maybe executed'), undefined)
  for (const retrySeconds of [RETRY_SECONDS_MAX + 1, -1, NaN]) {
    assert.throws(() => new Client({ baseUrl: 'http://127.0.0.1:1', retrySeconds }), /300/)
  }
})

test('a machine that slept for a day does not try again', () => {
  const clocks = new Clocks()
  const attempts = clocks.attempts('keyed')
  assert.notEqual(attempts.nextWait('maybe executed'), undefined)
  clocks.wallSeconds += 25 * 3600
  assert(!attempts.isInTime())
})

test('only a remembered result settles an earlier try', () => {
  const settled = [400, 401, 404, 422, 429].filter((status) => settles(refusal(status)))
  assert.deepEqual(settled, [404, 422])
})
