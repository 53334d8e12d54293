// What went wrong, in words for people. The API's own messages are written for them, so most pass as they are.
import * as texts from '../texts/common'
import type { components } from './schema'

type ErrorBody = components['schemas']['ErrorBody']

export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly retryAfter: number | undefined
  /** The write may have happened: read the state, or send it again under the same idempotency key. */
  readonly outcomeUnknown: boolean

  constructor(message: string, status: number, code = '', retryAfter?: number, outcomeUnknown = false) {
    super(message)
    this.name = 'Failure' // The class, no text.
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.outcomeUnknown = outcomeUnknown
  }

  /** No answer came at all. */
  get unreachable(): boolean {
    return this.status === 0
  }
}

export function failureOf(status: number, body: unknown): Failure {
  const error = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>
  const message = error.message || (status >= 500 ? texts.theExchangeHasAProblem : texts.theRequestWasRefused(status))
  return new Failure(
    message,
    status,
    error.code ?? error.error ?? '',
    error.retryAfter ?? undefined,
    error.outcome === 'unknown',
  )
}

export function unreachable(): Failure {
  return new Failure(texts.theExchangeCannotBeReached, 0, 'unreachable')
}

export function loggedOut(): Failure {
  return new Failure(texts.youAreNotLogged, 401, 'unauthorized')
}

export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure(error instanceof Error ? error.message : String(error), -1)
}
