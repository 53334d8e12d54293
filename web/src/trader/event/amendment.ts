// A change of an order: what is sent for it, what is wrong with it, and what it would do. Pure.
import type { Order, Quote } from '../../shared/api/types'
import { carrier, multiply, units } from '../../shared/numbers/decimal'
import { baseUnit, money, shares } from '../../shared/numbers/format'
import { doubtAbout, parseInput } from '../../shared/numbers/typed'
import * as texts from '../texts/event'
import { emptyForm, limitPrice } from '../ticket/compose'
import { type Estimate, ofQuote } from '../ticket/estimate'
import type { Question } from '../ticket/review.svelte'

export interface Amendment {
  price: bigint
  size: bigint
  /** What it takes of the cash beside what the order holds; 0 or less if it takes nothing. */
  more: bigint
  /** For the API: what differs from the order; nothing if it stays as it is. */
  item: { orderId: string; newPrice?: number; newSize?: number } | undefined
}

type Amended = Pick<Order, 'id' | 'side' | 'price' | 'size' | 'filledSize' | 'currency' | 'postOnly'>

/** `cash`: what is free beside the money that the order holds; null while it is not known. */
export function amendmentOf(
  order: Amended,
  typed: { price: string; size: string },
  cash: bigint | null,
): Amendment | { problem: string } {
  const [price, size] = [limitPrice(typed.price), parseInput(typed.size, 4, 'shares')]
  if (price === null) return { problem: texts.thePriceIsAWhole }
  if (size === null || size <= units(order.filledSize))
    return { problem: doubtAbout(typed.size, 'shares') ?? texts.theSizeIsAllShares(shares(order.filledSize)) }
  const more = heldFor(order, price, size) - heldUntilNow(order)
  // A higher price may meet cheaper sellers: what that takes, its quote says.
  if (cash !== null && price <= units(order.price) && more > cash)
    return { problem: texts.thisTakesMore(money(more, order.currency), money(cash, order.currency)) }
  const item = {
    orderId: order.id,
    ...(price === units(order.price) ? {} : { newPrice: carrier(price) }),
    ...(size === units(order.size) ? {} : { newSize: carrier(size) }),
  }
  return { price, size, more, item: 'newPrice' in item || 'newSize' in item ? item : undefined }
}

/** What a purchase holds for the shares that wait; a sale holds shares. */
function heldFor(order: Amended, price: bigint, size: bigint): bigint {
  if (order.side === 'SELL') return 0n
  return multiply(multiply(size - units(order.filledSize), price), baseUnit(order.currency))
}

const heldUntilNow = (order: Amended) => heldFor(order, units(order.price), units(order.size))

type Placed = Amended & Pick<Order, 'eventId' | 'marketId' | 'outcomeId'>

/**
 * The amended order as a new one, which is what the exchange quotes: its shares that have not filled, at the new price. Own orders
 * that it meets are cancelled, as an amendment cancels all that it crosses. At its own price an order meets nobody: nothing to ask.
 */
export function questionOf(order: Placed, to: Amendment): Question | undefined {
  if (to.item?.newPrice === undefined) return undefined
  const body = {
    side: order.side,
    outcomeId: order.outcomeId,
    type: 'LIMIT',
    currency: order.currency,
    quantity: carrier(to.size - units(order.filledSize)),
    price: carrier(to.price),
    timeInForce: 'GTC',
    stpMode: 'CANCEL_OLDEST',
    ...(order.postOnly ? { postOnly: true } : {}),
  } as const
  return { eventId: order.eventId, marketId: order.marketId, body }
}

/** Refusals of a new order that an amended one need not meet: it has its place, its money and its shares in the book already. */
const OF_A_NEW_ORDER = ['INSUFFICIENT_BALANCE', 'INSUFFICIENT_SHARES', 'TOO_MANY_OPEN_ORDERS']

/** What the amendment would do; undefined while its quote is not there. */
export function estimateOf(order: Amended, to: Amendment, quote: Quote | undefined, cash: bigint | null): Estimate | undefined {
  const released = heldUntilNow(order)
  if (to.item?.newPrice === undefined) {
    const hold = heldFor(order, to.price, to.size)
    const sums = { fee: 0n, hold, total: hold, released, payout: 0n, profit: 0n, profitPercent: 0n }
    const resting = to.size - units(order.filledSize)
    return { filled: 0n, resting, averagePrice: to.price, impact: 0n, ...sums, refusal: undefined, warnings: [] }
  }
  if (!quote) return undefined
  const { refusal, ...planned } = quote.order!
  const form = { ...emptyForm(), side: order.side, type: 'LIMIT', unit: 'shares', postOnly: order.postOnly } as const
  const counts = refusal && !OF_A_NEW_ORDER.includes(refusal.code)
  const estimate = { ...ofQuote(counts ? quote : { ...quote, order: planned }, form, order.currency), released }
  const more = estimate.total - released
  // Orders that it cancels give their money back, so the exchange alone knows then.
  if (order.side === 'SELL' || cash === null || more <= cash || planned.cancelledOrders > 0) return estimate
  return { ...estimate, refusal: texts.thisTakesMore(money(more, order.currency), money(cash, order.currency)) }
}
