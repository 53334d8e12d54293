/** An order that can be watched, changed and cancelled. */

import type { Client } from './client.js'
import type { Numeric } from './decimal.js'
import { ApiError, BellwetherError, WaitTimedOut } from './errors.js'
import type { Json } from './json.js'
import {
  isOpenStatus,
  itemErrorShape,
  orderShape,
  summaryShape,
  type ItemError,
  type OrderData,
  type Summary,
} from './models/order.js'
import { count, flag, items, member, object, optional, readShape, text } from './models/shape.js'
import { read } from './requests/base.js'
import { cancelOrder, getOrder } from './requests/trading.js'
import type { Answer } from './wire.js'

/** The longest time that the exchange lets one request wait for a change. */
const POLL_SECONDS = 20

/** An order of yours. Its fields are those of the last answer; each method brings them up to date. */
export interface Order extends OrderData {}

/** An order of yours. Its fields are those of the last answer; each method brings them up to date. */
export class Order {
  readonly #client: Client
  #asOf: number | undefined

  constructor(client: Client, payload: Json | undefined, asOf?: number) {
    this.#client = client
    this.#take(payload, asOf)
  }

  /** The sequence of the exchange's state that this was read from; undefined if the answer had none. */
  get asOf(): number | undefined {
    return this.#asOf
  }

  /** Whether the order rests in the book and can still fill. */
  get isOpen(): boolean {
    return isOpenStatus(this.status)
  }

  /** Whether all of the order has filled. */
  get isFilled(): boolean {
    return this.status === 'filled'
  }

  /** Reads the order again. */
  async refresh(): Promise<this> {
    const answer = await this.#client.send(getOrder(this.id))
    this.#take(answer.payload, answer.asOf)
    return this
  }

  /** Cancels the rest of the order. Fills remain. */
  async cancel(): Promise<this> {
    let answer: Answer
    try {
      answer = await this.#client.send(cancelOrder(this.id))
    } catch (error) {
      // The first try got no answer, and may be the reason for this refusal.
      if (error instanceof ApiError && error.isRepeated && error.code === 'ORDER_NOT_OPEN') {
        await this.refresh()
        if (this.status === 'cancelled') return this
      }
      throw error
    }
    this.#take(member(answer.payload, 'cancel')['order'], answer.asOf)
    return this
  }

  /** Sets a new price, a new total size in shares (the filled part included), or both. */
  async amend(terms: { readonly price?: Numeric; readonly size?: Numeric }): Promise<this> {
    const batch = await this.#client.amend([{ orderId: this.id, ...terms }])
    const [item] = batch.results
    if (!item) throw new BellwetherError(`the amend of order ${this.id} has no result`)
    const amended = item.placed()
    Object.assign(this, amended)
    this.#asOf = amended.asOf
    return this
  }

  /**
   * Waits until the order is filled, cancelled, expired or rejected. Throws `WaitTimedOut` after `timeoutSeconds`; the
   * order then stays as it is.
   */
  async wait(options: { readonly timeoutSeconds?: number } = {}): Promise<this> {
    const began = performance.now()
    await this.refresh()
    while (this.isOpen) {
      const left = (options.timeoutSeconds ?? Infinity) - (performance.now() - began) / 1000
      if (left <= 0) throw new WaitTimedOut(`order ${this.id} is still ${this.status}`)
      if (await this.#hasChanged(Math.floor(Math.min(POLL_SECONDS, Math.max(1, left))))) await this.refresh()
    }
    return this
  }

  /** Waits for a change of the account, and says whether it concerns this order. */
  async #hasChanged(seconds: number): Promise<boolean> {
    const parameters = { after: this.#asOf ?? 0, wait: seconds }
    const answer = await this.#client.send(read('/v1/pm/account/changes', parameters, 'read', seconds + 10))
    const payload = member(answer.payload, 'changes')
    this.#asOf = count.read(payload['sequence'], 'sequence')
    return items(payload['changes'], 'changes').some((value) => {
      const change = member(value, 'change')
      if (change['type'] === 'snapshot') return true
      const orders = items(member(change['data'], 'data')['orders'] ?? [], 'orders')
      return orders.some((item) => member(member(item, 'item')['order'], 'order')['id'] === this.id)
    })
  }

  #take(payload: Json | undefined, asOf: number | undefined): void {
    Object.assign(this, readShape(orderShape, payload, 'order'))
    this.#asOf = asOf
  }
}

/** The result of one item of a batch: an order, or an error. */
export class BatchItem {
  readonly index: number
  readonly success: boolean
  readonly order?: Order
  readonly orderId?: string
  readonly clientOrderId?: string
  readonly error?: ItemError

  constructor(client: Client, payload: Json, asOf?: number) {
    const fields = member(payload, 'item')
    this.index = count.read(fields['index'], 'item.index')
    this.success = flag.read(fields['success'], 'item.success')
    const order = fields['order']
    if (order !== undefined && order !== null) this.order = new Order(client, order, asOf)
    const orderId = optional(text).read(fields['orderId'], 'item.orderId')
    if (orderId !== undefined) this.orderId = orderId
    const clientOrderId = optional(text).read(fields['clientOrderId'], 'item.clientOrderId')
    if (clientOrderId !== undefined) this.clientOrderId = clientOrderId
    const error = optional(object(itemErrorShape)).read(fields['error'], 'item.error')
    if (error !== undefined) this.error = error
  }

  /** The order. Throws the item's error if it failed. */
  placed(): Order {
    if (this.order) return this.order
    const { error } = this
    const words = error ? `${error.reason || error.code}: ${error.message}` : 'no order'
    throw new BellwetherError(`item ${this.index} failed: ${words}`)
  }
}

/** The results of a batch, in the order of its items. Items succeed and fail one by one. */
export class Batch {
  readonly results: readonly BatchItem[]
  readonly summary: Summary

  constructor(client: Client, answer: Answer) {
    const payload = member(answer.payload, 'batch')
    this.results = items(payload['results'], 'results').map((item) => new BatchItem(client, item, answer.asOf))
    this.summary = readShape(summaryShape, payload['summary'], 'summary')
  }

  /** The orders of the items that succeeded. */
  get orders(): Order[] {
    return this.results.map((item) => item.order).filter((order) => order !== undefined)
  }

  /** The items that failed. */
  get failures(): BatchItem[] {
    return this.results.filter((item) => !item.success)
  }
}
