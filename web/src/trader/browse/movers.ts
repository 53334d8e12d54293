// The questions whose price changed most in a day, among those that are traded most.
import type { Event } from '../../shared/api/types'
import { dayHistory } from '../market/day-history.svelte'
import { leader } from '../market/market-view'
import type { Wanted } from '../market/queries'
import { readEvents } from '../market/read-events'
import { moved } from './orders'

// A change is known by its history, which costs a request each.
const [READ_MAX, MOVERS_MAX] = [100, 24]

export async function readMovers(wanted: Wanted): Promise<Event[]> {
  const { events } = await readEvents({ ...wanted, trending: true }, 1, READ_MAX)
  const lively = events.filter((event) => event.status === 'open').slice(0, MOVERS_MAX)
  const changes = new Map<string, bigint>()
  await Promise.all(
    lively.map(async (event) => {
      const first = leader(event)
      const day = first && (await dayHistory(event.id, first.id, wanted.currency).catch(() => undefined))
      if (day) changes.set(event.id, day.change)
    }),
  )
  return moved(lively, changes)
}
