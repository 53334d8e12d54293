/** The client of an exchange. */

import type { Encodable, Json } from './json.js'
import { Connection, SILENCE_SECONDS } from './connection.js'
import { Event, type Keyed, type Market } from './market.js'
import {
  activityShape,
  authCheckShape,
  issuedKeyShape,
  movementShape,
  pnlShape,
  positionShape,
  versionShape,
  walletShape,
  type Activity,
  type AuthCheck,
  type IssuedKey,
  type Movement,
  type Pnl,
  type Position,
  type Version,
  type Wallet,
} from './models/account.js'
import { bookShape, seriesPointShape, tradeShape, type Book, type PricePoint, type Trade } from './models/data.js'
import { leanEventShape, seriesShape, type LeanEvent, type Series } from './models/market.js'
import { batchCancelShape, type BatchCancel } from './models/order.js'
import { items, member, object, readShape, text, type Shape } from './models/shape.js'
import { Batch, Order } from './order.js'
import { Pager, type Source } from './pager.js'
import { read, write, type Request } from './requests/base.js'
import { createKey, login } from './requests/session.js'
import {
  amendBatch,
  cancelAfter,
  cancelAll,
  cancelBatch,
  getOrder,
  placeBatch,
  type Amendment,
  type CancelConditions,
  type NewOrder,
} from './requests/trading.js'
import { checkedRetrySeconds, RETRY_SECONDS } from './retry.js'
import { settingsFromDemo, settingsFromEnv } from './settings.js'
import { Credentials, USER_STREAM } from './signing.js'
import { AccountStream, endpoint, Listener, MarketStream } from './stream.js'
import { isId, part } from './text.js'
import { Transport } from './transport.js'
import type { Answer } from './wire.js'

const TIMEOUT_SECONDS = 10
/** Twice the interval of the exchange's pings: channels without changes have no heartbeats. */
const LISTEN_SILENCE_SECONDS = 120

/** How a client behaves. */
export interface ClientOptions {
  /** The currency of what is read and traded, unless a call names another: USD by default. */
  readonly currency?: string
  /** How long a request is tried, from 0 (once) to 300 seconds; 60 by default. */
  readonly retrySeconds?: number
  /** How long one try may take; 10 seconds by default. */
  readonly timeoutSeconds?: number
  /** Called with a line for each repeated request and each deprecated route. */
  readonly log?: (line: string) => void
}

/** Where the exchange is, and as whom to act. */
export interface ClientSettings extends ClientOptions {
  /** Such as `http://127.0.0.1:8080`, without a path before `/v1`. */
  readonly baseUrl: string
  /** Reads the account. */
  readonly publicKey?: string
  /** Signs what changes the account. */
  readonly secretKey?: string
}

/** Another currency than the client's. */
export interface InCurrency {
  readonly currency?: string
}

/** The rows of a page. */
export interface Paged {
  readonly size?: number
}

/** Which events to list. */
export interface EventFilters extends Paged, InCurrency {
  readonly keyword?: string
  readonly q?: string
  readonly category?: string
  readonly subcategory?: string
  readonly status?: string
  readonly type?: string
  readonly engine?: string
  readonly trending?: boolean
  readonly watchlist?: boolean
  readonly seriesSlug?: string
  readonly sportGameSlug?: string
}

/** Which trades to list. */
export interface TradeFilters extends Paged {
  /** CLOB by default; AMM for pools, or ALL. */
  readonly engine?: string
  readonly marketId?: string
  readonly orderId?: string
  readonly outcomeId?: string
  readonly userId?: string
  readonly fromDate?: Date | string
  readonly toDate?: Date | string
}

/** Which of your orders to list. */
export interface OrderFilters extends Paged, InCurrency {
  readonly side?: string
  readonly status?: string
  readonly eventId?: string
  readonly marketId?: string
  readonly outcomeId?: string
  readonly clientOrderId?: string
}

/** Which of your positions to list. */
export interface PositionFilters extends Paged, InCurrency {
  readonly marketId?: string
  readonly eventId?: string
}

/** Which activities to list. */
export interface ActivityFilters extends Paged {
  /** buys, sells, limits, payout or sets. */
  readonly type?: string
}

/** The period of a result. */
export interface PnlOptions extends InCurrency {
  /** 12H, 24H, 1W, 1M or 1Y. */
  readonly timePeriod?: string
  readonly start?: Date | string
  readonly end?: Date | string
}

/** How a stream behaves. */
export interface FollowOptions extends InCurrency {
  /** A longer silence counts as the end of the connection; 10 seconds by default. */
  readonly silenceSeconds?: number
  /** Ends the stream when it is aborted, such as `AbortSignal.timeout(5000)`. */
  readonly signal?: AbortSignal
}

/**
 * A client of an exchange, with the key of one account or without a key.
 *
 * Without keys it reads public data. With `publicKey` it reads the account; with `secretKey` it trades.
 */
export class Client {
  /** The address of the exchange. */
  readonly baseUrl: string
  /** The currency of what is read and traded, unless a call names another. */
  readonly currency: string
  // Private: neither console.log nor JSON.stringify shows the keys.
  readonly #transport: Transport

  constructor(settings: ClientSettings) {
    const { publicKey, secretKey, retrySeconds = RETRY_SECONDS, timeoutSeconds = TIMEOUT_SECONDS, log } = settings
    this.baseUrl = settings.baseUrl.replace(/\/+$/, '')
    this.currency = settings.currency ?? 'USD'
    this.#transport = new Transport({
      baseUrl: this.baseUrl,
      credentials: publicKey ? new Credentials(publicKey, secretKey || undefined) : undefined,
      retrySeconds: checkedRetrySeconds(retrySeconds),
      timeoutSeconds,
      log,
    })
  }

  /** A client from `BASE_URL`, `PUBLIC_KEY`, `SECRET_KEY`, or from the demo's file that `DEMO` names. On Node. */
  static fromEnv(options: ClientOptions = {}): Client {
    return new Client({ ...options, ...settingsFromEnv() })
  }

  /** A client of a running `bellwether demo`, as its n-th person. On Node. */
  static fromDemo(file = 'data/demo.json', user = 1, options: ClientOptions = {}): Client {
    return new Client({ ...options, ...settingsFromDemo(file, user) })
  }

  // Events and market data

  /** An event by its slug or its id. */
  async event(name: string, options: InCurrency = {}): Promise<Event> {
    const path = isId(name) ? `/v1/pm/events/${part(name)}` : `/v1/pm/events/slug/${part(name)}`
    const currency = options.currency ?? this.currency
    const answer = await this.send(read(path, { currency }))
    return new Event(this, answer.payload, currency, answer.asOf)
  }

  /** A market by its id. */
  async market(marketId: string, options: InCurrency = {}): Promise<Market> {
    const currency = options.currency ?? this.currency
    const answer = await this.send(read(`/v1/pm/markets/${part(marketId)}/changes`, { currency }))
    const [snapshot] = items(member(answer.payload, 'changes')['changes'], 'changes')
    const data = member(member(snapshot, 'snapshot')['data'], 'data')
    const event = await this.event(text.read(data['eventId'], 'eventId'), { currency })
    return event.find(text.read(data['marketId'], 'marketId'))
  }

  /** Events. */
  events(filters: EventFilters = {}): Pager<Event> {
    const { size = 25, ...conditions } = filters
    const currency = filters.currency ?? this.currency
    return this.#pager({
      path: '/v1/pm/events',
      key: 'events',
      parameters: { ...conditions, currency },
      access: 'public',
      size,
      build: (row, answer) => new Event(this, row, currency, answer.asOf),
    })
  }

  /** Series of events, such as one for each hour of a price. */
  series(): Pager<Series> {
    return this.#rows('/v1/pm/events/series', 'series', seriesShape, { size: 50 }, 'public')
  }

  /** The current events of a series, the oldest first. */
  async seriesEvents(slug: string): Promise<LeanEvent[]> {
    const answer = await this.send(read(`/v1/pm/events/series/${part(slug)}/lean-events`))
    return items(answer.payload, 'events').map((row) => readShape(leanEventShape, row, 'event'))
  }

  /** The books of several outcomes, all at one sequence. */
  async books(outcomeIds: readonly string[], options: InCurrency & { readonly depth?: number } = {}): Promise<Book[]> {
    const { depth = 99, currency = this.currency } = options
    const answer = await this.send(read('/v1/pm/books', { 'outcomeId[]': outcomeIds, depth, currency }))
    return items(answer.payload, 'books').map((row) => {
      const book = readShape(bookShape, row, 'book')
      const [bestBid] = book.bids
      const [bestAsk] = book.asks
      return {
        ...book,
        ...(bestBid ? { bestBid } : {}),
        ...(bestAsk ? { bestAsk } : {}),
        ...(answer.asOf === undefined ? {} : { asOf: answer.asOf }),
      }
    })
  }

  /** Trades, the newest first. */
  trades(filters: TradeFilters = {}): Pager<Trade> {
    return this.#rows('/v1/pm/trades', 'data', tradeShape, filters, 'public')
  }

  /** Prices of each market's first outcome over 12H, 24H, 1W, 1M or 1Y (24H by default), by market id. */
  async priceHistory(
    eventId: string,
    options: InCurrency & { readonly timePeriod?: string } = {},
  ): Promise<Map<string, PricePoint[]>> {
    const { timePeriod = '24H', currency = this.currency } = options
    const path = `/v1/pm/events/${part(eventId)}/price-history`
    const answer = await this.send(read(path, { timePeriod, currency }))
    const markets = items(member(answer.payload, 'history')['markets'], 'markets').map((row) => {
      const market = member(row, 'market')
      const points = items(market['priceHistory'], 'priceHistory').map((row) => {
        const { e, p } = readShape(seriesPointShape, row, 'point')
        return { milliseconds: e, price: p }
      })
      return [text.read(market['marketId'], 'marketId'), points] as const
    })
    return new Map(markets)
  }

  // Orders

  /** One of your orders. */
  async order(orderId: string): Promise<Order> {
    const answer = await this.send(getOrder(orderId))
    return new Order(this, answer.payload, answer.asOf)
  }

  /** Your orders, the newest first. */
  orders(filters: OrderFilters = {}): Pager<Order> {
    const { size = 100, ...conditions } = filters
    return this.#pager({
      path: '/v1/pm/orders',
      key: 'orders',
      parameters: { ...conditions },
      access: 'read',
      size,
      build: (row, answer) => new Order(this, row, answer.asOf),
    })
  }

  /** Places 1 to 20 orders, one after another. Look at `batch.failures`: items fail one by one. */
  async place(orders: readonly NewOrder[], options: Keyed = {}): Promise<Batch> {
    return new Batch(this, await this.send(placeBatch(orders, options.idempotencyKey)))
  }

  /** Amends 1 to 20 orders. */
  async amend(amendments: readonly Amendment[]): Promise<Batch> {
    return new Batch(this, await this.send(amendBatch(amendments)))
  }

  /** Cancels 1 to 100 orders. */
  async cancel(orderIds: readonly string[]): Promise<BatchCancel> {
    const answer = await this.send(cancelBatch(orderIds))
    return readShape(batchCancelShape, answer.payload, 'cancel')
  }

  /** Cancels all your open orders that meet the conditions, and returns them. */
  async cancelAll(conditions: CancelConditions = {}, options: Keyed = {}): Promise<Order[]> {
    const answer = await this.send(cancelAll(conditions, options.idempotencyKey))
    const rows = items(member(answer.payload, 'cancel')['orders'], 'orders')
    return rows.map((row) => new Order(this, row, answer.asOf))
  }

  /** Sets the dead man's switch, and returns when it cancels all your orders. 0 disarms it, and returns undefined. */
  async cancelAfter(seconds: number): Promise<Date | undefined> {
    const answer = await this.send(cancelAfter(seconds))
    const moment = text.read(member(answer.payload, 'answer')['cancelAt'], 'cancelAt')
    return moment === '' ? undefined : new Date(moment)
  }

  // The account

  /** Your money, by currency. */
  async wallets(): Promise<Map<string, Wallet>> {
    const answer = await this.send(read('/v1/wallet/assets', {}, 'read'))
    const rows = items(member(answer.payload, 'wallets')['assets'], 'assets')
    const wallets = rows.map((row) => readShape(walletShape, row, 'wallet'))
    const asOf = answer.asOf === undefined ? {} : { asOf: answer.asOf }
    return new Map(wallets.map((wallet) => [wallet.symbol, { ...wallet, ...asOf }]))
  }

  /** Your shares. */
  positions(filters: PositionFilters = {}): Pager<Position> {
    return this.#rows('/v1/pm/portfolio', 'outcomeBalances', positionShape, filters, 'read')
  }

  /** What happened to your orders and positions. */
  activities(filters: ActivityFilters = {}): Pager<Activity> {
    return this.#rows('/v1/pm/activities', 'activities', activityShape, filters, 'read')
  }

  /** Every movement of your money in one currency, the newest first. */
  statement(filters: InCurrency & Paged = {}): Pager<Movement> {
    const conditions = { ...filters, currency: filters.currency ?? this.currency }
    return this.#rows('/v1/pm/statement', 'movements', movementShape, conditions, 'private')
  }

  /** What you won and lost, over a period or from `start` to `end`. */
  async pnl(options: PnlOptions = {}): Promise<Pnl> {
    const parameters = { ...options, currency: options.currency ?? this.currency }
    const answer = await this.send(read('/v1/pm/pnl', parameters, 'read'))
    return readShape(pnlShape, answer.payload, 'pnl')
  }

  /** Puts an event on your watchlist, or takes it off. */
  async watch(eventId: string, isWatched = true): Promise<void> {
    await this.send(write(isWatched ? 'PUT' : 'DELETE', `/v1/pm/events/${part(eventId)}/watchlist`))
  }

  /** Runs the exchange's verifier on a signed request that changes nothing: are the keys and the clock right? */
  async checkSignature(): Promise<AuthCheck> {
    const answer = await this.send(write('POST', '/v1/auth/check', {}))
    return readShape(authCheckShape, answer.payload, 'check')
  }

  /** Logs in and creates an API key. Keep the secret: the exchange shows it once. Not from a page of another origin. */
  async createKey(email: string, password: string, name: string): Promise<IssuedKey> {
    const begun = member((await this.send(login(email, password))).payload, 'login')
    const session = { token: text.read(begun['token'], 'token'), deviceId: text.read(begun['deviceId'], 'deviceId') }
    const answer = await this.send(createKey(session, name))
    const key = readShape(issuedKeyShape, answer.payload, 'key')
    // Hides the secret from logs.
    return Object.defineProperty(key, 'secretKey', { enumerable: false })
  }

  /** The build of the exchange. */
  async version(): Promise<Version> {
    return readShape(versionShape, (await this.send(read('/version'))).payload, 'version')
  }

  // Streams

  /** A stream of one or more markets, or their ids, with local books. */
  follow(markets: readonly (Market | string)[], options: FollowOptions = {}): MarketStream {
    const [first] = markets
    if (first === undefined) throw new RangeError('name at least one market to follow')
    const ids = markets.map((market) => (typeof market === 'string' ? market : market.id))
    const currency = options.currency ?? (typeof first === 'string' ? this.currency : first.currency)
    return new MarketStream(this.#connection('/ws/v1/markets', options.silenceSeconds), ids, currency, options.signal)
  }

  /** A stream of your account. With `cancelOnDisconnect`, its end cancels all your orders. */
  followAccount(
    options: Omit<FollowOptions, 'currency'> & { readonly cancelOnDisconnect?: boolean } = {},
  ): AccountStream {
    const { cancelOnDisconnect = false, silenceSeconds, signal } = options
    const connection = this.#connection(USER_STREAM, silenceSeconds)
    return new AccountStream(connection, this.#transport.credentials, cancelOnDisconnect, signal)
  }

  /** Messages of a channel, such as `listen('prices', { eventIds })` or `listen('asset_prices', { symbols })`. */
  listen(
    channel: string,
    subject: { readonly [name: string]: Encodable },
    options: Omit<FollowOptions, 'currency'> = {},
  ): Listener {
    const path = endpoint(channel)
    const { credentials } = this.#transport
    const auth = path === USER_STREAM && credentials ? { auth: { apiKey: credentials.publicKey } } : {}
    const connection = this.#connection(path, options.silenceSeconds ?? LISTEN_SILENCE_SECONDS)
    return new Listener(connection, { channel, ...subject, ...auth }, options.signal)
  }

  // For what has no method here

  /** Sends any request of `requests`, signed and repeated as it allows. */
  send(request: Request): Promise<Answer> {
    return this.#transport.send(request)
  }

  #connection(path: string, silenceSeconds = SILENCE_SECONDS): Connection {
    return new Connection(this.baseUrl.replace(/^http/, 'ws') + path, silenceSeconds)
  }

  #pager<Item extends object>(source: Omit<Source<Item>, 'send'>): Pager<Item> {
    return new Pager({ ...source, send: (request) => this.send(request) })
  }

  #rows<Row extends object>(
    path: string,
    key: string,
    shape: Shape<Row>,
    filters: Paged & object,
    access: 'public' | 'read' | 'private',
  ): Pager<Row> {
    const { size = 100, ...parameters } = filters
    const field = object(shape)
    return this.#pager({ path, key, parameters, access, size, build: (row: Json) => field.read(row, key) })
  }
}
