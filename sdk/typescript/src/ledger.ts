/** A copy of an account, kept current by the changes of its stream: open orders, wallets, positions. */

import { Trust } from './book.js'
import type { Decimal } from './decimal.js'
import type { Json, JsonObject } from './json.js'
import { isOpenStatus, orderShape, type OrderData } from './models/order.js'
import { decimal, items, member, readShape, text, type Shape } from './models/shape.js'

/** The money of one currency. */
export interface LocalWallet {
  readonly available: Decimal
  /** Held by open orders. */
  readonly pending: Decimal
}

/** Shares of one outcome in one currency. */
export interface LocalPosition {
  readonly marketId: string
  readonly outcomeId: string
  readonly outcome: string
  readonly currency: string
  readonly balance: Decimal
  readonly availableBalance: Decimal
  readonly cost: Decimal
}

const positionShape: Shape<LocalPosition> = {
  marketId: text,
  outcomeId: text,
  outcome: text,
  currency: text,
  balance: decimal,
  availableBalance: decimal,
  cost: decimal,
}

/** Open orders by id, wallets by currency, and positions. */
export class LocalAccount {
  readonly trust = new Trust()
  readonly orders = new Map<string, OrderData>()
  readonly wallets = new Map<string, LocalWallet>()
  readonly #positions = new Map<string, LocalPosition>()

  /** Whether this is the exchange's account at `sequence`, over a live connection. */
  get isTrusted(): boolean {
    return this.trust.isTrusted
  }

  /** The last request that the copy includes. */
  get sequence(): number {
    return this.trust.sequence
  }

  /** All positions. */
  get positions(): LocalPosition[] {
    return [...this.#positions.values()]
  }

  /** The shares of an outcome in a currency; undefined if there are none. */
  position(outcomeId: string, currency = 'USD'): LocalPosition | undefined {
    return this.#positions.get(placeOf(outcomeId, currency))
  }

  /** Discards the state, as a snapshot demands. */
  clear(): void {
    this.orders.clear()
    this.wallets.clear()
    this.#positions.clear()
  }

  /** Applies the data of a snapshot or a delta. Each item replaces the older one. */
  apply(data: JsonObject): void {
    for (const change of items(data['orders'] ?? [], 'orders')) this.#applyOrder(change)
    for (const wallet of items(data['wallets'] ?? [], 'wallets')) this.#applyWallet(wallet)
    for (const position of items(data['positions'] ?? [], 'positions')) this.#applyPosition(position)
  }

  #applyOrder(change: Json): void {
    const order = readShape(orderShape, member(change, 'orders')['order'], 'order')
    if (isOpenStatus(order.status)) this.orders.set(order.id, order)
    else this.orders.delete(order.id)
  }

  #applyWallet(value: Json): void {
    const wallet = member(value, 'wallets')
    this.wallets.set(text.read(wallet['currency'], 'wallet.currency'), {
      available: decimal.read(wallet['availableBalance'], 'wallet.availableBalance'),
      pending: decimal.read(wallet['pendingBalance'], 'wallet.pendingBalance'),
    })
  }

  #applyPosition(value: Json): void {
    const position = readShape(positionShape, value, 'position')
    const place = placeOf(position.outcomeId, position.currency)
    if (position.balance.isZero()) this.#positions.delete(place)
    else this.#positions.set(place, position)
  }
}

function placeOf(outcomeId: string, currency: string): string {
  return `${outcomeId} ${currency}`
}
