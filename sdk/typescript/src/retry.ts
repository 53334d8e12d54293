/**
 * When a request may be sent again, as the exchange's API guide says under "When no answer comes".
 *
 * Nothing here waits or sends: `Attempts` decides, the transport acts. A write that adds something carries one
 * idempotency key on every try, so the exchange executes it once. The exchange forgets the key `KEY_SECONDS` after its
 * first use and refuses a signature that is more than five minutes old. So no try is made more than five minutes after
 * the first one, by the clock of the machine and by the clock that does not jump: one that arrives late finds its key
 * or is refused.
 */

import type { Refusal } from './errors.js'

/** How long the exchange remembers a key that this package made. A key of the caller lives for a day. */
export const KEY_SECONDS = 600
/** The longest time between the first and the last try. */
export const RETRY_SECONDS_MAX = 300
/** How long a request is tried unless the caller says otherwise. */
export const RETRY_SECONDS = 60

const BACKOFF_FIRST_SECONDS = 0.05
const BACKOFF_MAX_SECONDS = 5

/**
 * What sending a request twice does.
 *
 * - `harmless`: a read, or a write that sets the same state again, such as a cancel or an amend
 * - `keyed`: a write with an idempotency key, which the exchange executes once
 * - `never`: a write that would be executed twice
 */
export type Repeat = 'harmless' | 'keyed' | 'never'

/**
 * What one try that failed says about its execution.
 *
 * - `not executed`: a later try may pass
 * - `maybe executed`: the answer was lost, or says that the outcome is unknown
 * - `pending`: an earlier try with this key is still being executed
 * - `final`: refused; a repetition would be refused too
 */
export type Failure = 'not executed' | 'maybe executed' | 'pending' | 'final'

/** What a refusing answer says. An answer that the exchange did not write says little. */
export function classify(refusal: Refusal): Failure {
  const { status } = refusal
  if (refusal.code === 'TOO_MANY_IDEMPOTENCY_KEYS') return 'final'
  if (status === 408 || status === 429) return 'not executed'
  if (status === 503 && refusal.isOurs && !refusal.isOutcomeUnknown) return 'not executed'
  if (status >= 500) return 'maybe executed'
  return status === 409 ? 'pending' : 'final'
}

/**
 * Whether a final refusal of a later try also tells the result of the earlier ones. The exchange remembers results, not
 * early refusals: a 401 of the second try says nothing about the first.
 */
export function settles(refusal: Refusal): boolean {
  return classify(refusal) === 'final' && (refusal.status === 404 || refusal.status === 422)
}

/** Checks how long requests are tried. */
export function checkedRetrySeconds(seconds: number): number {
  if (!(seconds >= 0 && seconds <= RETRY_SECONDS_MAX)) {
    throw new RangeError(`a request is tried for 0 to ${RETRY_SECONDS_MAX} seconds, not ${seconds}`)
  }
  return seconds
}

/** A wait that grows with the failures in a row, up to five seconds. */
export function backoffSeconds(failures: number, jitter: number): number {
  const longest = Math.min(BACKOFF_MAX_SECONDS, BACKOFF_FIRST_SECONDS * 2 ** Math.min(failures, 10))
  return longest * (0.5 + jitter / 2)
}

/** The clocks and the chance that `Attempts` uses, in seconds. */
export interface Clocks {
  monotonic(): number
  wall(): number
  jitter(): number
}

const REAL: Clocks = {
  monotonic: () => performance.now() / 1000,
  wall: () => Date.now() / 1000,
  jitter: () => Math.random(),
}

/** The tries of one request. */
export class Attempts {
  /** Whether an earlier try may have been executed. */
  maybeExecuted = false
  readonly #seconds: number
  readonly #repeat: Repeat
  readonly #clocks: Clocks
  readonly #began: readonly [number, number]
  #failures = 0

  constructor(seconds: number, repeat: Repeat, clocks: Clocks = REAL) {
    this.#seconds = checkedRetrySeconds(seconds)
    this.#repeat = repeat
    this.#clocks = clocks
    this.#began = [clocks.monotonic(), clocks.wall()]
  }

  /** Seconds until the next try; undefined if there is none. */
  nextWait(failure: Failure, retryAfter = 0): number | undefined {
    this.#failures += 1
    // Pending: another delivery of this key is being executed, whatever becomes of this one.
    const isPending = failure === 'pending' && this.#repeat === 'keyed'
    if (failure === 'maybe executed' || isPending) this.maybeExecuted = true
    if (!this.#mayRepeat(failure)) return undefined
    const wait = Math.max(retryAfter, backoffSeconds(this.#failures, this.#clocks.jitter()))
    return this.#elapsed() + wait <= this.#seconds ? wait : undefined
  }

  /** Whether a try may still be sent. Asked after the wait: the machine may have slept through it. */
  isInTime(): boolean {
    return this.#elapsed() <= this.#seconds
  }

  #mayRepeat(failure: Failure): boolean {
    switch (failure) {
      case 'not executed':
        return true
      case 'maybe executed':
        return this.#repeat !== 'never'
      case 'pending':
        return this.#repeat === 'keyed'
      case 'final':
        return false
    }
  }

  #elapsed(): number {
    const [monotonic, wall] = this.#began
    return Math.max(this.#clocks.monotonic() - monotonic, this.#clocks.wall() - wall)
  }
}
