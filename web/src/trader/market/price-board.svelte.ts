// The newest price of every market that is on the page. The stream of prices is in dollars, where most trading is; in naira the
// pages read prices again from time to time.
import { SvelteMap } from 'svelte/reactivity'
import type { Event, Market, Status } from '../../shared/api/types'
import type { Decimal } from '../../shared/numbers/decimal'
import { markets as stream } from '../../shared/stream/stream'
import { currency } from '../session/currency.svelte'

export interface Prices {
  yes: Decimal
  no: Decimal
  status: Status
  resolvedOutcome: string
}

const board = new SvelteMap<string, Prices>()

/** Follows an event's prices until the returned function is called. */
export function followPrices(eventId: string, resumed?: () => void): () => void {
  return stream.listen(`prices:${eventId}`, {
    receive(message) {
      for (const market of message.data.markets) {
        const prices: Prices = {
          yes: market.prices.YES,
          no: market.prices.NO,
          status: market.status,
          resolvedOutcome: market.resolvedOutcome ?? '',
        }
        const last = board.get(market.id)
        // A message tells all markets of an event; only those that changed shall be drawn again.
        if (last && last.yes === prices.yes && last.no === prices.no && last.status === prices.status) continue
        board.set(market.id, prices)
      }
    },
    ...(resumed ? { resumed } : {}),
  })
}

export function followOpen(event: Event): (() => void) | undefined {
  return currency.current === 'USD' && event.status !== 'resolved' ? followPrices(event.id) : undefined
}

/** A market's prices as they are now. */
export function pricesOf(market: Market): Prices {
  const live = currency.current === 'USD' ? board.get(market.id) : undefined
  return (
    live ?? {
      yes: market.outcome1Price,
      no: market.outcome2Price,
      status: market.status,
      resolvedOutcome: market.resolvedOutcome,
    }
  )
}
