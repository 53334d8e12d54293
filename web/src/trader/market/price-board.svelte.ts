// The newest prices of every market that is on the page, in both currencies, as the stream tells them, and announced terms.
import { SvelteMap } from 'svelte/reactivity'
import type { AnnouncedTerms, Currency, Event, Market, Status } from '../../shared/api/types'
import type { Decimal } from '../../shared/numbers/decimal'
import { markets as stream } from '../../shared/stream/stream'
import { currency } from '../session/currency.svelte'

export interface Prices {
  /** The middle, which is what is believed. */
  yes: Decimal
  no: Decimal
  /** The price of a share now, before the fee; 0 without a seller. */
  yesBuy: Decimal
  noBuy: Decimal
  status: Status
  resolvedOutcome: string
  announced: AnnouncedTerms | undefined
}

interface StreamedMarket {
  id: string
  status: Status
  resolvedOutcome?: string
  listings: {
    currency: Currency
    prices: Record<'YES' | 'NO', Decimal>
    buyPrices: Record<'YES' | 'NO', Decimal>
    announcedTerms?: AnnouncedTerms
  }[]
}

const board = new SvelteMap<string, Prices>()
const keyOf = (marketId: string, inCurrency: string) => `${marketId}:${inCurrency}`

function same(one: Prices, other: Prices): boolean {
  return (Object.keys(one) as (keyof Prices)[]).every((key) =>
    key === 'announced' ? sameTerms(one.announced, other.announced) : one[key] === other[key],
  )
}

/** Whether both announce the same, or nothing. */
export function sameTerms(one: AnnouncedTerms | undefined, other: AnnouncedTerms | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Follows an event's prices until the returned function is called. */
export function followPrices(eventId: string, resumed?: () => void): () => void {
  return stream.listen(`prices:${eventId}`, {
    receive(message) {
      for (const market of message.data.markets as StreamedMarket[]) {
        for (const listing of market.listings) {
          const prices: Prices = {
            yes: listing.prices.YES,
            no: listing.prices.NO,
            yesBuy: listing.buyPrices.YES,
            noBuy: listing.buyPrices.NO,
            status: market.status,
            resolvedOutcome: market.resolvedOutcome ?? '',
            announced: listing.announcedTerms,
          }
          const key = keyOf(market.id, listing.currency)
          const last = board.get(key)
          // A message tells all markets of an event; only those that changed shall be drawn again.
          if (!last || !same(last, prices)) board.set(key, prices)
        }
      }
    },
    ...(resumed ? { resumed } : {}),
  })
}

export function followOpen(event: Event): (() => void) | undefined {
  return event.status !== 'resolved' ? followPrices(event.id) : undefined
}

/** A market's prices as they are now. */
export function pricesOf(market: Market): Prices {
  return (
    board.get(keyOf(market.id, currency.current)) ?? {
      yes: market.outcome1Price,
      no: market.outcome2Price,
      yesBuy: market.yesBuyPrice,
      noBuy: market.noBuyPrice,
      status: market.status,
      resolvedOutcome: market.resolvedOutcome,
      announced: market.announcedTerms,
    }
  )
}
