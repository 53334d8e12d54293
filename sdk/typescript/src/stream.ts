/**
 * Streams that resume: a market's book, an account, and the channels without a sequence.
 *
 * Iterate over a stream with `for await`. After a disconnect it connects again, continues from the last sequence, and
 * yields an update of the kind `untrusted` in between. It ends when you leave the loop, when you close it, or with
 * `StreamRefused`. A loop that you have left can be continued by another loop over the same stream: it resumes as after
 * a disconnect.
 */

import { LocalBook } from './book.js'
import { Room, type Copy, type Update } from './changes.js'
import { arming, type Connection, type StreamMessage } from './connection.js'
import { Decimal } from './decimal.js'
import { BellwetherError, UnreadableAnswer } from './errors.js'
import type { Encodable, Json } from './json.js'
import { LocalAccount } from './ledger.js'
import { USER_STREAM, type Credentials } from './signing.js'
import { Disconnected } from './socket/inbox.js'

const LEFT = 'the loop over the stream has ended'
const CLOSED = 'the stream was closed'

/** A connection that one `for await` loop reads. */
export abstract class Stream {
  protected readonly connection: Connection
  readonly #closing = new AbortController()
  #hasReader = false

  constructor(connection: Connection, signal: AbortSignal | undefined) {
    this.connection = connection
    if (signal?.aborted) this.#closing.abort()
    signal?.addEventListener('abort', () => this.close(), { once: true, signal: this.#closing.signal })
  }

  /** Ends the stream. A loop over it ends, and its copies are no longer to be trusted. */
  close(): void {
    this.#closing.abort()
    this.ended(CLOSED)
    this.connection.close()
  }

  /** Called when the copies are no longer kept current. */
  protected abstract ended(reason: string): void

  protected get isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  protected open(): Promise<void> {
    return this.connection.open(this.#closing.signal)
  }

  protected enter(): void {
    if (this.#hasReader) throw new BellwetherError('a stream has one reader: follow the market a second time')
    this.#hasReader = true
  }

  protected leave(): void {
    this.#hasReader = false
    if (!this.isClosed) this.ended(LEFT)
    this.connection.close()
  }
}

/** A stream of changes with local copies. Iterate over it; each step is an `Update`. */
export abstract class ChangeStream<CopyType extends Copy> extends Stream implements AsyncIterable<Update> {
  readonly #rooms: readonly Room<CopyType>[]

  constructor(connection: Connection, rooms: readonly Room<CopyType>[], signal: AbortSignal | undefined) {
    super(connection, signal)
    this.#rooms = rooms
  }

  /** The steps of the stream, for `for await`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Update, void, undefined> {
    this.enter()
    try {
      while (!this.isClosed) {
        try {
          const update = await this.#next()
          if (update) yield update
        } catch (error) {
          if (!(error instanceof Disconnected)) throw error
          // A closed stream has distrusted its copies already, so this yields nothing.
          yield* this.distrust(error.message)
        }
      }
    } finally {
      this.leave()
    }
  }

  /** Sends what a new connection begins with. */
  protected async begin(): Promise<void> {
    for (const room of this.#rooms) this.#subscribe(room)
  }

  /** The room of a message; undefined for messages that are no changes. */
  protected room(message: StreamMessage): Room<CopyType> | undefined {
    if (!isChange(message)) return undefined
    return this.#rooms.find((room) => room.name === message['room'])
  }

  /** Marks every copy as not to be trusted. */
  protected distrust(reason: string): Update[] {
    return this.#rooms.map((room) => room.distrust(reason)).filter((update) => update !== undefined)
  }

  protected override ended(reason: string): void {
    this.distrust(reason)
  }

  async #next(): Promise<Update | undefined> {
    if (!this.connection.isOpen) {
      await this.open()
      await this.begin()
    }
    const message = await this.connection.receive()
    const room = this.room(message)
    return room && this.#accept(room, message)
  }

  #accept(room: Room<CopyType>, message: StreamMessage): Update | undefined {
    const wasBroken = room.needsRestart
    let update: Update | undefined
    try {
      update = room.accept(message)
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error
      this.connection.close()
      throw new Disconnected(`a message that cannot be read: ${error.message}`)
    }
    // Once: each subscription starts the room over.
    if (room.needsRestart && !wasBroken) this.#subscribe(room)
    if (update && update.kind !== 'untrusted') this.connection.isWorking()
    return update
  }

  #subscribe(room: Room<CopyType>): void {
    const { resumeFrom, subject } = room
    this.connection.send({
      type: 'subscribe',
      channel: 'changes',
      ...subject,
      ...(resumeFrom === undefined ? {} : { resumeFrom }),
    })
  }
}

/** One or more markets in one currency, with a local book for each. Made by `follow`. */
export class MarketStream extends ChangeStream<LocalBook> {
  /** The local books, by market id. */
  readonly books: ReadonlyMap<string, LocalBook>

  constructor(connection: Connection, marketIds: readonly string[], currency: string, signal?: AbortSignal) {
    const books = [...new Set(marketIds)].map((marketId) => new LocalBook(marketId, currency))
    super(connection, books.map(marketRoom), signal)
    this.books = new Map(books.map((book) => [book.marketId, book]))
  }

  /** The book of the only market. Throws an error if there are several. */
  get book(): LocalBook {
    const [book] = this.books.values()
    if (!book || this.books.size !== 1) {
      throw new RangeError(`this stream has ${this.books.size} markets: choose one of stream.books`)
    }
    return book
  }
}

/** Your orders, fills, wallets and positions, with a local copy. Made by `followAccount`. */
export class AccountStream extends ChangeStream<LocalAccount> {
  /** The local copy. */
  readonly account: LocalAccount
  readonly #room: Room<LocalAccount>
  readonly #credentials: Credentials
  readonly #cancelOnDisconnect: boolean
  #isArmed = false

  constructor(
    connection: Connection,
    credentials: Credentials | undefined,
    cancelOnDisconnect: boolean,
    signal?: AbortSignal,
  ) {
    if (!credentials) throw new BellwetherError("an account's stream needs a key: give publicKey to the client")
    const room = new Room('changes', new LocalAccount(), { auth: { apiKey: credentials.publicKey } })
    super(connection, [room], signal)
    this.account = room.copy
    this.#room = room
    this.#credentials = credentials
    this.#cancelOnDisconnect = cancelOnDisconnect
  }

  /** Whether the exchange cancels all your orders when this connection ends. */
  get isArmed(): boolean {
    return this.#isArmed
  }

  protected override async begin(): Promise<void> {
    this.#isArmed = false
    if (this.#cancelOnDisconnect) {
      this.connection.send(await arming(this.#credentials, this.connection.clientId, true))
    }
    await super.begin()
  }

  protected override room(message: StreamMessage): Room<LocalAccount> | undefined {
    if (message.type === 'cancelOnDisconnect') this.#isArmed = message['enabled'] === true
    // The connection has only this room, and its name contains the user's id.
    return isChange(message) ? this.#room : undefined
  }

  protected override distrust(reason: string): Update[] {
    this.#isArmed = false
    return super.distrust(reason)
  }
}

/** A message of a channel without changes, such as `price_update`; or `reconnected`: some may have been missed. */
export interface Message {
  readonly type: string
  readonly data: Json
  readonly room: string
  readonly sequence: number
  /** Milliseconds since 1970. */
  readonly timestamp: number
}

/** Messages of a channel such as `prices`, `activity`, `orderbook`, `orders` or `asset_prices`. Made by `listen`. */
export class Listener extends Stream implements AsyncIterable<Message> {
  readonly #subscription: { readonly [name: string]: Encodable }
  #wasConnected = false

  constructor(connection: Connection, subscription: { readonly [name: string]: Encodable }, signal?: AbortSignal) {
    super(connection, signal)
    this.#subscription = subscription
  }

  /** The messages, for `for await`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Message, void, undefined> {
    this.enter()
    try {
      while (!this.isClosed) {
        try {
          const message = await this.#next()
          if (message) yield message
        } catch (error) {
          if (!(error instanceof Disconnected)) throw error
        }
      }
    } finally {
      this.leave()
    }
  }

  protected override ended(): void {}

  async #next(): Promise<Message | undefined> {
    if (!this.connection.isOpen) {
      await this.open()
      this.connection.send({ type: 'subscribe', ...this.#subscription })
    }
    const message = await this.connection.receive()
    if (message.type === 'subscribed') {
      const isAgain = this.#wasConnected
      this.#wasConnected = true
      return isAgain ? { type: 'reconnected', data: {}, room: '', sequence: 0, timestamp: 0 } : undefined
    }
    const { data, room, sequence, timestamp } = message
    if (data === undefined) return undefined
    this.connection.isWorking()
    return {
      type: message.type,
      data,
      room: typeof room === 'string' ? room : '',
      sequence: whole(sequence),
      timestamp: whole(timestamp),
    }
  }
}

/** The endpoint that has a channel. */
export function endpoint(channel: string): string {
  if (channel === 'asset_prices') return '/ws/v1/realtime'
  return channel === 'orders' ? USER_STREAM : '/ws/v1/markets'
}

function marketRoom(book: LocalBook): Room<LocalBook> {
  const subject = { marketIds: [book.marketId], currency: book.currency }
  return new Room(`changes:${book.marketId}:${book.currency}`, book, subject)
}

function isChange(message: StreamMessage): boolean {
  return message.type === 'snapshot' || message.type === 'delta' || message.type === 'heartbeat'
}

function whole(value: Json | undefined): number {
  return value instanceof Decimal ? value.toNumber() : 0
}
