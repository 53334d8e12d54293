// Orders that one click or key sends. Nothing is sent unless the ladder is armed.
import { answer, api } from '../../shared/api/client'
import { asFailure } from '../../shared/api/failure'
import { submit } from '../../shared/api/intent'
import type { Event, Market, Order, OutcomeSide, PlaceOrder, Side } from '../../shared/api/types'
import { carrier, units } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'
import { toasts } from '../../shared/state/toasts.svelte'
import { cancelOrder } from '../event/own.svelte'
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
  orders: readonly Order[]
}

export class Quick {
  armed = $state(false)
  /** Requests under way. */
  sending = $state(0)
  private readonly place: () => Place
  private readonly changed: () => void

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
    return this.send({ side, type: 'LIMIT', price: hundredths / 100, quantity: carrier(size), ...immediate })
  }

  /** Sells so many percent of what is free, at the market. */
  sellPart(percent: number): Promise<void> {
    const { held } = this.place()
    const size = held === null ? 0n : partOf(held, percent)
    if (size === 0n) return this.refuse(texts.youHaveNoneToSell)
    return this.sell(size)
  }

  /** Takes back the sell orders of the outcome, then sells all of it at the market. */
  close(): Promise<void> {
    return this.attempt(texts.thePositionWasNotClosed, async () => {
      const { market, outcome, currency, orders } = this.place()
      const selling = orders.filter((order) => order.side === 'SELL' && order.outcome === outcome)
      await Promise.all(selling.map((order) => cancelOrder(order.id)))
      const query = { marketId: market.id, currency, size: 100 }
      const { outcomeBalances } = await answer(api.GET('/v1/pm/portfolio', { params: { query } }))
      const position = outcomeBalances.find((one) => one.outcome === outcome && one.currency === currency)
      const size = partOf(units(position?.availableBalance ?? 0), 100)
      if (size === 0n) toasts.bad(texts.nothingWasSent, texts.youHaveNoneToSell)
      else await this.sell(size)
    })
  }

  /** Takes back all orders in this market. */
  cancelAll(): Promise<void> {
    return this.attempt(texts.notAllOrdersWereCancelled, async () => {
      const { market, currency } = this.place()
      const body = { marketId: market.id, currency }
      const { total } = await submit((headers) => api.DELETE('/v1/pm/orders', { body, headers }))
      toasts.good(texts.ordersCancelled(total))
    })
  }

  /** Takes back the orders at one price. */
  cancel(orders: readonly Order[]): Promise<void> {
    return this.attempt(texts.notAllOrdersWereCancelled, async () => {
      await Promise.all(orders.map((order) => cancelOrder(order.id)))
      toasts.good(texts.ordersCancelled(orders.length))
    })
  }

  private sell(size: bigint): Promise<void> {
    return this.send({ side: 'SELL', type: 'MARKET', quantity: carrier(size), maxSlippage: SLIPPAGE_MAX })
  }

  private send(terms: Partial<PlaceOrder> & { side: Side }): Promise<void> {
    return this.attempt(texts.theOrderWasNotSent, async () => {
      const { event, market, outcome, currency } = this.place()
      const params = { path: { eventId: event.id, marketId: market.id } }
      const body = { ...terms, outcomeId: outcomeId(market, outcome), currency } as PlaceOrder
      const { order } = await submit((headers) =>
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

  private async attempt(failed: string, act: () => Promise<void>): Promise<void> {
    if (!this.armed) return
    this.sending += 1
    try {
      await act()
    } catch (error) {
      toasts.bad(failed, asFailure(error).message)
    } finally {
      this.sending -= 1
      this.changed()
    }
  }
}
