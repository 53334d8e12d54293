// A change of an order: what is sent for it, and what is wrong with it. Pure.
import type { Order } from '../../shared/api/types'
import { carrier, multiply, parseInput, units } from '../../shared/numbers/decimal'
import { baseUnit, money, shares } from '../../shared/numbers/format'
import * as texts from '../texts/event'
import { limitPrice } from '../ticket/compose'

export interface Amendment {
  price: bigint
  size: bigint
  /** For the API: what differs from the order; nothing if it stays as it is. */
  item: { orderId: string; newPrice?: number; newSize?: number } | undefined
}

type Amended = Pick<Order, 'id' | 'side' | 'price' | 'size' | 'filledSize' | 'currency'>

/** Throws in words. `cash`: what is free beside the money that the order holds; null while it is not known. */
export function amendmentOf(order: Amended, typed: { price: string; size: string }, cash: bigint | null): Amendment {
  const [price, size] = [limitPrice(typed.price), parseInput(typed.size, 4)]
  if (price === null) throw new Error(texts.thePriceIsAWhole)
  if (size === null || size <= units(order.filledSize)) throw new Error(texts.theSizeIsAllShares(shares(order.filledSize)))
  const more = heldFor(order, price, size) - heldFor(order, units(order.price), units(order.size))
  // A higher price may meet cheaper sellers: what that takes, only the exchange can say.
  if (order.side === 'BUY' && cash !== null && price <= units(order.price) && more > cash)
    throw new Error(texts.thisTakesMore(money(more, order.currency), money(cash, order.currency)))
  const item = {
    orderId: order.id,
    ...(price === units(order.price) ? {} : { newPrice: carrier(price) }),
    ...(size === units(order.size) ? {} : { newSize: carrier(size) }),
  }
  return { price, size, item: 'newPrice' in item || 'newSize' in item ? item : undefined }
}

/** What a purchase holds for the shares that wait. */
function heldFor(order: Amended, price: bigint, size: bigint): bigint {
  return multiply(multiply(size - units(order.filledSize), price), baseUnit(order.currency))
}
