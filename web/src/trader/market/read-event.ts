// Reads an event by its slug or id. The event of a visit's first page is asked for before the page's own code has come.
import { answer, api } from '../../shared/api/client'
import type { Currency, Event } from '../../shared/api/types'
import { match } from '../../shared/router/match'
import { isIdentifier } from './queries'

let ahead: { wanted: string; event: Promise<Event>; known?: Event } | undefined
const keyOf = (slug: string, currency: Currency) => `${slug} ${currency}`

export function readEvent(slug: string, currency: Currency): Promise<Event> {
  const early = ahead
  ahead = undefined
  if (early?.wanted === keyOf(slug, currency)) return early.event
  const query = { currency }
  return answer(
    isIdentifier(slug)
      ? api.GET('/v1/pm/events/{eventId}', { params: { path: { eventId: slug }, query } })
      : api.GET('/v1/pm/events/slug/{slug}', { params: { path: { slug }, query } }),
  )
}

/** Begins to read the event that an address is about. */
export function readAhead(path: string, currency: Currency): void {
  const slug = match('/events/:slug', path)?.slug
  if (!slug) return
  const event = readEvent(slug, currency)
  const reading: typeof ahead = { wanted: keyOf(slug, currency), event }
  ahead = reading
  // The page that takes it over shows its failure.
  event.then((known) => (reading.known = known)).catch(() => undefined)
}

/** The event that is being read ahead; nothing once its page has taken it over. */
export function eventAhead(): Promise<Event> | undefined {
  return ahead?.event
}

/** The event that was read ahead, if it is here; nothing once its page has taken it over. */
export function knownEvent(slug: string, currency: Currency): Event | undefined {
  return ahead?.wanted === keyOf(slug, currency) ? ahead.known : undefined
}
