// Titles of markets that are known by id only, read once for each event.
import { SvelteMap } from 'svelte/reactivity'
import { answer } from '../../shared/api/client'
import { admin } from '../api/client'

const titles = new SvelteMap<string, string>()
const asked = new Set<string>()

/** The market's title, once it is known. */
export const marketTitle = (marketId: string) => titles.get(marketId)

/** Reads the titles of markets of these events. What cannot be read is tried again at the next call. */
export function learnMarkets(eventIds: Iterable<string>): void {
  for (const event of new Set(eventIds)) {
    if (asked.has(event)) continue
    asked.add(event)
    answer(admin.GET('/admin/v1/events/{event}', { params: { path: { event } } })).then(
      ({ title, markets }) => {
        for (const market of markets)
          titles.set(market.marketId, markets.length === 1 ? title : `${title} · ${market.title}`)
      },
      () => asked.delete(event),
    )
  }
}
