/**
 * The recipe of the channel `changes`: applies snapshots, deltas and heartbeats to a local copy, and notices gaps.
 *
 * Nothing here touches a socket. `Room.accept` takes one message and returns the update for the caller.
 * `Room.needsRestart` is set when a change was missed, and the stream then subscribes again without a sequence.
 */

import { sequenceOf, type Trust } from './book.js'
import type { Decimal } from './decimal.js'
import type { Encodable, JsonObject } from './json.js'
import { tradeShape, type Trade } from './models/data.js'
import { orderShape, type OrderData } from './models/order.js'
import { decimal, items, member, object, readShape, text, type Shape } from './models/shape.js'

/** What a step of a stream is. */
export type UpdateKind = 'snapshot' | 'delta' | 'heartbeat' | 'untrusted'

/** A local copy of something that the exchange changes. */
export interface Copy {
  readonly trust: Trust
  /** Discards the state. */
  clear(): void
  /** Applies a snapshot's or a delta's data. */
  apply(data: JsonObject): void
}

/** Your side of a trade. */
export interface Fill {
  readonly tradeId: string
  readonly orderId: string
  readonly marketId: string
  readonly outcome: string
  readonly side: string
  readonly price: Decimal
  readonly quantity: Decimal
  readonly fee: Decimal
  readonly currency: string
  readonly role: string
}

const fillShape: Shape<Fill> = {
  tradeId: text,
  orderId: text,
  marketId: text,
  outcome: text,
  side: text,
  price: decimal,
  quantity: decimal,
  fee: decimal,
  currency: text,
  role: text,
}

/** One step of a stream. The local copy already includes it. */
export class Update {
  readonly kind: UpdateKind
  readonly room: string
  /** The last request that the copy includes. */
  readonly sequence: number
  /** Up to this request nothing else has changed. */
  readonly head: number
  /** Milliseconds since 1970, by the exchange's journal; 0 for `untrusted`. */
  readonly timestamp: number
  /** Why the copy is not to be trusted; empty otherwise. */
  readonly reason: string
  /** The message's data. */
  readonly data: JsonObject

  constructor(kind: UpdateKind, room: string, trust: Trust, timestamp: number, reason: string, data: JsonObject) {
    this.kind = kind
    this.room = room
    this.sequence = trust.sequence
    this.head = trust.head
    this.timestamp = timestamp
    this.reason = reason
    this.data = data
  }

  /** The trades of a market's delta. */
  get trades(): Trade[] {
    return this.#list('trades').map((trade) => readShape(tradeShape, trade, 'trade'))
  }

  /** Every state that your orders reached in an account's delta, in order. */
  get orders(): OrderData[] {
    const field = object(orderShape)
    return this.#list('orders').map((change) => field.read(member(change, 'orders')['order'], 'order'))
  }

  /** Your sides of the trades of an account's delta. */
  get fills(): Fill[] {
    return this.#list('fills').map((fill) => readShape(fillShape, fill, 'fill'))
  }

  #list(name: string) {
    return items(this.data[name] ?? [], name)
  }
}

/** One subscription and the copy that it keeps current. */
export class Room<CopyType extends Copy> {
  readonly name: string
  readonly copy: CopyType
  /** What a subscription names: a market and its currency, or the account. */
  readonly subject: { readonly [name: string]: Encodable }
  #hasState = false
  #needsRestart = false

  constructor(name: string, copy: CopyType, subject: { readonly [name: string]: Encodable } = {}) {
    this.name = name
    this.copy = copy
    this.subject = subject
  }

  /** Whether a change was missed: only a snapshot helps. */
  get needsRestart(): boolean {
    return this.#needsRestart
  }

  /** The sequence to continue from; undefined to start over. */
  get resumeFrom(): number | undefined {
    if (!this.#hasState || this.#needsRestart) return undefined
    return Math.max(this.copy.trust.sequence, this.copy.trust.head)
  }

  /** Applies one message of this room. Undefined: the copy already has it, or waits for a snapshot. */
  accept(message: JsonObject): Update | undefined {
    try {
      if (message['type'] === 'snapshot') return this.#acceptSnapshot(message)
      if (this.#needsRestart || !this.#hasState) return undefined
      return message['type'] === 'delta' ? this.#acceptDelta(message) : this.#acceptHeartbeat(message)
    } catch (error) {
      // The message may be half applied.
      this.#needsRestart = true
      throw error
    }
  }

  /** Marks the copy as not to be trusted. Undefined if it already was. */
  distrust(reason: string): Update | undefined {
    const { trust } = this.copy
    const wasTrusted = trust.isTrusted
    trust.isTrusted = false
    trust.reason = reason
    return wasTrusted ? new Update('untrusted', this.name, trust, 0, reason, {}) : undefined
  }

  #acceptSnapshot(message: JsonObject): Update {
    const sequence = sequenceOf(message, 'sequence')
    this.copy.clear()
    this.copy.apply(member(message['data'], 'data'))
    this.#hasState = true
    this.#needsRestart = false
    return this.#trusted('snapshot', message, sequence, sequence)
  }

  #acceptDelta(message: JsonObject): Update | undefined {
    const { trust } = this.copy
    const sequence = sequenceOf(message, 'sequence')
    if (sequence <= trust.sequence) return undefined
    // A heartbeat said that nothing changed up to `head`: a change below it means that one of both is wrong.
    const mine = Math.max(trust.sequence, trust.head)
    if (sequenceOf(message, 'previousSequence') > mine || sequence <= trust.head) {
      return this.#missed(`the change before ${sequence} did not arrive`)
    }
    this.copy.apply(member(message['data'], 'data'))
    return this.#trusted('delta', message, sequence, sequence)
  }

  #acceptHeartbeat(message: JsonObject): Update | undefined {
    const { trust } = this.copy
    const sequence = sequenceOf(message, 'sequence')
    if (sequence > Math.max(trust.sequence, trust.head)) {
      return this.#missed(`the change ${sequence} did not arrive`)
    }
    return this.#trusted('heartbeat', message, trust.sequence, sequenceOf(message, 'head'))
  }

  #missed(reason: string): Update | undefined {
    this.#needsRestart = true
    return this.distrust(reason)
  }

  #trusted(kind: UpdateKind, message: JsonObject, sequence: number, head: number): Update {
    const { trust } = this.copy
    trust.sequence = sequence
    trust.head = Math.max(sequence, head)
    trust.isTrusted = true
    trust.reason = ''
    const data = message['data'] === undefined ? {} : member(message['data'], 'data')
    return new Update(kind, this.name, trust, sequenceOf(message, 'timestamp'), '', data)
  }
}
