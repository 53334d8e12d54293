/** One try of a request over `fetch`: an answer, or the way in which there is none. */

import { readRefusal, type Refusal } from './errors.js'
import { decode, type Json } from './json.js'

/** The version of this package. */
export const VERSION = '0.1.0'

/** The exchange was not reached: the request was not executed. */
export class NotSent extends Error {}

/** The connection ended or timed out before a complete answer: the request may have been executed. */
export class NoAnswer extends Error {}

/** A complete answer: its status, its decoded JSON, and the headers that clients use. */
export interface Answer {
  readonly status: number
  readonly payload: Json
  /** The sequence of the exchange's state that the answer was read from; undefined if the answer had none. */
  readonly asOf?: number
  /** The exchange had executed the request before: this is the first answer again. */
  readonly isReplayed: boolean
  /** An earlier try got no answer. */
  readonly isRepeated: boolean
  /** The header `Retry-After`. */
  readonly retryAfter?: string
  /** Since when the route or a field of it is deprecated, and when it ends; empty if it is not. */
  readonly deprecation: string
}

/** What `fetch` needs for one try. */
export interface Try {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutSeconds: number
}

/** Sends one try and reads the whole answer. Throws `NotSent` or `NoAnswer`. */
export async function sendTry(request: Try): Promise<Answer> {
  let response: Response
  let text: string
  try {
    response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: AbortSignal.timeout(request.timeoutSeconds * 1000),
      // A signature covers the path, so a redirect cannot be followed.
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
    })
    text = await response.text()
  } catch (error) {
    const cause = (error as { cause?: unknown }).cause
    if (isBeforeSending(cause)) throw new NotSent(describe(cause))
    throw new NoAnswer(describe(cause ?? error))
  }
  return readAnswer(response.status, response.headers, text)
}

/** Decodes an answer. A success that is not JSON is no answer: a proxy may have cut or replaced it. */
export function readAnswer(status: number, headers: Pick<Headers, 'get'>, text: string): Answer {
  let payload: Json = null
  try {
    payload = decode(text)
  } catch {
    if (status >= 200 && status < 300) throw new NoAnswer(`status ${status} with a body that is not JSON`)
  }
  const sequence = headers.get('x-sequence') ?? ''
  const retryAfter = headers.get('retry-after')
  const deprecation = [headers.get('deprecation'), headers.get('sunset')].filter((value) => value !== null)
  return {
    status,
    payload,
    ...(/^\d{1,15}$/.test(sequence) ? { asOf: Number(sequence) } : {}),
    isReplayed: headers.get('idempotent-replayed') === 'true',
    isRepeated: false,
    ...(retryAfter === null ? {} : { retryAfter }),
    deprecation: deprecation.join(' '),
  }
}

/** A refusing answer's refusal. */
export function refusalOf(answer: Answer): Refusal {
  return readRefusal(answer.status, answer.payload, answer.retryAfter)
}

/**
 * Whether Node failed before the first byte of the request: no address, or no connection. Browsers do not tell, so
 * there a request without an answer may always have been executed.
 */
function isBeforeSending(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null) return false
  const { code, syscall, errors } = cause as { code?: unknown; syscall?: unknown; errors?: unknown }
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isBeforeSending)
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo'
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = (error as { code?: unknown }).code
  const words = [typeof code === 'string' ? code : error.name, error.message]
  return words.filter((word) => word !== '').join(': ')
}
