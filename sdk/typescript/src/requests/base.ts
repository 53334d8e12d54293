/** One request: its text, who may send it, and whether it may be repeated. Nothing here sends. */

import { encode, type Encodable } from '../json.js'
import { randomId } from '../platform.js'
import { KEY_SECONDS, type Repeat } from '../retry.js'
import { query, type QueryValue } from '../text.js'

/**
 * The headers that a request needs.
 *
 * - `public`: none; the public key is sent if there is one
 * - `read`: the public key
 * - `private`: the public key and a signature, for a read
 * - `write`: the public key and a signature
 * - `session`: the token and the device of a login
 */
export type Access = 'public' | 'read' | 'private' | 'write' | 'session'

/** A request to the exchange. The body is encoded once: every try sends and signs the same text. */
export interface Request {
  readonly method: string
  readonly path: string
  /** With its question mark; empty without parameters. */
  readonly query: string
  readonly body?: string
  readonly access: Access
  readonly repeat: Repeat
  readonly idempotencyKey?: string
  /** How long the exchange remembers the key, in seconds; a day if it is not set. */
  readonly idempotencyWindow?: number
  readonly timeoutSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Whether a request can change something. */
export function isWrite(request: Request): boolean {
  return request.access === 'write' || request.access === 'session' || request.repeat === 'never'
}

/** A request in one line. */
export function describe(request: Request): string {
  return `${request.method} ${request.path}`
}

/** A read. Parameters that are undefined are left out. */
export function read(
  path: string,
  parameters: Readonly<Record<string, QueryValue>> = {},
  access: Access = 'public',
  timeoutSeconds?: number,
): Request {
  const timeout = timeoutSeconds === undefined ? {} : { timeoutSeconds }
  return { method: 'GET', path, query: query(parameters), access, repeat: 'harmless', ...timeout }
}

/** A signed write that may be repeated without harm. */
export function write(method: string, path: string, body?: Encodable): Request {
  const encoded = body === undefined ? {} : { body: encode(body) }
  return { method, path, query: '', access: 'write', repeat: 'harmless', ...encoded }
}

/** A signed write that the exchange executes once, however often it arrives. Without a key it gets a random one. */
export function keyedWrite(method: string, path: string, body: Encodable, key?: string): Request {
  const keys =
    key === undefined ? { idempotencyKey: randomId(), idempotencyWindow: KEY_SECONDS } : { idempotencyKey: key }
  return { ...write(method, path, body), repeat: 'keyed', ...keys }
}
