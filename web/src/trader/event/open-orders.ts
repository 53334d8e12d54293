// Open orders. The exchange lists those that nothing has filled of yet apart from those that are partly filled.
import { answer, api } from '../../shared/api/client'
import type { Order, Side } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { readJoined } from '../tables/joined'
import type { At, Part } from '../tables/read-all'

export interface OpenOrderQuery {
  eventId?: string
  outcomeId?: string
  currency?: Currency
  side?: Side
}

const reading =
  (query: OpenOrderQuery, status: 'open' | 'partial_filled') =>
  async (at: At): Promise<Part<Order>> => {
    const { orders, ...rest } = await answer(api.GET('/v1/pm/orders', { params: { query: { ...query, status, ...at } } }))
    return { rows: orders, ...rest }
  }

/** A page of both kinds: the partly filled ones first, of each kind the newest. */
export function readOpenOrderPage(query: OpenOrderQuery, at: At): Promise<Part<Order>> {
  return readJoined(reading(query, 'partial_filled'), reading(query, 'open'), at)
}

const SHOWN_MAX = 100

/** The newest of both kinds, for a page that reads them again after every change: what a list of thousands costs stays bounded. */
export async function readOpenOrders(query: OpenOrderQuery): Promise<Order[]> {
  const read = async (status: 'open' | 'partial_filled') => (await reading(query, status)({ size: SHOWN_MAX, page: 1 })).rows
  const [untouched, partial] = await Promise.all([read('open'), read('partial_filled')])
  return [...untouched, ...partial].sort((left, right) => right.createdAt.localeCompare(left.createdAt))
}
