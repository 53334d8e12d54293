/** Reads of a real exchange: pages as iteration, books at a sequence, history. */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Client } from 'bellwether-exchange'

import { BOOK, exchange } from './shared.js'

const open = new Client({ baseUrl: exchange.baseUrl })
const ada = exchange.client(1)

test('events are read page by page', async () => {
  const slugs = async (size: number) => (await open.events({ size }).all()).map((event) => event.slug)
  const [byTwos, atOnce] = [await slugs(2), await slugs(100)]
  assert.deepEqual(byTwos, atOnce)
  assert(new Set(atOnce).size === atOnce.length && atOnce.length > 20)
  const sizes: number[] = []
  for await (const page of open.events({ size: 9 }).pages()) sizes.push(page.length)
  assert.deepEqual(sizes.slice(0, 2), [9, 9])
  const first = await open.events({ size: 2 }).first(3)
  assert.deepEqual(first.map((event) => event.slug), atOnce.slice(0, 3))
})

test('filters of events reach the exchange', async () => {
  const engines = (await open.events({ engine: 'AMM' }).all()).map((event) => event.engine)
  assert.deepEqual(new Set(engines), new Set(['AMM']))
  const found = await open.events({ keyword: 'rain' }).all()
  assert(found.some((event) => event.slug === BOOK))
})

test('an event is found by slug and by id', async () => {
  const event = await open.event(BOOK)
  assert.equal((await open.event(event.id)).slug, BOOK)
  assert.equal(event.market.eventId, event.id)
  assert.equal(event.find('rain in LAGOS').id, event.market.id)
  assert.equal(event.market.outcome('yes').id, event.market.yes.id)
  assert.equal((await open.market(event.market.id)).title, event.market.title)
  assert.throws(() => event.find('snow'), /no market/)
  assert.throws(() => event.market.outcome('perhaps'), /outcomes/)
  assert(event.createdAt instanceof Date && event.asOf !== undefined)
})

test('an event with several markets asks for a choice', async () => {
  const event = await open.event('city-referendum')
  assert.throws(() => event.market, /3 markets/)
})

test('a list with a cursor has every row once while it grows', async () => {
  const { market } = await ada.event(BOOK)
  const buy = () => market.yes.buy({ quantity: 100, price: '0.01' })
  const placed: string[] = []
  for (let count = 0; count < 7; count += 1) placed.push((await buy()).id)
  const read: string[] = []
  for await (const order of market.orders({ size: 2, status: 'open' })) {
    read.push(order.id)
    if (read.length === 3) await buy()
  }
  assert.deepEqual(read.filter((id) => placed.includes(id)), placed.reverse())
  assert.equal(new Set(read).size, read.length)
  await market.cancelAll()
})

test('an order is found by its own name', async () => {
  const { market } = await ada.event(BOOK)
  const order = await market.yes.buy({ quantity: 100, price: '0.01', clientOrderId: 'found-by-name' })
  const [found] = await ada.orders({ clientOrderId: 'found-by-name' }).first(1)
  assert.equal(found?.id, order.id)
  await order.cancel()
})

test('a book is of the sequence that it names', async () => {
  const { market } = await ada.event(BOOK)
  const before = await market.yes.book()
  const order = await market.yes.buy({ quantity: 177, price: '0.01' })
  const after = await market.yes.book()
  assert(before.asOf !== undefined && after.asOf !== undefined && after.asOf > before.asOf)
  assert.equal(`${after.bids.at(-1)?.price}`, '0.01')
  assert(after.bids.at(-1)?.quantity.atLeast(177))
  assert.deepEqual(after.bestBid, after.bids[0])
  const mirrored = await market.no.book()
  assert.equal(`${mirrored.asks.at(-1)?.price}`, '0.99')
  await order.cancel()
})

test('history has the trade', async () => {
  const { market } = await ada.event(BOOK)
  const order = await market.yes.buy(4)
  const trades = (await market.trades().all()).filter((trade) => trade.takerOrderId === order.id)
  const [first] = trades
  assert(first)
  assert.deepEqual(trades.slice(1).reduce((sum, trade) => sum.plus(trade.size), first.size), order.filledSize)
  const candles = await market.candles({ interval: '1m' })
  assert(candles.at(-1)?.volume.atLeast(order.filledSize))
  assert.deepEqual((await market.yes.ticker()).lastPrice, first.price)
  assert.equal((await ada.statement().first(1))[0]?.type, 'BUY')
  assert.equal((await ada.activities({ type: 'buys' }).first(1))[0]?.orderId, order.id)
  assert.equal((await ada.pnl()).currency, 'USD')
  const history = await ada.priceHistory(market.eventId)
  assert.deepEqual([...history.keys()], [market.id])
  await market.yes.sell({ quantity: order.filledSize })
})

test('the watchlist follows', async () => {
  const event = await ada.event(BOOK)
  await ada.watch(event.id)
  assert((await ada.event(BOOK)).userWatchlisted)
  await ada.watch(event.id, false)
  assert(!(await ada.event(BOOK)).userWatchlisted)
})

test('series and version can be read', async () => {
  assert((await open.version()).version)
  for await (const series of open.series()) assert(Array.isArray(await open.seriesEvents(series.slug)))
})
