// What became of an order, in words. `rejected` and `cancelled` come with success, so the status has to be read.
import type { Order, Quote } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { money, price, shares } from '../../shared/numbers/format'
import type { Tone } from '../../shared/state/toasts.svelte'

export interface OutcomeMessage {
  tone: Tone
  title: string
  detail: string
}

/** `overtaken`: the quote that was shown, if another command came between it and the order. */
export function outcomeMessage(order: Order, label: string, overtaken?: Quote): OutcomeMessage {
  const message = result(order, label)
  const moved = overtaken && movedSince(order, overtaken)
  return moved ? { ...message, detail: `${message.detail.replace(/\.?$/, '.')} ${moved}` } : message
}

/** What is other than the quote said; nothing if the market moved without touching this order. */
function movedSince(order: Order, quote: Quote): string {
  const [filled, quoted] = [units(order.filledSize), units(quote.quantity)]
  if (filled === quoted && units(order.fee) === units(quote.fee)) return ''
  const before = quoted > 0n ? `${shares(quote.quantity)} at ${price(quote.price, order.currency)}` : 'no trade'
  return `The market moved after the preview, which said ${before}.`
}

function result(order: Order, label: string): OutcomeMessage {
  const done = order.side === 'BUY' ? 'Bought' : 'Sold'
  const filled = units(order.filledSize)
  const part = `${shares(order.filledSize)} ${label} at ${price(order.avgFillPrice, order.currency)}`
  const fee = units(order.fee) > 0n ? ` · fee ${money(order.fee, order.currency)}` : ''
  switch (order.status) {
    case 'filled':
      return {
        tone: 'good',
        title: `${done} ${shares(order.filledSize)} ${label}`,
        detail: `at ${price(order.avgFillPrice, order.currency)}${fee}`,
      }
    case 'open':
      return {
        tone: 'good',
        title: 'Your order is in the book',
        detail: `${shares(order.size)} ${label} at ${price(order.price, order.currency)}`,
      }
    case 'partial_filled':
      return { tone: 'good', title: `${done} ${part}`, detail: `${shares(order.remainingSize)} more wait in the book` }
    case 'cancelled':
      if (filled > 0n)
        return { tone: 'good', title: `${done} ${part}`, detail: `The rest found nobody and was cancelled${fee}` }
      return {
        tone: 'bad',
        title: 'Nothing was traded',
        detail: 'There was nobody on the other side within your limits.',
      }
    case 'rejected':
      return { tone: 'bad', title: 'The order was rejected', detail: rejection(order) }
    default:
      return { tone: 'plain', title: `The order is ${order.status}`, detail: '' }
  }
}

function rejection(order: Order): string {
  if (order.postOnly) return 'It would have traded at once, and you asked for it to rest only.'
  if (order.timeInForce === 'FOK') return 'It could not fill completely, and you asked for all or nothing.'
  return 'It met an order of your own. Nothing happened.'
}
