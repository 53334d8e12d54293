// The orders of the list of questions. The exchange knows trending and newest; the others are put in order here, out of the
// hundred liveliest.
import type { Event } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { milliseconds } from '../../shared/numbers/time'
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

/** Whether the exchange puts the list in this order by itself. */
export const isServed = (order: Order) => order === 'trending' || order === 'newest'

type Sorted = Pick<Event, 'id' | 'closingDate' | 'totalVolume'>

/** Changes of a day by event, for the movers. */
export function sorted<One extends Sorted>(events: readonly One[], order: Order, changes: ReadonlyMap<string, bigint>): One[] {
  const list = [...events]
  const size = (value: bigint) => (value < 0n ? -value : value)
  const byNumber = (left: bigint | number, right: bigint | number) => (left < right ? -1 : left > right ? 1 : 0)
  if (order === 'ending') {
    const end = (event: One) => milliseconds(event.closingDate) ?? Infinity
    return list.sort((left, right) => byNumber(end(left), end(right)))
  }
  if (order === 'traded') return list.sort((left, right) => byNumber(units(right.totalVolume), units(left.totalVolume)))
  if (order === 'movers') {
    const moved = (event: One) => size(changes.get(event.id) ?? 0n)
    return list.filter((event) => moved(event) > 0n).sort((left, right) => byNumber(moved(right), moved(left)))
  }
  return list
}
