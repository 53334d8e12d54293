// What the reader has in this event: open orders and positions. The stream says that something changed; what it is now is read.
import { answer, api } from '../../shared/api/client'
import { Failure } from '../../shared/api/failure'
import { submit } from '../../shared/api/intent'
import type { Event, Order, Position } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { Resource } from '../../shared/state/resource.svelte'
import { throttle } from '../../shared/state/throttle'
import { own as stream } from '../../shared/stream/stream'
import { sound } from '../../shared/state/sound.svelte'
import { toasts } from '../../shared/state/toasts.svelte'
import { shownLabel } from '../market/market-view'
import { wallet } from '../session/wallet.svelte'
import { Fills } from './fills'
import { freeOf, type Holding, holdingOf } from './holdings'
import { readOpenOrders } from './open-orders'

const REREAD_MILLISECONDS = 250
const REVALUED_MILLISECONDS = 2000
/** What one request cancels. */
const BATCH_MAX = 100

export async function cancelOrder(orderId: string): Promise<void> {
  await submit((headers) => api.DELETE('/v1/pm/orders/{orderId}', { params: { path: { orderId } }, headers }))
}

/** Cancels these orders; answers how many. An order that is not open any more is as it was meant to be. */
export async function cancelOrders(orders: readonly Order[]): Promise<number> {
  let cancelled = 0
  for (let at = 0; at < orders.length; at += BATCH_MAX) {
    const body = { orderIds: orders.slice(at, at + BATCH_MAX).map((order) => order.id) }
    const { results, summary } = await submit((headers) => api.POST('/v1/pm/orders/batch/cancel', { body, headers }))
    const refused = results.find(({ error }) => error && error.code !== 'ORDER_NOT_FOUND')?.error
    if (refused) throw new Failure(refused.message, 200, refused.code)
    cancelled += summary.succeeded
  }
  return cancelled
}

/** Cancels all open orders of a scope; answers how many. A DELETE whose body a proxy drops would cancel those of all markets. */
export async function cancelAllOrders(body: { eventId?: string; marketId?: string; currency?: Currency }): Promise<number> {
  return (await submit((headers) => api.POST('/v1/pm/orders/cancel-all', { body, headers }))).total
}

export class Own {
  readonly orders = new Resource<Order[]>()
  readonly positions = new Resource<Position[]>()
  /** Shares of an outcome that no order holds; null while they are not known. */
  readonly free = (of: Holding): bigint | null => freeOf(this.positions.value, of)
  readonly holding = (of: Holding): Position | undefined => holdingOf(this.positions.value, of)
  private event: Event | undefined
  private currency: Currency = 'USD'
  private readonly fills = new Fills()

  readonly refresh = throttle(() => {
    const event = this.event
    if (!event) return
    const query = { eventId: event.id, currency: this.currency }
    void this.orders.load(async () => {
      const orders = await readOpenOrders(query)
      for (const order of orders) this.fills.note(order.id, order.filledSize)
      return orders
    })
    this.readPositions(query)
    wallet.refresh()
  }, REREAD_MILLISECONDS)

  /** Prices have moved: what the positions are worth if sold now is read again. */
  readonly revalue = throttle(() => {
    if (this.event) this.readPositions({ eventId: this.event.id, currency: this.currency })
  }, REVALUED_MILLISECONDS)

  private readPositions(query: { eventId: string; currency: Currency }): void {
    void this.positions.load(
      async () =>
        (await answer(api.GET('/v1/pm/portfolio', { params: { query: { ...query, size: 100 } } }))).outcomeBalances,
    )
  }

  follow(event: Event, currency: Currency): () => void {
    this.event = event
    this.currency = currency
    this.orders.clear()
    this.positions.clear()
    this.refresh()
    const leaves = event.markets.map((market) =>
      stream.listen(`orders:${market.id}`, {
        receive: (message) => {
          // An order that was met while it waited: its owner did nothing, so nothing else says it.
          const { cause, order } = message.data
          if (cause === 'FILLED') {
            const toast = this.fills.toastOf(order, shownLabel(order.outcomeLabel))
            if (toast) toasts.good(toast.title, toast.detail)
            if (toast) sound.play()
          } else this.fills.note(order.id, order.filledQuantity)
          this.refresh()
        },
        resumed: () => this.refresh(),
      }),
    )
    return () => {
      leaves.forEach((leave) => leave())
      this.event = undefined
    }
  }

  forget(): void {
    this.event = undefined
    this.orders.clear()
    this.positions.clear()
  }
}
