/** Events, markets and outcomes that can be read and traded. */

import type { SideName } from './book.js'
import type { Client, FollowOptions, OrderFilters, TradeFilters } from './client.js'
import { Decimal, type Numeric } from './decimal.js'
import type { Json } from './json.js'
import {
  candleShape,
  quoteShape,
  tickerShape,
  type Book,
  type Candle,
  type Quote,
  type Ticker,
  type Trade,
} from './models/data.js'
import { eventShape, marketShape, type EventData, type MarketData } from './models/market.js'
import { mintedShape, type Minted } from './models/order.js'
import { items, member, readShape } from './models/shape.js'
import { Order } from './order.js'
import type { Pager } from './pager.js'
import { read } from './requests/base.js'
import { burn, mint, placeOrder, quoteOrder, type NewOrder, type OrderTerms, type Side } from './requests/trading.js'
import type { MarketStream } from './stream.js'
import { isSameText, part } from './text.js'

/** A write that may carry a key of your own. Without one it gets a random key. */
export interface Keyed {
  /** The same key and the same terms are executed once, for a day. Without it each order gets a key for ten minutes. */
  readonly idempotencyKey?: string
}

/** Which candles to read. */
export interface CandleOptions {
  /** 1m, 5m, 15m, 1h, 6h or 1d; 1h by default. */
  readonly interval?: string
  /** YES by default. */
  readonly outcome?: SideName
  readonly since?: Date | string
  readonly until?: Date | string
}

/** A question with two outcomes: `market.yes` and `market.no`. */
export interface Market extends MarketData {}

/** A question with two outcomes: `market.yes` and `market.no`. */
export class Market {
  /** The id of the market's event. */
  readonly eventId: string
  /** The currency that the market was read in, and that its methods trade in. */
  readonly currency: string
  /** The first outcome, whatever its label. */
  readonly yes: Outcome
  /** The second outcome. */
  readonly no: Outcome
  readonly #client: Client

  constructor(client: Client, payload: Json, eventId: string, currency: string) {
    this.#client = client
    this.eventId = eventId
    this.currency = currency
    Object.assign(this, readShape(marketShape, payload, 'market'))
    this.yes = new Outcome(this, client, 'YES')
    this.no = new Outcome(this, client, 'NO')
  }

  /** The outcome with this label, such as "Up", or YES or NO. */
  outcome(label: string): Outcome {
    const found = [this.yes, this.no].find(
      (outcome) => isSameText(label, outcome.label) || isSameText(label, outcome.sideName),
    )
    if (found) return found
    throw new RangeError(`${this.title} has the outcomes ${this.outcome1Label} and ${this.outcome2Label}, not ${label}`)
  }

  /** Reads the market again: prices, status, result. */
  async refresh(): Promise<this> {
    const event = await this.#client.event(this.eventId, { currency: this.currency })
    const { yes, no, ...fields } = event.find(this.id)
    Object.assign(this, fields)
    return this
  }

  /** Turns money into pairs of YES and NO shares. */
  async mint(amount: Numeric, options: Keyed = {}): Promise<Minted> {
    const answer = await this.#client.send(mint(this.id, amount, this.currency, options.idempotencyKey))
    return readShape(mintedShape, answer.payload, 'mint')
  }

  /** Turns pairs of YES and NO shares into this much money. */
  async burn(amount: Numeric, options: Keyed = {}): Promise<Minted> {
    const answer = await this.#client.send(burn(this.id, amount, this.currency, options.idempotencyKey))
    return readShape(mintedShape, answer.payload, 'burn')
  }

  /** Cancels your open orders in this market and currency. */
  cancelAll(): Promise<Order[]> {
    return this.#client.cancelAll({ marketId: this.id, currency: this.currency })
  }

  /** The market's trades, the newest first. */
  trades(filters: TradeFilters = {}): Pager<Trade> {
    return this.#client.trades({ ...filters, marketId: this.id })
  }

  /** Your orders in this market, the newest first. */
  orders(filters: OrderFilters = {}): Pager<Order> {
    return this.#client.orders({ ...filters, marketId: this.id })
  }

  /** Open, high, low, close and volume of each interval. */
  async candles(options: CandleOptions = {}): Promise<Candle[]> {
    const { interval = '1h', outcome = 'YES', since, until } = options
    const parameters = { interval, outcome, currency: this.currency, from: since, to: until }
    const answer = await this.#client.send(read(`/v1/pm/markets/${part(this.id)}/candles`, parameters))
    const rows = items(member(answer.payload, 'candles')['candles'], 'candles')
    return rows.map((row) => readShape(candleShape, row, 'candle'))
  }

  /** A stream of this market, with a local book. */
  follow(options: FollowOptions = {}): MarketStream {
    return this.#client.follow([this.id], { ...options, currency: options.currency ?? this.currency })
  }
}

/** One side of a market, and the way to trade it. */
export class Outcome {
  /** YES for the first outcome, NO for the second. */
  readonly sideName: SideName
  readonly #market: Market
  readonly #client: Client

  constructor(market: Market, client: Client, sideName: SideName) {
    this.sideName = sideName
    this.#market = market
    this.#client = client
  }

  /** The outcome's id. */
  get id(): string {
    return this.#isFirst ? this.#market.outcome1Id : this.#market.outcome2Id
  }

  /** The outcome's label, such as YES or Up. */
  get label(): string {
    return this.#isFirst ? this.#market.outcome1Label : this.#market.outcome2Label
  }

  /** The price when the market was read. */
  get price(): Decimal {
    return this.#isFirst ? this.#market.outcome1Price : this.#market.outcome2Price
  }

  /** What a share cost when the market was read; 0 if none was offered. */
  get buyPrice(): Decimal {
    return this.#isFirst ? this.#market.yesBuyPrice : this.#market.noBuyPrice
  }

  /** An order of this outcome, not placed yet: for a batch, or for `quoteOrder`. */
  newOrder(side: Side, terms: OrderTerms): NewOrder {
    return { ...terms, outcomeId: this.id, side, currency: this.#market.currency }
  }

  /**
   * Buys for an amount of money (`buy(10)`), or as the terms say (`buy({ quantity: 50, price: '0.4' })`). With a
   * `price` it is a limit order.
   */
  buy(amount: Numeric, terms?: OrderTerms & Keyed): Promise<Order>
  buy(terms: OrderTerms & Keyed): Promise<Order>
  buy(first: Numeric | (OrderTerms & Keyed), more: OrderTerms & Keyed = {}): Promise<Order> {
    return this.#send('BUY', isNumeric(first) ? { ...more, amount: first } : first)
  }

  /** Sells `quantity` shares, or shares for `amount` of money. The name is needed: both are plausible. */
  sell(terms: OrderTerms & Keyed): Promise<Order> {
    return this.#send('SELL', terms)
  }

  /** Places an order made by `newOrder`. */
  async place(order: NewOrder, options: Keyed = {}): Promise<Order> {
    const { eventId, id } = this.#market
    const answer = await this.#client.send(placeOrder(eventId, id, order, options.idempotencyKey))
    return new Order(this.#client, member(answer.payload, 'answer')['order'], answer.asOf)
  }

  /** What a market order would do now: for an amount of money, or for a quantity of shares. */
  quote(side: Side, size: Numeric | { readonly quantity: Numeric }): Promise<Quote> {
    const terms = isNumeric(size) ? { amount: size } : { quantity: size.quantity }
    return this.#quote(this.newOrder(side, terms), false)
  }

  /** What exactly this order would do now; `quote.order` has its status, its rest and its refusal. */
  quoteOrder(order: NewOrder): Promise<Quote> {
    return this.#quote(order, true)
  }

  /** The book of this outcome. */
  async book(depth = 99): Promise<Book> {
    const [book] = await this.#client.books([this.id], { depth, currency: this.#market.currency })
    if (!book) throw new RangeError(`${this.#market.title} has no book`)
    return book
  }

  /** The state of this outcome now and over the last 24 hours. Pools have no ticker. */
  async ticker(): Promise<Ticker> {
    const parameters = { outcome: this.sideName, currency: this.#market.currency }
    const answer = await this.#client.send(read(`/v1/pm/markets/${part(this.#market.id)}/ticker`, parameters))
    return readShape(tickerShape, answer.payload, 'ticker')
  }

  get #isFirst(): boolean {
    return this.sideName === 'YES'
  }

  #send(side: Side, terms: OrderTerms & Keyed): Promise<Order> {
    const { idempotencyKey, ...order } = terms
    return this.place(this.newOrder(side, order), idempotencyKey === undefined ? {} : { idempotencyKey })
  }

  async #quote(order: NewOrder, asOrder: boolean): Promise<Quote> {
    const { eventId, id } = this.#market
    const answer = await this.#client.send(quoteOrder(eventId, id, order, asOrder))
    return readShape(quoteShape, answer.payload, 'quote')
  }
}

/** A subject with one or more markets. */
export interface Event extends EventData {}

/** A subject with one or more markets. */
export class Event {
  /** The event's markets. */
  readonly markets: readonly Market[]
  readonly #asOf: number | undefined

  constructor(client: Client, payload: Json, currency: string, asOf?: number) {
    Object.assign(this, readShape(eventShape, payload, 'event'))
    const rows = items(member(payload, 'event')['markets'], 'event.markets')
    this.markets = rows.map((row) => new Market(client, row, this.id, currency))
    this.#asOf = asOf
  }

  /** The sequence of the exchange's state that this was read from; undefined if the answer had none. */
  get asOf(): number | undefined {
    return this.#asOf
  }

  /** The only market. Throws an error if there are several. */
  get market(): Market {
    const [market] = this.markets
    if (!market || this.markets.length !== 1) {
      throw new RangeError(`${this.title} has ${this.markets.length} markets: choose one of event.markets`)
    }
    return market
  }

  /** The market with this id, or with this title in any case. */
  find(title: string): Market {
    const found = this.markets.find((market) => market.id === title || isSameText(market.title, title))
    if (found) return found
    throw new RangeError(`${this.title} has no market ${JSON.stringify(title)}`)
  }
}

function isNumeric(value: Numeric | object): value is Numeric {
  return typeof value !== 'object' || value instanceof Decimal
}
