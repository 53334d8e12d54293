/**
 * When a request may be sent again, as the exchange's API guide says under "When no answer comes".
 *
 * Nothing here waits or sends: `Attempts` decides, the transport acts. A write that adds something carries one
 * idempotency key on every try, so the exchange executes it once. The exchange forgets the key `KEY_SECONDS` after its
 * first use and refuses a signature that is more than five minutes old. So no try is made more than five minutes after
 * the first one, by the clock of the machine and by the clock that does not jump: one that arrives late finds its key
 * or is refused.
 */
import type { Refusal } from './errors.js';
/** How long the exchange remembers a key that this package made. A key of the caller lives for a day. */
export declare const KEY_SECONDS = 600;
/** The longest time between the first and the last try. */
export declare const RETRY_SECONDS_MAX = 300;
/** How long a request is tried unless the caller says otherwise. */
export declare const RETRY_SECONDS = 60;
/**
 * What sending a request twice does.
 *
 * - `harmless`: a read, or a write that sets the same state again, such as a cancel or an amend
 * - `keyed`: a write with an idempotency key, which the exchange executes once
 * - `never`: a write that would be executed twice
 */
export type Repeat = 'harmless' | 'keyed' | 'never';
/**
 * What one try that failed says about its execution.
 *
 * - `not executed`: a later try may pass
 * - `maybe executed`: the answer was lost, or says that the outcome is unknown
 * - `pending`: an earlier try with this key is still being executed
 * - `final`: refused; a repetition would be refused too
 */
export type Failure = 'not executed' | 'maybe executed' | 'pending' | 'final';
/** What a refusing answer says. An answer that the exchange did not write says little. */
export declare function classify(refusal: Refusal): Failure;
/**
 * Whether a final refusal of a later try also tells the result of the earlier ones. The exchange remembers results, not
 * early refusals: a 401 of the second try says nothing about the first.
 */
export declare function settles(refusal: Refusal): boolean;
/** Checks how long requests are tried. */
export declare function checkedRetrySeconds(seconds: number): number;
/** A wait that grows with the failures in a row, up to five seconds. */
export declare function backoffSeconds(failures: number, jitter: number): number;
/** The clocks and the chance that `Attempts` uses, in seconds. */
export interface Clocks {
    monotonic(): number;
    wall(): number;
    jitter(): number;
}
/** The tries of one request. */
export declare class Attempts {
    #private;
    /** Whether an earlier try may have been executed. */
    maybeExecuted: boolean;
    constructor(seconds: number, repeat: Repeat, clocks?: Clocks);
    /** Seconds until the next try; undefined if there is none. */
    nextWait(failure: Failure, retryAfter?: number): number | undefined;
    /** Whether a try may still be sent. Asked after the wait: the machine may have slept through it. */
    isInTime(): boolean;
}
