// What went wrong, in words for people. The API's own messages are written for them, so most pass as they are.
import * as texts from '../texts/common'
import type { components } from './schema'
import { OF_ANOTHER } from './shown'

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

  /** The write may have happened: docs/api-guide.md, "When no answer comes". A status below 0 is an answer that was cut off. */
  get undecided(): boolean {
    const { status } = this
    return this.outcomeUnknown || status <= 0 || (status === 409 && !this.ofAnother) || (status >= 500 && status !== 503)
  }

  /** Refused before the exchange looked for the write's key, so it says nothing of an attempt before it. */
  get early(): boolean {
    return this.ofAnother || ([401, 429, 503].includes(this.status) && !this.outcomeUnknown)
  }

  /** The session is another person's: nothing was done. */
  get ofAnother(): boolean {
    return this.code === OF_ANOTHER
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

/** The page shows another person than the request was for. Without a name the session has ended. */
export function ofAnother(name: string | undefined, message = texts.nowLoggedInNothingDone): Failure {
  return name === undefined ? loggedOut() : new Failure(message(name), 409, OF_ANOTHER)
}

export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure(error instanceof Error ? error.message : String(error), -1)
}
