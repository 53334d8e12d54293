// Orders and trades know their markets by id only. What these are called is read once for each event, and kept.
import { SvelteMap } from 'svelte/reactivity'
import { answer, api } from '../../shared/api/client'
import type { Event } from '../../shared/api/types'
import { isSingle } from '../market/market-view'

const known = new SvelteMap<string, Event>()
const asked = new Set<string>()

export function learnTitles(eventIds: Iterable<string>): void {
  for (const eventId of new Set(eventIds)) {
    if (asked.has(eventId)) continue
    asked.add(eventId)
    answer(api.GET('/v1/pm/events/{eventId}', { params: { path: { eventId } } })).then(
      (event) => known.set(eventId, event),
      () => asked.delete(eventId),
    )
  }
}

/** The question, and the market of it where there are several. */
export function titleOf(eventId: string, marketId: string): string {
  const event = known.get(eventId)
  if (!event) return '…'
  const market = event.markets.find((one) => one.id === marketId)
  return isSingle(event) || !market ? event.title : `${event.title} · ${market.title}`
}
