// The status of an order as its owner understands it. The exchange calls an order cancelled if something of it was, even if it
// traded: a market order that filled within its limits is filled, and any other one is filled in part.
import type { Order } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'

export function shownStatus(order: Pick<Order, 'status' | 'orderType' | 'filledSize' | 'size'>): string {
  const filled = units(order.filledSize)
  if (order.status !== 'cancelled' || filled === 0n) return order.status
  return order.orderType === 'MARKET' && filled === units(order.size) ? 'filled' : 'partly_filled'
}
