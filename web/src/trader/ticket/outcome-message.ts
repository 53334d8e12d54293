// What became of an order, in words. `rejected` and `cancelled` come with success, so the status has to be read.
import { statusWords } from '../../shared/api/status'
import type { Order, Quote } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { money, price, shares } from '../../shared/numbers/format'
import type { Tone } from '../../shared/state/toasts.svelte'
import * as texts from '../texts/ticket'

export interface OutcomeMessage {
  tone: Tone
  title: string
  detail: string
}

/** `overtaken`: the quote that was shown, if another command came between it and the order. */
export function outcomeMessage(order: Order, label: string, overtaken?: Quote): OutcomeMessage {
  const message = result(order, label)
  const moved = overtaken && movedSince(order, overtaken)
  return moved ? { ...message, detail: `${sentence(message.detail)} ${moved}` } : message
}

/** Of an order that was in the book before. Its sums count what had filled until then, which is said. */
export function amendedMessage(before: Order, order: Order, label: string): OutcomeMessage {
  const message = result(order, label)
  const had = units(before.filledSize)
  const rests = order.status === 'open' || order.status === 'partial_filled'
  if (rests && units(order.filledSize) === had) {
    const detail = texts.sharesAtPrice(shares(order.remainingSize), label, price(order.price, order.currency))
    return { tone: 'good', title: texts.orderChanged, detail }
  }
  return had > 0n ? { ...message, detail: texts.filledBefore(sentence(message.detail), shares(before.filledSize)) } : message
}

const sentence = (said: string) => said.replace(/\.?$/, '.')

/** What is other than the quote said; nothing if the market moved without touching this order. */
function movedSince(order: Order, quote: Quote): string {
  const [filled, quoted] = [units(order.filledSize), units(quote.quantity)]
  // Without a fee, shares at another price differ in their price alone.
  const isSamePrice = filled === 0n || units(order.avgFillPrice) === units(quote.price)
  if (filled === quoted && units(order.fee) === units(quote.fee) && isSamePrice) return ''
  const before =
    quoted > 0n ? texts.sizeAtPrice(shares(quote.quantity), price(quote.price, order.currency)) : texts.noTrade
  return texts.theMarketMoved(before)
}

function result(order: Order, label: string): OutcomeMessage {
  const done = order.side === 'BUY' ? texts.bought : texts.sold
  const filled = units(order.filledSize)
  const part = texts.sharesAtPrice(shares(order.filledSize), label, price(order.avgFillPrice, order.currency))
  const fee = units(order.fee) > 0n ? texts.andFee(money(order.fee, order.currency)) : ''
  switch (order.status) {
    case 'filled':
      return {
        tone: 'good',
        title: `${done} ${shares(order.filledSize)} ${label}`,
        detail: texts.filledAt(price(order.avgFillPrice, order.currency), fee),
      }
    case 'open':
      return {
        tone: 'good',
        title: texts.yourOrder,
        detail: texts.sharesAtPrice(shares(order.size), label, price(order.price, order.currency)),
      }
    case 'partial_filled':
      return { tone: 'good', title: `${done} ${part}`, detail: texts.moreWait(shares(order.remainingSize)) }
    case 'cancelled':
      if (filled > 0n) return { tone: 'good', title: `${done} ${part}`, detail: texts.theRestFoundNobody(fee) }
      return {
        tone: 'bad',
        title: texts.nothingWasTraded,
        detail: texts.thereWasNobody,
      }
    case 'rejected':
      return { tone: 'bad', title: texts.theOrderWasRejected, detail: rejection(order) }
    default:
      return { tone: 'plain', title: texts.theOrderIs(statusWords(order.status)), detail: '' }
  }
}

function rejection(order: Order): string {
  if (order.postOnly) return texts.itWouldHaveTraded
  if (order.timeInForce === 'FOK') return texts.itCouldNotFillCompletely
  return texts.itMetAnOrder
}
