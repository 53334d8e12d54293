/** Orders on a real exchange: placed, filled, amended, cancelled, alone and in batches. */

import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { test } from 'node:test'

import {
  ApiError,
  BadRequest,
  BellwetherError,
  Client,
  Decimal,
  NotFound,
  RuleRefused,
  Unauthorized,
  WaitTimedOut,
  type Market,
} from 'bellwether-exchange'

import { BOOK, exchange, POOL } from './shared.js'

const ada = exchange.client(1)
const bola = exchange.client(2)
const UNKNOWN_ID = '01a1dd98-5eaa-7503-9bb2-982c9a2980f7'

async function bookMarket(client = ada): Promise<Market> {
  return (await client.event(BOOK)).market
}

/** The code of a refusal. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((error: unknown) => error)
  assert(error instanceof ApiError, String(error))
  return error.code
}

test('buying for an amount fills at once and shows in the portfolio', async () => {
  const market = await bookMarket()
  const quote = await market.yes.quote('BUY', 10)
  const order = await market.yes.buy(10)
  assert.deepEqual([order.status, order.side, order.orderType], ['filled', 'BUY', 'MARKET'])
  assert.deepEqual(order.filledSize, quote.quantity)
  assert(order.isFilled && !order.isOpen)
  assert(order.avgFillPrice instanceof Decimal)
  const positions = await ada.positions({ marketId: market.id }).all()
  const held = positions.find((position) => position.outcomeId === market.yes.id)
  assert(held?.balance.atLeast(order.filledSize))
  const sold = await market.yes.sell({ quantity: order.filledSize })
  assert.deepEqual(sold.filledSize, order.filledSize)
})

test('a limit order rests, is amended and cancelled', async () => {
  const market = await bookMarket()
  const order = await market.yes.buy({ quantity: 20, price: 0.05, postOnly: true, clientOrderId: 'rests-1' })
  assert.deepEqual([order.status, `${order.price}`, `${order.size}`], ['open', '0.05', '20'])
  assert.equal(order.clientOrderId, 'rests-1')
  assert.equal(await order.amend({ price: '0.06', size: 30 }), order)
  assert.deepEqual([`${order.price}`, `${order.size}`, order.isOpen], ['0.06', '30', true])
  assert.equal(`${(await ada.order(order.id)).size}`, '30')
  await order.cancel()
  assert.equal(order.status, 'cancelled')
  assert.equal(await codeOf(order.cancel()), 'ORDER_NOT_OPEN')
})

test('an order gets exactly the digits that were typed', async () => {
  const market = await bookMarket()
  const order = await market.yes.buy({ quantity: '20.1234', price: new Decimal('0.07') })
  assert.deepEqual([`${order.size}`, `${order.amount}`], ['20.1234', '1.408638'])
  await order.cancel()
})

test('an amount at a price is a limit order for that money', async () => {
  const market = await bookMarket()
  const order = await market.yes.buy(2, { price: '0.04' })
  assert.deepEqual([order.orderType, `${order.size}`], ['LIMIT', '50'])
  await order.cancel()
})

test('waiting ends when somebody fills the order', async () => {
  const market = await bookMarket()
  const order = await market.yes.buy({ quantity: 30, price: '0.35' })
  assert(order.isOpen)
  const other = await bookMarket(bola)
  await other.mint(30)
  const waiting = order.wait({ timeoutSeconds: 60 })
  await other.yes.sell({ quantity: 30, price: '0.35' })
  await waiting
  assert.deepEqual([order.status, `${order.filledSize}`, `${order.remainingSize}`], ['filled', '30', '0'])
})

test('waiting for an order that rests times out and changes nothing', async () => {
  const market = await bookMarket()
  const order = await market.yes.buy({ quantity: 60, price: '0.02', stpMode: 'CANCEL_OLDEST' })
  await assert.rejects(order.wait({ timeoutSeconds: 0.01 }), WaitTimedOut)
  assert((await order.refresh()).isOpen)
  await order.cancel()
})

test('a batch places what it can and names what failed', async () => {
  const market = await bookMarket()
  const good = market.yes.newOrder('BUY', { quantity: 50, price: '0.03', clientOrderId: 'batch-good' })
  const bad = market.no.newOrder('SELL', { quantity: 999_999, price: '0.99' })
  const batch = await ada.place([good, bad])
  assert.deepEqual([batch.summary.succeeded, batch.summary.failed], [1, 1])
  const [placed] = batch.orders
  const [failure] = batch.failures
  assert(placed && failure)
  assert.equal(placed.clientOrderId, 'batch-good')
  assert.equal(failure.error?.code, 'INSUFFICIENT_SHARES')
  assert.throws(() => failure.placed(), /INSUFFICIENT_SHARES/)
  const amended = await ada.amend([{ orderId: placed.id, size: 60 }])
  assert.equal(`${amended.orders[0]?.size}`, '60')
  const cancelled = await ada.cancel([placed.id, UNKNOWN_ID])
  assert.deepEqual(cancelled.results.map((item) => item.success), [true, false])
})

test('cancelling all cancels what rests in the market', async () => {
  const market = await bookMarket()
  const placed = await Promise.all([1, 2, 3].map(() => market.yes.buy({ quantity: 50, price: '0.03' })))
  const cancelled = new Set((await market.cancelAll()).map((order) => order.id))
  assert(placed.every((order) => cancelled.has(order.id)))
  assert.deepEqual(await market.orders({ status: 'open' }).all(), [])
})

test('money becomes pairs, and pairs become money', async () => {
  const market = await bookMarket()
  const dollars = async () => `${(await ada.wallets()).get('USD')?.availableBalance}`
  const before = await dollars()
  assert.equal(`${(await market.mint('12.5')).quantity}`, '12.5')
  assert.equal(`${(await market.burn('12.5')).proceeds}`, '12.5')
  assert.equal(await dollars(), before)
})

test('one idempotency key is one order', async () => {
  const market = await bookMarket()
  const terms = { quantity: 50, price: '0.03', idempotencyKey: 'only-once' }
  const [first, again] = [await market.yes.buy(terms), await market.yes.buy(terms)]
  assert.equal(first.id, again.id)
  assert.equal(await codeOf(market.yes.buy({ ...terms, quantity: 51 })), 'IDEMPOTENCY_KEY_REUSED')
  await first.cancel()
})

test('naira are traded in the market that was read in naira', async () => {
  const { market } = await ada.event(BOOK, { currency: 'NGN' })
  assert.equal(`${market.minimumOrderAmount}`, '100')
  const order = await market.yes.buy({ quantity: 50, price: '0.03' })
  assert.deepEqual([order.currency, `${order.amount}`], ['NGN', '150'])
  await order.cancel()
})

test('a market is read again in place', async () => {
  const market = await bookMarket()
  const before = market.totalOrders
  await market.yes.buy({ quantity: 50, price: '0.03' })
  assert.equal(await market.refresh(), market)
  assert.equal(market.totalOrders, before + 1)
  assert((await market.yes.buy({ quantity: 50, price: '0.03' })).isOpen)
  await market.cancelAll()
})

test('a pool fills at once', async () => {
  const { market } = await ada.event(POOL)
  const order = await market.yes.buy(5)
  assert.deepEqual([order.status, order.orderType], ['filled', 'MARKET'])
  assert((await market.yes.sell({ quantity: order.filledSize })).isFilled)
})

test('a quote of an order says what would become of it', async () => {
  const market = await bookMarket()
  const quote = await market.yes.quoteOrder(market.yes.newOrder('BUY', { quantity: 50, price: '0.03' }))
  const { order } = quote
  assert.deepEqual([order?.status, `${order?.restingSize}`, `${order?.hold}`], ['open', '50', '1.5'])
  assert.equal(`${(await market.yes.quote('BUY', { quantity: 3 })).quantity}`, '3')
})

test("the dead man's switch is set and disarmed", async () => {
  assert((await ada.cancelAfter(3600)) instanceof Date)
  assert.equal(await ada.cancelAfter(0), undefined)
})

test('refusals name the rule', async () => {
  const market = await bookMarket()
  const tooMuch = market.yes.buy({ quantity: 900_000, price: '0.33' })
  await assert.rejects(tooMuch, RuleRefused)
  assert.equal(await codeOf(tooMuch), 'INSUFFICIENT_BALANCE')
  await assert.rejects(market.yes.buy({ quantity: 50, price: '0.035' }), (error) => {
    assert(error instanceof BadRequest)
    assert.match(error.message, /price/)
    assert.match(error.traceId, /^[0-9a-f]{32}$/)
    return true
  })
  await assert.rejects(ada.order(UNKNOWN_ID), NotFound)
})

test('an order has an amount or a quantity', async () => {
  const market = await bookMarket()
  await assert.rejects(async () => market.yes.sell({ price: '0.5' }), /either/)
  await assert.rejects(async () => market.yes.buy(10, { quantity: 10 }), /either/)
})

test('a wrong secret is refused with its reason', async () => {
  const { publicKey, secretKey } = exchange.person(1)
  const client = new Client({ baseUrl: exchange.baseUrl, publicKey, secretKey: `${secretKey}x` })
  await assert.rejects(client.checkSignature(), (error) => {
    assert(error instanceof Unauthorized)
    assert.equal(error.reason, 'signature_mismatch')
    return true
  })
  assert((await ada.checkSignature()).valid)
})

test('a login creates a key that trades, and whose secret is not shown', async () => {
  const { email, password } = exchange.person(6)
  const issued = await new Client({ baseUrl: exchange.baseUrl }).createKey(email, password, 'from-the-test')
  assert(issued.secretKey.startsWith('sk_'))
  assert(!inspect(issued).includes(issued.secretKey) && !JSON.stringify(issued).includes(issued.secretKey))
  const client = new Client({ baseUrl: exchange.baseUrl, publicKey: issued.publicKey, secretKey: issued.secretKey })
  const order = await (await bookMarket(client)).yes.buy({ quantity: 50, price: '0.03' })
  assert.equal((await order.cancel()).status, 'cancelled')
})

test('many orders at once are all placed', async () => {
  const market = await bookMarket(bola)
  const orders = await Promise.all(Array.from({ length: 10 }, () => market.yes.buy({ quantity: 100, price: '0.02' })))
  const open = new Set((await market.orders({ status: 'open', size: 3 }).all()).map((order) => order.id))
  assert(orders.every((order) => open.has(order.id)))
  await orders[0]?.cancel()
  assert.equal((await orders[0]?.wait())?.status, 'cancelled')
  await market.cancelAll()
})

test('the settings of a client come from the environment or from the file of a demo', async () => {
  const { publicKey, secretKey } = exchange.person(2)
  const names = { BASE_URL: exchange.baseUrl, PUBLIC_KEY: publicKey, SECRET_KEY: secretKey }
  Object.assign(process.env, names)
  assert((await Client.fromEnv().checkSignature()).valid)
  for (const name of Object.keys(names)) delete process.env[name]
  process.env['DEMO'] = exchange.demoFile
  assert((await Client.fromEnv().checkSignature()).valid)
  delete process.env['DEMO']
  assert((await Client.fromDemo(exchange.demoFile, 3).checkSignature()).valid)
  assert.throws(() => Client.fromDemo('no-such-file.json'), BellwetherError)
  assert.throws(() => Client.fromDemo(exchange.demoFile, 99), BellwetherError)
})
