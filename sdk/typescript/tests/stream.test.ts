/** Streams of a real exchange: local copies, resumption, cancel on disconnect. */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Client, StreamRefused, type Update } from 'bellwether-exchange'

import { start } from './exchange.js'
import { levelsText } from './followers.js'
import { CuttingProxy } from './proxy.js'
import { BOOK, exchange } from './shared.js'
import { within } from './until.js'

const SLUG = 'rate-decision-next-meeting'
const UNKNOWN_ID = '01a1dd98-5eaa-7503-9bb2-982c9a2980f7'
const bola = exchange.client(2)

/** A market that only this file uses. */
async function quietMarket(client = bola) {
  const [market] = (await client.event(SLUG)).markets
  assert(market)
  return market
}

/** Reads a stream step by step. */
class Reader<Item> {
  readonly #iterator: AsyncIterator<Item>

  constructor(stream: AsyncIterable<Item>) {
    this.#iterator = stream[Symbol.asyncIterator]()
  }

  /** The next item that meets a condition. */
  async next(holds: (item: Item) => boolean = () => true): Promise<Item> {
    for (;;) {
      const step = await within('a message', 60, this.#iterator.next())
      assert(!step.done, 'the stream ended')
      if (holds(step.value)) return step.value
    }
  }
}

const isOf = (kind: string) => (update: Update) => update.kind === kind

test('a local book follows the exchange', async () => {
  const market = await quietMarket()
  const stream = market.follow()
  const reader = new Reader(stream)
  assert.equal((await reader.next()).kind, 'snapshot')
  assert(stream.book.isTrusted)
  const order = await market.yes.buy({ quantity: 100, price: '0.02' })
  const update = await reader.next(isOf('delta'))
  assert.equal(update.sequence, order.asOf)
  assert.equal(stream.book.sequence, order.asOf)
  const [yes, no] = [await market.yes.book(), await market.no.book()]
  assert.equal(levelsText(stream.book.bids(), stream.book.asks()), levelsText(yes.bids, yes.asks))
  assert.equal(levelsText(stream.book.bids('NO'), stream.book.asks('NO')), levelsText(no.bids, no.asks))
  stream.close()
  assert(!stream.book.isTrusted)
  assert.match(stream.book.trust.reason, /closed/)
  await order.cancel()
})

test('a stream of two markets has two books', async () => {
  const markets = (await bola.event(SLUG)).markets.slice(0, 2)
  const stream = bola.follow(markets)
  const reader = new Reader(stream)
  const rooms = [await reader.next(isOf('snapshot')), await reader.next(isOf('snapshot'))].map((update) => update.room)
  assert.equal(new Set(rooms).size, 2)
  assert(markets.every((market) => stream.books.get(market.id)?.isTrusted))
  assert.throws(() => stream.book, /2 markets/)
  stream.close()
})

test('trades arrive with the change that they made', async () => {
  const market = await quietMarket()
  await market.yes.buy({ quantity: 100, price: '0.27' })
  const stream = market.follow()
  const reader = new Reader(stream)
  await reader.next()
  const other = await quietMarket(exchange.client(4))
  await other.mint(100)
  await other.yes.sell({ quantity: 100, price: '0.27', timeInForce: 'FAK' })
  const { trades } = await reader.next((update) => update.trades.length > 0)
  assert.deepEqual(trades.map((trade) => `${trade.size} @ ${trade.price}`), ['100 @ 0.27'])
  assert.equal(`${stream.book.lastPrice}`, '0.27')
  stream.close()
})

test('an account follows orders, fills and money', async () => {
  const efe = exchange.client(5)
  const stream = efe.followAccount()
  const reader = new Reader(stream)
  assert.equal((await reader.next()).kind, 'snapshot')
  const { market } = await efe.event(BOOK)
  const held = stream.account.wallets.get('USD')?.pending
  const order = await market.yes.buy({ quantity: 100, price: '0.02' })
  const placed = await reader.next(isOf('delta'))
  assert.deepEqual(placed.orders.map((changed) => changed.id), [order.id])
  assert(stream.account.orders.has(order.id))
  assert.deepEqual(stream.account.wallets.get('USD')?.pending, held?.plus(2))
  await order.cancel()
  await reader.next(isOf('delta'))
  assert(!stream.account.orders.has(order.id))
  const taken = await market.yes.buy(3)
  const { fills } = await reader.next((update) => update.fills.length > 0)
  assert.deepEqual(fills.map((fill) => fill.quantity.toString()), [taken.filledSize.toString()])
  assert(stream.account.position(market.yes.id)?.balance.atLeast(taken.filledSize))
  const wallet = (await efe.wallets()).get('USD')
  assert.deepEqual(stream.account.wallets.get('USD')?.available, wallet?.availableBalance)
  stream.close()
})

test('a connection that ends cancels what rests if it was armed', async () => {
  const dayo = exchange.client(4)
  const market = await quietMarket(dayo)
  const stream = dayo.followAccount({ cancelOnDisconnect: true })
  const reader = new Reader(stream)
  await reader.next()
  assert(stream.isArmed)
  const order = await market.yes.buy({ quantity: 100, price: '0.02' })
  assert((await reader.next(isOf('delta'))).orders.length > 0)
  stream.close()
  assert.equal((await order.wait({ timeoutSeconds: 60 })).status, 'cancelled')
  assert(!stream.isArmed)
})

test('a stream says that its book is stale and resumes with deltas', async () => {
  const proxy = await CuttingProxy.start(exchange.baseUrl)
  const market = (await bola.event(SLUG)).markets[1]
  assert(market)
  const stream = new Client({ baseUrl: proxy.url }).follow([market.id])
  const reader = new Reader(stream)
  await reader.next(isOf('snapshot'))
  proxy.endStreams()
  const stale = await reader.next(isOf('untrusted'))
  assert(stale.reason)
  assert(!stream.book.isTrusted)
  const order = await market.yes.buy({ quantity: 100, price: '0.02' })
  const resumed = await reader.next(isOf('delta'))
  assert.equal(resumed.sequence, order.asOf)
  assert(stream.book.isTrusted && stream.book.bestBid())
  await order.cancel()
  stream.close()
  proxy.stop()
})

test('a restarted exchange sends a snapshot', async () => {
  const own = await start()
  const { market } = await own.client(1).event(BOOK)
  const stream = market.follow()
  const reader = new Reader(stream)
  await reader.next()
  const order = await market.yes.buy({ quantity: 100, price: '0.02' })
  await reader.next(isOf('delta'))
  await own.stop()
  assert.equal((await reader.next((update) => update.kind !== 'heartbeat')).kind, 'untrusted')
  const again = await start(own.folder, { listen: own.address })
  assert((await market.yes.buy({ quantity: 100, price: '0.03' })).isOpen)
  await reader.next(() => stream.book.isTrusted && `${stream.book.bids().at(-2)?.price}` === '0.03')
  assert((await order.refresh()).isOpen)
  assert.equal(`${stream.book.bids().at(-1)?.price}`, '0.02')
  stream.close()
  await again.stop()
})

test('a market that does not exist is refused', async () => {
  const stream = bola.follow([UNKNOWN_ID])
  await assert.rejects(new Reader(stream).next(), (error) => {
    assert(error instanceof StreamRefused)
    assert.match(error.message, /not found/i)
    return true
  })
})

test("a wrong key ends an account's stream", async () => {
  const stranger = new Client({ baseUrl: exchange.baseUrl, publicKey: 'pk_live_unknown', secretKey: 'sk_live_unknown' })
  await assert.rejects(new Reader(stranger.followAccount()).next(), StreamRefused)
  assert.throws(() => new Client({ baseUrl: exchange.baseUrl }).followAccount(), /publicKey/)
})

test('a path without streams is refused with its status', async () => {
  const stream = new Client({ baseUrl: `${exchange.baseUrl}/elsewhere` }).follow([UNKNOWN_ID])
  await assert.rejects(new Reader(stream).next(), /status 404/)
})

test('a channel without changes is listened to', async () => {
  const market = await quietMarket()
  const prices = bola.listen('prices', { eventIds: [market.eventId] })
  const price = await new Reader(prices).next()
  assert.equal(price.type, 'price_update')
  assert.equal((price.data as { id?: unknown }).id, market.eventId)
  prices.close()
  const orders = bola.listen('orders', { marketIds: [market.id] })
  const reader = new Reader(orders)
  const next = reader.next()
  // The subscription may not have arrived yet; one of several orders is after it.
  let isDone = false
  const done = () => {
    isDone = true
  }
  next.then(done, done)
  while (!isDone) await market.yes.buy({ quantity: 100, price: '0.02' })
  const message = await next
  assert.equal(message.type, 'order_updated')
  orders.close()
  await market.cancelAll()
})
