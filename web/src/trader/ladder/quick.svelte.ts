// Orders that one click or key sends. Nothing is sent unless the ladder is armed.
import { answer, api } from '../../shared/api/client'
import { asFailure } from '../../shared/api/failure'
import { Sender } from '../../shared/api/sender'
import type { Event, Market, Order, OutcomeSide, PlaceOrder, Side } from '../../shared/api/types'
import { carrier } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'
import { toasts } from '../../shared/state/toasts.svelte'
import { theOutcomeIsNotKnown } from '../../shared/texts/common'
import { freeOf } from '../event/holdings'
import { readOpenOrders } from '../event/open-orders'
import { cancelAllOrders, cancelOrders } from '../event/own.svelte'
import { outcomeId, outcomeLabel, shownLabel } from '../market/market-view'
import * as texts from '../texts/ladder'
import { partOf } from '../ticket/compose'
import { outcomeMessage } from '../ticket/outcome-message'
import { hindranceOf } from './guard'

/** Further from the best price than this a sale at the market stops. */
const SLIPPAGE_MAX = 0.1

export interface Place {
  event: Event
  market: Market
  outcome: OutcomeSide
  currency: Currency
  cash: bigint | null
  held: bigint | null
}

export class Quick {
  armed = $state(false)
  /** Requests under way. */
  sending = $state(0)
  private readonly place: () => Place
  private readonly changed: () => void
  private readonly sender = new Sender()

  constructor(place: () => Place, changed: () => void) {
    this.place = place
    this.changed = changed
  }

  /** A limit order at a price. `takes`: it trades at once (FAK), and the exchange cancels the rest. */
  order(side: Side, hundredths: number, size: bigint, takes = false): Promise<void> {
    const { currency, cash, held } = this.place()
    const hindrance = hindranceOf({ side, hundredths, size, currency, cash, held })
    if (hindrance) return this.refuse(hindrance)
    const immediate = takes ? { timeInForce: 'FAK' as const } : {}
    const wish = [side, takes ? 'best' : hundredths, carrier(size)]
    return this.send(wish, { side, type: 'LIMIT', price: hundredths / 100, quantity: carrier(size), ...immediate })
  }

  /** Sells so many percent of what is free, at the market. */
  sellPart(percent: number): Promise<void> {
    const { held } = this.place()
    if (held === null) return this.refuse(texts.yourSharesAreNotKnown)
    const size = partOf(held, percent)
    if (size === 0n) return this.refuse(texts.youHaveNoneToSell)
    return this.sell(['part', percent], size)
  }

  /** Takes back the sell orders of the outcome, then sells all of it at the market. */
  close(): Promise<void> {
    // Without an answer to what comes before the sale, nothing is sold, which is known.
    const failed = texts.thePositionWasNotClosed
    return this.attempt(failed, async () => {
      const { market, outcome, currency } = this.place()
      // Read anew: the page may not know them yet, and shows those of the whole event.
      await cancelOrders(await readOpenOrders({ outcomeId: outcomeId(market, outcome), currency, side: 'SELL' }))
      const query = { marketId: market.id, currency, size: 100 }
      const { outcomeBalances } = await answer(api.GET('/v1/pm/portfolio', { params: { query } }))
      const size = partOf(freeOf(outcomeBalances, { marketId: market.id, outcome, currency }) ?? 0n, 100)
      if (size === 0n) toasts.bad(texts.nothingWasSent, texts.youHaveNoneToSell)
      else await this.sell(['all'], size)
    }, failed)
  }

  /** Takes back all orders in this market. */
  cancelAll(): Promise<void> {
    return this.attempt(texts.notAllOrdersWereCancelled, async () => {
      const { market, currency } = this.place()
      toasts.good(texts.ordersCancelled(await cancelAllOrders({ marketId: market.id, currency })))
    })
  }

  /** Takes back the orders at one price. */
  cancel(orders: readonly Order[]): Promise<void> {
    return this.attempt(texts.notAllOrdersWereCancelled, async () => {
      toasts.good(texts.ordersCancelled(await cancelOrders(orders)))
    })
  }

  private sell(wish: unknown[], size: bigint): Promise<void> {
    return this.send(wish, { side: 'SELL', type: 'MARKET', quantity: carrier(size), maxSlippage: SLIPPAGE_MAX })
  }

  /** `wish`: the click. Repeated while its outcome is not known, it is the same order, whatever has moved since. */
  private send(wish: unknown[], terms: Partial<PlaceOrder> & { side: Side }): Promise<void> {
    return this.attempt(texts.theOrderWasNotSent, async () => {
      const { event, market, outcome, currency } = this.place()
      const params = { path: { eventId: event.id, marketId: market.id } }
      const placed = { ...terms, outcomeId: outcomeId(market, outcome), currency } as PlaceOrder
      const { order } = await this.sender.send([market.id, outcome, currency, ...wish], placed, (body, headers) =>
        api.POST('/v1/pm/events/{eventId}/markets/{marketId}/orders', { params, body, headers }),
      )
      const { tone, title, detail } = outcomeMessage(order, shownLabel(outcomeLabel(market, outcome)))
      toasts.show(tone, title, detail)
    })
  }

  private refuse(reason: string): Promise<void> {
    if (this.armed) toasts.bad(texts.nothingWasSent, reason)
    return Promise.resolve()
  }

  private async attempt(failed: string, act: () => Promise<void>, unknown = theOutcomeIsNotKnown): Promise<void> {
    if (!this.armed) return
    this.sending += 1
    try {
      await act()
    } catch (error) {
      const failure = asFailure(error)
      toasts.bad(failure.undecided ? unknown : failed, failure.message)
    } finally {
      this.sending -= 1
      this.changed()
    }
  }
}
