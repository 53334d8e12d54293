// Orders and trades know their markets by id only. What these are called is read once for each event, and kept.
import { SvelteMap } from 'svelte/reactivity'
import { answer, api } from '../../shared/api/client'
import type { Event, OutcomeSide } from '../../shared/api/types'
import { isSingle, outcomeLabel, shownLabel } from '../market/market-view'
import { shownTitle } from '../market/series-title'

const known = new SvelteMap<string, Event>()
const asked = new Set<string>()

/** Done once each title is known, or could not be read. */
export async function learnTitles(eventIds: Iterable<string>): Promise<void> {
  await Promise.all([...new Set(eventIds)].map(learnTitle))
}

async function learnTitle(eventId: string): Promise<void> {
  if (asked.has(eventId)) return
  asked.add(eventId)
  await answer(api.GET('/v1/pm/events/{eventId}', { params: { path: { eventId } } })).then(
    (event) => void known.set(eventId, event),
    () => void asked.delete(eventId),
  )
}

const eventOfMarket = new SvelteMap<string, string>()
const askedMarkets = new Set<string>()

/** A trade knows its market only; the reader's own order of it knows the event. One order is read for each market. */
export async function learnMarkets(trades: Iterable<{ marketId: string; orderId: string }>): Promise<void> {
  await Promise.all([...trades].map(learnMarket))
}

async function learnMarket({ marketId, orderId }: { marketId: string; orderId: string }): Promise<void> {
  if (askedMarkets.has(marketId)) return
  askedMarkets.add(marketId)
  try {
    const order = await answer(api.GET('/v1/pm/orders/{orderId}', { params: { path: { orderId } } }))
    eventOfMarket.set(marketId, order.eventId)
    await learnTitle(order.eventId)
  } catch {
    askedMarkets.delete(marketId)
  }
}

/** The event of a market of a trade, once it is known. */
export function eventOf(marketId: string): string | undefined {
  return eventOfMarket.get(marketId)
}

/** The question, and the market of it where there are several. */
export function titleOf(eventId: string, marketId: string): string {
  const event = known.get(eventId)
  if (!event) return '…'
  const market = event.markets.find((one) => one.id === marketId)
  return isSingle(event) || !market ? shownTitle(event.title) : `${shownTitle(event.title)} · ${market.title}`
}

/** An outcome by its own label; YES and NO until that is known. */
export function outcomeOf(eventId: string, marketId: string, outcome: OutcomeSide): string {
  const market = known.get(eventId)?.markets.find((one) => one.id === marketId)
  return shownLabel(market ? outcomeLabel(market, outcome) : outcome)
}
