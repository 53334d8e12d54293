// The one way from a page to the exchange: typed by the OpenAPI document, with exact numbers, and with the headers that tell
// the server that a page of its own is asking, and whom it shows. A foreign page cannot send them, so the cookie alone gets it
// nothing.
import * as texts from '../texts/common'
import { PAGE_HEADER, takeAhead } from './ahead'
import { type Failure, failureOf, loggedOut, ofAnother, unreachable } from './failure'
import type { paths } from './schema'
import { asShown, shown } from './shown'
import { createClient } from './typed-client'

export { PAGE_HEADER }

// A page asks for many things when it opens, and may be over its allowance for a moment.
const WAIT_SECONDS_MAX = 3

async function reach(request: Request): Promise<Response> {
  return (takeAhead(request) ?? fetch(request)).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreachable()
  })
}

/** Sends a request; a read that came too soon is sent once more. */
export async function patientFetch(request: Request): Promise<Response> {
  const again = request.method === 'GET' ? request.clone() : undefined
  const response = await reach(request)
  const wait = Number(response.headers.get('Retry-After') ?? Infinity) // A header, no text.
  if (!again || response.status !== 429 || wait > WAIT_SECONDS_MAX) return response
  await new Promise((resume) => setTimeout(resume, wait * 1000))
  return reach(again)
}

export const pageHeaders = async (method: string) => ({ ...PAGE_HEADER, ...(await asShown(method)) })

export const api = createClient<paths>(pageHeaders, patientFetch)

interface Outcome<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** The answer's body, or a `Failure` thrown. */
export async function answer<Data>(call: Promise<Outcome<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call
  // A page has nothing but its session: what the API says of keys and headers is not for its readers.
  if (response.status === 401) throw loggedOut()
  if (response.ok && data !== undefined && data !== null) return data
  const failure = failureOf(response.status, error)
  throw failure.ofAnother ? await inWords(failure) : failure
}

/** Another tab has logged in or out: the page shows that person first, and then says so. */
export async function inWords(failure: Failure): Promise<Failure> {
  return (await shown.askAnew()) ? ofAnother(shown.person?.name) : failure
}

/** For an act of several requests: throws before the next one if the page shows another person than at its beginning. */
export function onePerson(): () => void {
  const begun = shown.person?.id
  return () => {
    if (shown.person?.id !== begun) throw ofAnother(shown.person?.name, texts.nowLoggedInRestLeft)
  }
}

/** Like `answer`, with the sequence of the state that the answer was made from. */
export async function answerAt<Data>(
  call: Promise<Outcome<Data>>,
): Promise<{ data: NonNullable<Data>; sequence: number }> {
  const outcome = await call
  return { data: await answer(Promise.resolve(outcome)), sequence: Number(outcome.response.headers.get('x-sequence') ?? 0) }
}
