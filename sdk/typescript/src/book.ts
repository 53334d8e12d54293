/**
 * A copy of a market's book, kept current by the changes of its stream.
 *
 * A book can be stale: the connection may be down, or a change may have been missed. `isTrusted` says so. Ask it before
 * you trade on a book.
 */

import { Decimal } from './decimal.js'
import type { JsonObject } from './json.js'
import { marketTermsShape, type MarketTerms } from './models/market.js'
import { count, decimal, items, member, optional, readShape, text, type Shape } from './models/shape.js'

/** All resting shares at one price. */
export interface BookLevel {
  readonly price: Decimal
  readonly quantity: Decimal
}

const levelShape: Shape<BookLevel> = { price: decimal, quantity: decimal }

/** YES for a market's first outcome, NO for its second. */
export type SideName = 'YES' | 'NO'

/** Whether a copy equals the exchange's state at `sequence`, and if not, why. */
export class Trust {
  /** The last request that the copy includes. */
  sequence = 0
  /** Up to this request nothing else has changed. */
  head = 0
  isTrusted = false
  reason = 'no snapshot yet'
}

/** The four prices of a market. */
export interface MarketPrices {
  readonly outcome1Price: Decimal
  readonly outcome2Price: Decimal
  readonly yesBuyPrice: Decimal
  readonly noBuyPrice: Decimal
}

const pricesShape: Shape<MarketPrices> = {
  outcome1Price: decimal,
  outcome2Price: decimal,
  yesBuyPrice: decimal,
  noBuyPrice: decimal,
}

/** The book, the prices and the status of one market in one currency. */
export class LocalBook {
  readonly marketId: string
  readonly currency: string
  readonly trust = new Trust()
  eventId = ''
  engine = ''
  status = ''
  /** Undefined before the first snapshot. */
  prices: MarketPrices | undefined
  /** The fee and the minimum of orders to come. Undefined before the first snapshot. */
  terms: MarketTerms | undefined
  /** The price of the last trade, from the side of the first outcome. */
  lastPrice: Decimal | undefined
  /** The taker's side in the last trade, from the side of the first outcome. */
  lastSide: string | undefined
  /** The proposal, the last verdict and the result, as docs/streams.md describes them. */
  resolution: JsonObject = {}
  // By the text of the price: equal decimals have equal texts.
  readonly #bids = new Map<string, BookLevel>()
  readonly #asks = new Map<string, BookLevel>()

  constructor(marketId: string, currency: string) {
    this.marketId = marketId
    this.currency = currency
  }

  /** Whether this is the exchange's book at `sequence`, over a live connection. */
  get isTrusted(): boolean {
    return this.trust.isTrusted
  }

  /** The last request that the book includes. */
  get sequence(): number {
    return this.trust.sequence
  }

  /** The bids of an outcome, the highest first. The book of NO mirrors that of YES. */
  bids(outcome: SideName = 'YES'): BookLevel[] {
    return isSecond(outcome) ? mirrored(ascending(this.#asks)) : ascending(this.#bids).reverse()
  }

  /** The asks of an outcome, the lowest first. */
  asks(outcome: SideName = 'YES'): BookLevel[] {
    return isSecond(outcome) ? mirrored(ascending(this.#bids).reverse()) : ascending(this.#asks)
  }

  /** The highest bid; undefined if there is none. */
  bestBid(outcome: SideName = 'YES'): BookLevel | undefined {
    return this.bids(outcome)[0]
  }

  /** The lowest ask; undefined if there is none. */
  bestAsk(outcome: SideName = 'YES'): BookLevel | undefined {
    return this.asks(outcome)[0]
  }

  /** The middle of the best bid and ask; undefined unless both exist. */
  mid(outcome: SideName = 'YES'): Decimal | undefined {
    const bid = this.bestBid(outcome)
    const ask = this.bestAsk(outcome)
    return bid && ask && bid.price.plus(ask.price).times('0.5')
  }

  /** Discards the state, as a snapshot demands. */
  clear(): void {
    this.#bids.clear()
    this.#asks.clear()
    this.prices = undefined
    this.terms = undefined
    this.resolution = {}
    this.status = ''
    this.lastPrice = undefined
    this.lastSide = undefined
  }

  /** Applies the data of a snapshot or a delta. Quantities are absolute; 0 removes a level. */
  apply(data: JsonObject): void {
    replace(this.#bids, data, 'bids')
    replace(this.#asks, data, 'asks')
    this.eventId = optional(text).read(data['eventId'], 'eventId') ?? this.eventId
    this.engine = optional(text).read(data['engine'], 'engine') ?? this.engine
    this.status = optional(text).read(data['status'], 'status') ?? this.status
    if (data['prices'] !== undefined) this.prices = readShape(pricesShape, data['prices'], 'prices')
    if (data['terms'] !== undefined) this.terms = readShape(marketTermsShape, data['terms'], 'terms')
    if (data['resolution'] !== undefined) this.resolution = member(data['resolution'], 'resolution')
    if (data['lastTrade'] !== undefined) {
      const last = member(data['lastTrade'], 'lastTrade')
      this.lastPrice = decimal.read(last['price'], 'lastTrade.price')
      this.lastSide = text.read(last['side'], 'lastTrade.side')
    }
  }
}

/** A sequence in a message. */
export function sequenceOf(message: JsonObject, name: string): number {
  return count.read(message[name], name)
}

function isSecond(outcome: SideName): boolean {
  if (outcome !== 'YES' && outcome !== 'NO') throw new RangeError(`an outcome is YES or NO, not ${String(outcome)}`)
  return outcome === 'NO'
}

function ascending(levels: ReadonlyMap<string, BookLevel>): BookLevel[] {
  return [...levels.values()].sort((one, other) => one.price.compare(other.price))
}

function mirrored(levels: readonly BookLevel[]): BookLevel[] {
  return levels.map(({ price, quantity }) => ({ price: new Decimal(1).minus(price), quantity }))
}

function replace(levels: Map<string, BookLevel>, data: JsonObject, side: string): void {
  if (data[side] === undefined) return
  for (const item of items(data[side], side)) {
    const level = readShape(levelShape, item, side)
    if (level.quantity.isZero()) levels.delete(level.price.toString())
    else levels.set(level.price.toString(), level)
  }
}
