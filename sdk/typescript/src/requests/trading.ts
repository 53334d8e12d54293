/** Writes: orders, batches, cancels, amends, sets of shares. */

import { Decimal, type Numeric } from '../decimal.js'
import { encode, type Encodable } from '../json.js'
import { moment, part } from '../text.js'
import { keyedWrite, read, write, type Request } from './base.js'

/** Buy or sell. */
export type Side = 'BUY' | 'SELL'
/** How long an order may rest. */
export type TimeInForce = 'GTC' | 'GTD' | 'FAK' | 'FOK'
/** What happens where two of your orders would trade with each other. */
export type StpMode = 'SKIP' | 'CANCEL_OLDEST' | 'CANCEL_NEWEST' | 'CANCEL_BOTH'

/** The terms of an order. Give either `amount` (money, on both sides) or `quantity` (shares). */
export interface OrderTerms {
  /** Money. */
  readonly amount?: Numeric
  /** Shares. */
  readonly quantity?: Numeric
  /** The limit, from 0.01 to 0.99. Without one it is a market order. */
  readonly price?: Numeric
  readonly timeInForce?: TimeInForce
  /** Refuse the order where it would trade at once. */
  readonly postOnly?: boolean
  /** When a GTD order ends. */
  readonly expiresAt?: Date | string
  readonly maxSlippage?: Numeric
  readonly stpMode?: StpMode
  /** A name of your own for the order. */
  readonly clientOrderId?: string
}

/** An order to place or to quote: a limit order with a price, a market order without one. */
export interface NewOrder extends OrderTerms {
  readonly outcomeId: string
  readonly side: Side
  /** USD by default. */
  readonly currency?: string
}

/** A new price, a new total size in shares, or both, of an open order. */
export interface Amendment {
  readonly orderId: string
  readonly price?: Numeric
  /** The new total, including the filled part. */
  readonly size?: Numeric
}

/** Conditions for `cancelAll`. */
export interface CancelConditions {
  readonly eventId?: string
  readonly marketId?: string
  readonly currency?: string
}

const ORDER_NAMES: ReadonlySet<string> = new Set<keyof NewOrder>([
  'outcomeId',
  'side',
  'currency',
  'amount',
  'quantity',
  'price',
  'timeInForce',
  'postOnly',
  'expiresAt',
  'maxSlippage',
  'stpMode',
  'clientOrderId',
])

/** An order as the exchange reads it. */
export function orderFields(order: NewOrder): Record<string, Encodable | undefined> {
  // A mistyped or missing price would make a market order of a limit order.
  const unknown = Object.keys(order).find((name) => !ORDER_NAMES.has(name))
  if (unknown !== undefined) throw new RangeError(`an order has no ${unknown}`)
  if ('price' in order && order.price === undefined) {
    throw new RangeError('the price is undefined: leave it out to place a market order')
  }
  if ((order.amount === undefined) === (order.quantity === undefined)) {
    throw new RangeError('an order has either an amount (money) or a quantity (shares)')
  }
  return {
    outcomeId: order.outcomeId,
    side: order.side,
    type: order.price === undefined ? 'MARKET' : 'LIMIT',
    currency: order.currency ?? 'USD',
    amount: exact(order.amount),
    quantity: exact(order.quantity),
    price: exact(order.price),
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    expiresAt: order.expiresAt === undefined ? undefined : moment(order.expiresAt),
    maxSlippage: exact(order.maxSlippage),
    stpMode: order.stpMode,
    clientOrderId: order.clientOrderId,
  }
}

/** Places one order. */
export function placeOrder(eventId: string, marketId: string, order: NewOrder, key?: string): Request {
  return keyedWrite('POST', `${marketPath(eventId, marketId)}/orders`, orderFields(order), key)
}

/** Asks what an order would do. Without `asOrder`, what a market order without a bound would do. */
export function quoteOrder(eventId: string, marketId: string, order: NewOrder, asOrder: boolean): Request {
  const { outcomeId, side, currency, amount, quantity, ...rest } = orderFields(order)
  const body = { outcomeId, side, currency, amount, quantity, ...(asOrder ? rest : {}) }
  const path = `${marketPath(eventId, marketId)}/quote`
  return { method: 'POST', path, query: '', body: encode(body), access: 'public', repeat: 'harmless' }
}

/** Places 1 to 20 orders, one after another. */
export function placeBatch(orders: readonly NewOrder[], key?: string): Request {
  return keyedWrite('POST', '/v1/pm/orders/batch', { orders: orders.map(orderFields) }, key)
}

/** Amends 1 to 20 orders. New prices and sizes are absolute, so a repetition changes nothing. */
export function amendBatch(items: readonly Amendment[]): Request {
  const fields = items.map((item) => ({
    orderId: item.orderId,
    newPrice: exact(item.price),
    newSize: exact(item.size),
  }))
  return write('POST', '/v1/pm/orders/batch/amend', { items: fields })
}

/** Cancels one order. */
export function cancelOrder(orderId: string): Request {
  return write('DELETE', `/v1/pm/orders/${part(orderId)}`)
}

/** Cancels 1 to 100 orders. Some proxies drop the body of a DELETE, so this is the POST form. */
export function cancelBatch(orderIds: readonly string[]): Request {
  return write('POST', '/v1/pm/orders/batch/cancel', { orderIds })
}

/** Cancels all open orders that meet the conditions. Keyed: a late repetition must not cancel newer orders. */
export function cancelAll(conditions: CancelConditions, key?: string): Request {
  // A condition that got lost would cancel everything. The exchange itself refuses names that it does not know.
  const lost = Object.entries(conditions).find(([, value]) => value === undefined)
  if (lost) throw new RangeError(`the condition ${lost[0]} is undefined: leave it out to cancel regardless of it`)
  return keyedWrite('POST', '/v1/pm/orders/cancel-all', { ...conditions }, key)
}

/** Sets the dead man's switch: all orders are cancelled unless it is set again within this time. */
export function cancelAfter(seconds: number): Request {
  return write('POST', '/v1/pm/orders/cancel-after', { seconds })
}

/** Turns money into pairs of shares. */
export function mint(marketId: string, amount: Numeric, currency: string, key?: string): Request {
  return sets('mint', marketId, amount, currency, key)
}

/** Turns pairs of shares into money. */
export function burn(marketId: string, amount: Numeric, currency: string, key?: string): Request {
  return sets('burn', marketId, amount, currency, key)
}

/** Reads one order. */
export function getOrder(orderId: string): Request {
  return read(`/v1/pm/orders/${part(orderId)}`, {}, 'read')
}

function sets(verb: string, marketId: string, amount: Numeric, currency: string, key?: string): Request {
  const body = { quantity: new Decimal(amount), currency }
  return keyedWrite('POST', `/v1/pm/markets/${part(marketId)}/${verb}`, body, key)
}

function marketPath(eventId: string, marketId: string): string {
  return `/v1/pm/events/${part(eventId)}/markets/${part(marketId)}`
}

function exact(value: Numeric | undefined): Decimal | undefined {
  return value === undefined ? undefined : new Decimal(value)
}
