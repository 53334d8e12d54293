// Fills of orders that were waiting: what to say when another trader meets one.
import { type Decimal, text, units } from '../../shared/numbers/decimal'
import { type Currency, price, shares } from '../../shared/numbers/format'
import * as texts from '../texts/event'

/** The part of `order_updated` that a fill is told by. */
export interface UpdatedOrder {
  id: string
  outcomeLabel: string
  side: 'BUY' | 'SELL'
  price: Decimal
  filledQuantity: Decimal
  remainingQuantity: Decimal
  currency: Currency
}

/** How much of each order was filled when last heard of, so that a message tells its own fill and not all of them. */
export class Fills {
  private readonly known = new Map<string, bigint>()

  note(id: string, filled: Decimal): void {
    this.known.set(id, units(filled))
  }

  /** The toast for a resting order that was met, or nothing if nothing new was filled. */
  toastOf(order: UpdatedOrder, label: string): { title: string; detail: string } | undefined {
    const filled = units(order.filledQuantity)
    const fresh = filled - (this.known.get(order.id) ?? 0n)
    this.known.set(order.id, filled)
    if (fresh <= 0n) return undefined
    const waiting = units(order.remainingQuantity)
    return {
      title: `${order.side === 'BUY' ? texts.bought : texts.sold} ${shares(text(fresh))} ${label}`,
      detail: texts.yourOrderAtWasMet(
        price(order.price, order.currency),
        waiting > 0n ? texts.moreWait(shares(order.remainingQuantity)) : '',
      ),
    }
  }
}
