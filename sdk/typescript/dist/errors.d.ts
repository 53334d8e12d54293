/**
 * Errors of this package. Catch `BellwetherError` for all of them.
 *
 * `OutcomeUnknown` is the important one: the write may have been executed. After `UnreadableAnswer` it was executed.
 * Every other error of a write means that the write was not executed.
 */
import { type Json } from './json.js';
/** The base of every error that this package throws on purpose. */
export declare class BellwetherError extends Error {
    /** The `x-trace-id` of the request, which is in the operator's log; empty for errors without a request. */
    traceId: string;
    constructor(message: string, options?: ErrorOptions);
}
/** The body of a refusing answer. Programs use `error`, `code` and `reason`; `message` is for people. */
export interface Refusal {
    readonly status: number;
    readonly error: string;
    readonly message: string;
    readonly code: string;
    readonly reason: string;
    /** Seconds to wait, if the exchange named them. */
    readonly retryAfter?: number;
    readonly commandId: string;
    readonly isOutcomeUnknown: boolean;
    /** Whether the exchange wrote this body. A proxy in front of it may answer for itself. */
    readonly isOurs: boolean;
}
/** Reads the body of a refusing answer, whatever its shape. */
export declare function readRefusal(status: number, payload: Json, retryAfterHeader?: string): Refusal;
/** A refusal in one line. */
export declare function describeRefusal(refusal: Refusal): string;
/** The exchange refused. Nothing happened. */
export declare class ApiError extends BellwetherError {
    /** The answer's body. */
    readonly refusal: Refusal;
    /** An earlier try of this request got no answer, so this refusal may be of its own effect. */
    readonly isRepeated: boolean;
    constructor(refusal: Refusal, isRepeated?: boolean);
    /** The HTTP status. */
    get status(): number;
    /** The rule that refused, such as INSUFFICIENT_BALANCE; empty without one. */
    get code(): string;
    /** The check of the credentials that failed; empty for other refusals. */
    get reason(): string;
}
/** 400 and its relatives: the request is malformed; the message names the field. */
export declare class BadRequest extends ApiError {
}
/** 401: the key, the signature, the timestamp or the session is wrong; see `reason`. */
export declare class Unauthorized extends ApiError {
}
/** 403: the account may not do this. */
export declare class Forbidden extends ApiError {
}
/** 404: it does not exist, or is not yours. */
export declare class NotFound extends ApiError {
}
/** 409: the first request with this idempotency key is still pending, or the exchange's rules are older. */
export declare class Conflict extends ApiError {
}
/** 422: well-formed, but a rule of the exchange refuses; see `code`. */
export declare class RuleRefused extends ApiError {
}
/** 429: too many requests. Nothing happened. */
export declare class RateLimited extends ApiError {
}
/** 503 and other failures of the service. Nothing was written. */
export declare class Unavailable extends ApiError {
}
/** The exchange was not reached, or a read got no answer. Nothing was written. */
export declare class ConnectionFailed extends BellwetherError {
}
/** A write may have been executed. Repeat it with `idempotencyKey` within five minutes, or look up `commandId`. */
export declare class OutcomeUnknown extends BellwetherError {
    /** The key of the write; undefined if it had none. */
    readonly idempotencyKey: string | undefined;
    /** The id of the order or operation that may exist; empty if no answer said so. */
    readonly commandId: string;
    constructor(what: string, idempotencyKey: string | undefined, commandId: string);
}
/** The exchange answered with success, in a form that this version of the package does not know. */
export declare class UnreadableAnswer extends BellwetherError {
}
/** The exchange refused a stream or a subscription. */
export declare class StreamRefused extends BellwetherError {
}
/** The order had not reached its end within the given time. The order is unchanged. */
export declare class WaitTimedOut extends BellwetherError {
}
/** The error for a refusal, of the class of its status. */
export declare function errorOf(refusal: Refusal, isRepeated?: boolean): ApiError;
