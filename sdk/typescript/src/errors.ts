/**
 * Errors of this package. Catch `BellwetherError` for all of them.
 *
 * `OutcomeUnknown` is the important one: the write may have been executed. After `UnreadableAnswer` it was executed.
 * Every other error of a write means that the write was not executed.
 */

import { Decimal } from './decimal.js'
import { isObject, type Json } from './json.js'

/** The base of every error that this package throws on purpose. */
export class BellwetherError extends Error {
  /** The `x-trace-id` of the request, which is in the operator's log; empty for errors without a request. */
  traceId = ''

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    Object.defineProperty(this, 'name', { value: new.target.name, configurable: true })
  }
}

/** The body of a refusing answer. Programs use `error`, `code` and `reason`; `message` is for people. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
  readonly code: string
  readonly reason: string
  /** Seconds to wait, if the exchange named them. */
  readonly retryAfter?: number
  readonly commandId: string
  readonly isOutcomeUnknown: boolean
  /** Whether the exchange wrote this body. A proxy in front of it may answer for itself. */
  readonly isOurs: boolean
}

/** Reads the body of a refusing answer, whatever its shape. */
export function readRefusal(status: number, payload: Json, retryAfterHeader?: string): Refusal {
  const fields = isObject(payload) ? payload : {}
  const retryAfter = seconds(fields['retryAfter'] ?? retryAfterHeader)
  return {
    status,
    error: word(fields['error']),
    message: word(fields['message']),
    code: word(fields['code']),
    reason: word(fields['reason']),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    commandId: word(fields['commandId']),
    isOutcomeUnknown: fields['outcome'] === 'unknown',
    isOurs: 'error' in fields && 'statusCode' in fields,
  }
}

/** A refusal in one line. */
export function describeRefusal(refusal: Refusal): string {
  const words = [String(refusal.status), refusal.code || refusal.reason || refusal.error, refusal.message]
  return words.filter((part) => part !== '').join(' ')
}

/** The exchange refused. Nothing happened. */
export class ApiError extends BellwetherError {
  /** The answer's body. */
  readonly refusal: Refusal
  /** An earlier try of this request got no answer, so this refusal may be of its own effect. */
  readonly isRepeated: boolean

  constructor(refusal: Refusal, isRepeated = false) {
    super(describeRefusal(refusal))
    this.refusal = refusal
    this.isRepeated = isRepeated
  }

  /** The HTTP status. */
  get status(): number {
    return this.refusal.status
  }

  /** The rule that refused, such as INSUFFICIENT_BALANCE; empty without one. */
  get code(): string {
    return this.refusal.code
  }

  /** The check of the credentials that failed; empty for other refusals. */
  get reason(): string {
    return this.refusal.reason
  }
}

/** 400 and its relatives: the request is malformed; the message names the field. */
export class BadRequest extends ApiError {}

/** 401: the key, the signature, the timestamp or the session is wrong; see `reason`. */
export class Unauthorized extends ApiError {}

/** 403: the account may not do this. */
export class Forbidden extends ApiError {}

/** 404: it does not exist, or is not yours. */
export class NotFound extends ApiError {}

/** 409: the first request with this idempotency key is still pending, or the exchange's rules are older. */
export class Conflict extends ApiError {}

/** 422: well-formed, but a rule of the exchange refuses; see `code`. */
export class RuleRefused extends ApiError {}

/** 429: too many requests. Nothing happened. */
export class RateLimited extends ApiError {}

/** 503 and other failures of the service. Nothing was written. */
export class Unavailable extends ApiError {}

/** The exchange was not reached, or a read got no answer. Nothing was written. */
export class ConnectionFailed extends BellwetherError {}

/** A write may have been executed. Repeat it with `idempotencyKey` within five minutes, or look up `commandId`. */
export class OutcomeUnknown extends BellwetherError {
  /** The key of the write; undefined if it had none. */
  readonly idempotencyKey: string | undefined
  /** The id of the order or operation that may exist; empty if no answer said so. */
  readonly commandId: string

  constructor(what: string, idempotencyKey: string | undefined, commandId: string) {
    const key = idempotencyKey ? `; its idempotency key is ${idempotencyKey}` : ''
    super(`${what}: the outcome is unknown${key}`)
    this.idempotencyKey = idempotencyKey
    this.commandId = commandId
  }
}

/** The exchange answered with success, in a form that this version of the package does not know. */
export class UnreadableAnswer extends BellwetherError {}

/** The exchange refused a stream or a subscription. */
export class StreamRefused extends BellwetherError {}

/** The order had not reached its end within the given time. The order is unchanged. */
export class WaitTimedOut extends BellwetherError {}

const CLASSES: ReadonlyMap<number, typeof ApiError> = new Map([
  [401, Unauthorized],
  [403, Forbidden],
  [404, NotFound],
  [409, Conflict],
  [422, RuleRefused],
  [429, RateLimited],
])

/** The error for a refusal, of the class of its status. */
export function errorOf(refusal: Refusal, isRepeated = false): ApiError {
  const fallback = refusal.status >= 500 ? Unavailable : BadRequest
  return new (CLASSES.get(refusal.status) ?? fallback)(refusal, isRepeated)
}

function word(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function seconds(value: Json | undefined): number | undefined {
  const text = value instanceof Decimal ? value.toString() : value
  const number = typeof text === 'string' && text.trim() !== '' ? Number(text) : NaN
  return Number.isFinite(number) && number >= 0 ? number : undefined
}
