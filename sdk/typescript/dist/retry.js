/**
 * When a request may be sent again, as the exchange's API guide says under "When no answer comes".
 *
 * Nothing here waits or sends: `Attempts` decides, the transport acts. A write that adds something carries one
 * idempotency key on every try, so the exchange executes it once. The exchange forgets the key `KEY_SECONDS` after its
 * first use and refuses a signature that is more than five minutes old. So no try is made more than five minutes after
 * the first one, by the clock of the machine and by the clock that does not jump: one that arrives late finds its key
 * or is refused.
 */
/** How long the exchange remembers a key that this package made. A key of the caller lives for a day. */
export const KEY_SECONDS = 600;
/** The longest time between the first and the last try. */
export const RETRY_SECONDS_MAX = 300;
/** How long a request is tried unless the caller says otherwise. */
export const RETRY_SECONDS = 60;
const BACKOFF_FIRST_SECONDS = 0.05;
const BACKOFF_MAX_SECONDS = 5;
/** What a refusing answer says. An answer that the exchange did not write says little. */
export function classify(refusal) {
    const { status } = refusal;
    if (refusal.code === 'TOO_MANY_IDEMPOTENCY_KEYS')
        return 'final';
    if (status === 408 || status === 429)
        return 'not executed';
    if (status === 503 && refusal.isOurs && !refusal.isOutcomeUnknown)
        return 'not executed';
    if (status >= 500)
        return 'maybe executed';
    return status === 409 ? 'pending' : 'final';
}
/**
 * Whether a final refusal of a later try also tells the result of the earlier ones. The exchange remembers results, not
 * early refusals: a 401 of the second try says nothing about the first.
 */
export function settles(refusal) {
    return classify(refusal) === 'final' && (refusal.status === 404 || refusal.status === 422);
}
/** Checks how long requests are tried. */
export function checkedRetrySeconds(seconds) {
    if (!(seconds >= 0 && seconds <= RETRY_SECONDS_MAX)) {
        throw new RangeError(`a request is tried for 0 to ${RETRY_SECONDS_MAX} seconds, not ${seconds}`);
    }
    return seconds;
}
/** A wait that grows with the failures in a row, up to five seconds. */
export function backoffSeconds(failures, jitter) {
    const longest = Math.min(BACKOFF_MAX_SECONDS, BACKOFF_FIRST_SECONDS * 2 ** Math.min(failures, 10));
    return longest * (0.5 + jitter / 2);
}
const REAL = {
    monotonic: () => performance.now() / 1000,
    wall: () => Date.now() / 1000,
    jitter: () => Math.random(),
};
/** The tries of one request. */
export class Attempts {
    /** Whether an earlier try may have been executed. */
    maybeExecuted = false;
    #seconds;
    #repeat;
    #clocks;
    #began;
    #failures = 0;
    constructor(seconds, repeat, clocks = REAL) {
        this.#seconds = checkedRetrySeconds(seconds);
        this.#repeat = repeat;
        this.#clocks = clocks;
        this.#began = [clocks.monotonic(), clocks.wall()];
    }
    /** Seconds until the next try; undefined if there is none. */
    nextWait(failure, retryAfter = 0) {
        this.#failures += 1;
        // Pending: another delivery of this key is being executed, whatever becomes of this one.
        const isPending = failure === 'pending' && this.#repeat === 'keyed';
        if (failure === 'maybe executed' || isPending)
            this.maybeExecuted = true;
        if (!this.#mayRepeat(failure))
            return undefined;
        const wait = Math.max(retryAfter, backoffSeconds(this.#failures, this.#clocks.jitter()));
        return this.#elapsed() + wait <= this.#seconds ? wait : undefined;
    }
    /** Whether a try may still be sent. Asked after the wait: the machine may have slept through it. */
    isInTime() {
        return this.#elapsed() <= this.#seconds;
    }
    #mayRepeat(failure) {
        switch (failure) {
            case 'not executed':
                return true;
            case 'maybe executed':
                return this.#repeat !== 'never';
            case 'pending':
                return this.#repeat === 'keyed';
            case 'final':
                return false;
        }
    }
    #elapsed() {
        const [monotonic, wall] = this.#began;
        return Math.max(this.#clocks.monotonic() - monotonic, this.#clocks.wall() - wall);
    }
}
