// Calls of an API whose paths, parameters and answers an OpenAPI document types. The types are those of openapi-fetch; the calls
// are written here, because the first words of a page wait for this code, and the pages need a tenth of that library.
import type { Client } from 'openapi-fetch'
import { addressOf, type Parameters } from './address'
import { parseExactly } from './exact-json'

/** What a page adds to a call. The document's types are stricter, and hold for all callers. */
interface Call {
  params?: Parameters & { header?: Record<string, string> }
  body?: unknown
  /** For a body that is not JSON. */
  bodySerializer?: (body: unknown) => BodyInit
  headers?: Record<string, string>
  signal?: AbortSignal
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

type Watcher = (status: number) => void

export type TypedClient<Paths extends {}> = Pick<Client<Paths>, Method> & {
  /** From now on, tells `watcher` the status of every answer. */
  watch(watcher: Watcher): void
}

function parsed(text: string): unknown {
  if (!text) return undefined
  try {
    return parseExactly(text)
  } catch {
    // A proxy between the page and the exchange answers in words.
    return text
  }
}

export function createClient<Paths extends {}>(
  headers: (method: Method) => Promise<Record<string, string>>,
  fetch: (request: Request) => Promise<Response>,
): TypedClient<Paths> {
  const watchers: Watcher[] = []
  async function call(method: Method, path: string, { params, body, bodySerializer, headers: own, signal }: Call = {}) {
    const request = new Request(location.origin + addressOf(path, params), {
      method,
      credentials: 'same-origin',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(await headers(method)),
        ...own,
        ...params?.header,
      },
      ...(body === undefined ? {} : { body: bodySerializer ? bodySerializer(body) : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
    const response = await fetch(request)
    for (const watcher of watchers) watcher(response.status)
    const value = parsed(await response.text())
    return response.ok ? { data: value, response } : { error: value, response }
  }
  const calls = METHODS.map((method) => [method, (path: string, options?: Call) => call(method, path, options)])
  return { ...Object.fromEntries(calls), watch: (watcher: Watcher) => watchers.push(watcher) }
}
