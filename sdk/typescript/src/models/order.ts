/** Orders as data, and the results of batches. */

import type { Decimal } from '../decimal.js'
import { count, decimal, flag, list, object, optional, text, time, type Shape } from './shape.js'

const OPEN_STATUSES: ReadonlySet<string> = new Set(['pending', 'open', 'partial_filled'])

/** An order, as the exchange described it last. */
export interface OrderData {
  readonly id: string
  readonly eventId: string
  readonly marketId: string
  readonly outcomeId: string
  readonly outcome: string
  readonly outcomeLabel: string
  readonly side: string
  readonly orderType: string
  readonly timeInForce: string
  readonly status: string
  readonly price: Decimal
  readonly amount: Decimal
  readonly size: Decimal
  readonly filledSize: Decimal
  readonly remainingSize: Decimal
  readonly quantity: Decimal
  readonly avgFillPrice: Decimal
  readonly fee: Decimal
  readonly currency: string
  readonly postOnly: boolean
  readonly stpMode: string
  readonly clientOrderId?: string
  readonly expiresAt?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const orderShape: Shape<OrderData> = {
  id: text,
  eventId: text,
  marketId: text,
  outcomeId: text,
  outcome: text,
  outcomeLabel: text,
  side: text,
  orderType: text,
  timeInForce: text,
  status: text,
  price: decimal,
  amount: decimal,
  size: decimal,
  filledSize: decimal,
  remainingSize: decimal,
  quantity: decimal,
  avgFillPrice: decimal,
  fee: decimal,
  currency: text,
  postOnly: flag,
  stpMode: text,
  clientOrderId: optional(text),
  expiresAt: optional(time),
  createdAt: time,
  updatedAt: time,
}

/** Whether an order with this status rests in the book and can still fill. */
export function isOpenStatus(status: string): boolean {
  return OPEN_STATUSES.has(status)
}

/** Why one item of a batch failed. */
export interface ItemError {
  readonly code: string
  readonly message: string
  readonly reason?: string
}

export const itemErrorShape: Shape<ItemError> = { code: text, message: text, reason: optional(text) }

/** How many items of a batch succeeded. */
export interface Summary {
  readonly total: number
  readonly succeeded: number
  readonly failed: number
}

export const summaryShape: Shape<Summary> = { total: count, succeeded: count, failed: count }

/** The result of one cancel. After a retry, ORDER_NOT_OPEN may mean that the first try cancelled the order. */
export interface BatchCancelItem {
  readonly orderId: string
  readonly success: boolean
  readonly error?: ItemError
}

export const batchCancelItemShape: Shape<BatchCancelItem> = {
  orderId: text,
  success: flag,
  error: optional(object(itemErrorShape)),
}

/** The result of a batch of cancels. */
export interface BatchCancel {
  readonly results: readonly BatchCancelItem[]
  readonly summary: Summary
}

export const batchCancelShape: Shape<BatchCancel> = {
  results: list(object(batchCancelItemShape)),
  summary: object(summaryShape),
}

/** The result of a mint or a burn. `quantity` is pairs; `proceeds` is the money that a burn paid. */
export interface Minted {
  readonly operationId: string
  readonly marketId: string
  readonly quantity: Decimal
  readonly outcome1Price: Decimal
  readonly outcome2Price: Decimal
  readonly proceeds?: Decimal
}

export const mintedShape: Shape<Minted> = {
  operationId: text,
  marketId: text,
  quantity: decimal,
  outcome1Price: decimal,
  outcome2Price: decimal,
  proceeds: optional(decimal),
}
