// The orders of the list of questions. The exchange serves all but the movers, which are put in order here.
import type { Event } from '../../shared/api/types'
import type { Wanted } from '../market/queries'
import * as texts from '../texts/browse'

export const ORDERS = [
  { value: 'trending', label: texts.trending },
  { value: 'ending', label: texts.endingSoon },
  { value: 'movers', label: texts.biggestMovers },
  { value: 'traded', label: texts.mostTraded },
  { value: 'newest', label: texts.newest },
] as const
export type Order = (typeof ORDERS)[number]['value']

export const orderOf = (given: string | null): Order => ORDERS.find(({ value }) => value === given)?.value ?? 'trending'

/** The query for each order; none for an order that the exchange does not serve. */
export const SERVED: Partial<Record<Order, Pick<Wanted, 'trending' | 'order'>>> = {
  trending: { trending: true },
  ending: { trending: false, order: 'closing' },
  traded: { trending: false, order: 'volume' },
  newest: { trending: false },
}

/** Those that moved, by the size of the change of a day. */
export function moved<One extends Pick<Event, 'id'>>(events: readonly One[], changes: ReadonlyMap<string, bigint>): One[] {
  const sizeOf = (event: One) => {
    const change = changes.get(event.id) ?? 0n
    return change < 0n ? -change : change
  }
  const larger = (left: bigint, right: bigint) => (left > right ? -1 : left < right ? 1 : 0)
  return events.filter((event) => sizeOf(event) > 0n).sort((left, right) => larger(sizeOf(left), sizeOf(right)))
}
