// Titles of markets and events that are known by id or slug only, read once for each event.
import { SvelteMap } from 'svelte/reactivity'
import { answer } from '../../shared/api/client'
import { admin } from '../api/client'

const titles = new SvelteMap<string, string>()
const asked = new Set<string>()
let reading: Promise<void> = Promise.resolve()

/** The market's title, once it is known. */
export const marketTitle = (marketId: string) => titles.get(marketId)

/** The title of an event that was asked for by this slug, once it is known. */
export const eventTitle = (slug: string) => titles.get(slug)

/** Reads the titles of markets of these events. What cannot be read is tried again at the next call. */
export function learnMarkets(eventIds: Iterable<string>): void {
  for (const event of new Set(eventIds)) {
    if (asked.has(event)) continue
    asked.add(event)
    // One at a time: a long list must not use up the console's allowance.
    reading = reading.then(() => answer(admin.GET('/admin/v1/events/{event}', { params: { path: { event } } })).then(
      ({ title, markets }) => {
        titles.set(event, title)
        for (const market of markets)
          titles.set(market.marketId, markets.length === 1 ? title : `${title} · ${market.title}`)
      },
      () => void asked.delete(event),
    ))
  }
}
