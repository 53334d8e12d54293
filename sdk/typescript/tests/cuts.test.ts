/**
 * The bar: a maker quotes while its connections are cut at random bytes. Nothing doubles, and local copies stay right.
 *
 * `CUTS=n` cuts n times, `SEED=s` repeats a run.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { BellwetherError, Decimal, requests, type Client, type Market } from 'bellwether-exchange'

import { Chance } from './chance.js'
import { bookText, dollarsText, Follower, levelsText, openOrdersText, ordersText } from './followers.js'
import { CuttingProxy, type Direction, type Kind } from './proxy.js'
import { exchange } from './shared.js'
import { within } from './until.js'

const SLUG = 'housing-bill-this-session'
const PATIENCE_SECONDS = 60
const KINDS: readonly { kind: Kind; direction: Direction; bytesMax: number }[] = [
  { kind: 'http', direction: 'to the exchange', bytesMax: 900 },
  { kind: 'http', direction: 'to the client', bytesMax: 3000 },
  { kind: 'stream', direction: 'to the exchange', bytesMax: 300 },
  { kind: 'stream', direction: 'to the client', bytesMax: 3000 },
]

const cuts = Number(process.env['CUTS'] ?? 50)
const seed = Number(process.env['SEED'] ?? 20261117)

/** Quotes through the proxy, and counts what the exchange confirmed. */
class Maker {
  readonly placed = new Set<string>()
  minted = 0
  isStopping = false
  readonly #client: Client
  readonly #market: Market
  readonly #chance: Chance

  constructor(client: Client, market: Market, chance: Chance) {
    this.#client = client
    this.#market = market
    this.#chance = chance
  }

  async run(): Promise<void> {
    while (!this.isStopping) {
      await this.#step()
      await this.#cancelOldest()
    }
  }

  #step(): Promise<void> {
    switch (this.#chance.integer(0, 4)) {
      case 0:
        return this.#batch()
      case 1:
        return this.#amend()
      case 2:
        return this.#mint()
      default:
        return this.#place()
    }
  }

  async #place(): Promise<void> {
    const order = await this.#market.yes.buy(this.#terms())
    assert(!this.placed.has(order.id), 'two placements got one order')
    this.placed.add(order.id)
  }

  async #batch(): Promise<void> {
    const orders = [1, 2, 3].map(() => this.#market.no.newOrder('BUY', this.#terms()))
    const batch = await this.#client.place(orders)
    assert.deepEqual(batch.failures, [])
    for (const order of batch.orders) this.placed.add(order.id)
  }

  async #amend(): Promise<void> {
    for (const order of await this.#market.orders({ status: 'open' }).first(1)) {
      await unlessFilled(() => order.amend({ size: order.size.plus(1) }))
    }
  }

  async #mint(): Promise<void> {
    await this.#market.mint(2)
    this.minted += 1
  }

  async #cancelOldest(): Promise<void> {
    const resting = await this.#market.orders({ status: 'open' }).all()
    for (const order of resting.slice(6)) await unlessFilled(() => order.cancel())
  }

  #terms() {
    const price = new Decimal(this.#chance.integer(5, 25)).dividedBy(100)
    return { quantity: this.#chance.integer(50, 90), price }
  }
}

/** Changes an order that the taker may have filled in the meantime. */
async function unlessFilled(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof BellwetherError && error.message.includes('ORDER_NOT_OPEN'))) throw error
  }
}

type Look = () => Promise<{ asOf: number | undefined; text: string }>

/** The local copy equals the exchange's state at one sequence. A sequence that a snapshot skipped is read anew. */
async function compare(what: string, look: Look, at: (sequence: number) => Promise<string | undefined>): Promise<void> {
  for (;;) {
    const { asOf, text } = await look()
    assert(asOf !== undefined)
    const local = await at(asOf)
    if (local === undefined) continue
    assert.equal(local, text, `${what} at sequence ${asOf}, seed ${seed}`)
    return
  }
}

/** Plans the next cut: of an order's request or answer, or of a stream, at any byte. */
function plan(proxy: CuttingProxy, chance: Chance): Promise<void> {
  const { kind, direction, bytesMax } = chance.of(KINDS)
  const done = proxy.cut(direction, kind, chance.integer(0, bytesMax), chance.fraction() < 0.5)
  // Bytes go there only while a connection begins.
  if (kind === 'stream' && direction === 'to the exchange') proxy.endStreams()
  return done
}

async function readOrders(client: Client) {
  const answer = await client.send(requests.read('/v1/pm/orders', { status: 'open', size: 100 }, 'read'))
  const payload = answer.payload as unknown as {
    orders: { id: string; size: Decimal; status: string }[]
    pagination: { lastPage: Decimal }
  }
  assert.equal(String(payload.pagination.lastPage), '1')
  return { asOf: answer.asOf, text: ordersText(payload.orders) }
}

test(`${cuts} cut connections double no order and leave local copies right`, async () => {
  const chance = new Chance(seed)
  const proxy = await CuttingProxy.start(exchange.baseUrl)
  const direct = exchange.client(3)
  const client = exchange.client(3, { baseUrl: proxy.url, retrySeconds: 300 })
  const seen = (await direct.event(SLUG)).market
  const taker = (await exchange.client(4).event(SLUG)).market
  await taker.mint(10 * cuts)
  const idsOf = async () => (await seen.orders().all()).map((order) => order.id)
  const setsOf = async () => (await direct.activities({ type: 'sets' }).all()).length
  const [before, setsBefore] = [new Set(await idsOf()), await setsOf()]

  const maker = new Maker(client, (await client.event(SLUG)).market, new Chance(seed + 1))
  const stream = client.follow([seen.id])
  const accountStream = client.followAccount()
  const books = new Follower(stream, () => ({ book: bookText(stream.book) }))
  const accounts = new Follower(accountStream, () => ({
    orders: openOrdersText(accountStream.account),
    dollars: dollarsText(accountStream.account),
  }))
  const making = maker.run()
  const following = Promise.all([books.run(), accounts.run()])
  const failing = Promise.all([making, following]).then(() => undefined)
  // The error of a task ends the wait for a cut; at the end all of them are awaited.
  failing.catch(() => undefined)
  try {
    for (let cut = 0; cut < cuts; cut += 1) {
      await within('a cut', PATIENCE_SECONDS, Promise.race([plan(proxy, chance), failing]))
      await taker.yes.sell({ quantity: chance.integer(1, 9), price: '0.05', timeInForce: 'FAK' })
      const readBook = async () => {
        const book = await seen.yes.book()
        return { asOf: book.asOf, text: levelsText(book.bids, book.asks) }
      }
      const readDollars = async () => {
        const wallet = (await direct.wallets()).get('USD')
        return { asOf: wallet?.asOf, text: `${wallet?.availableBalance} ${wallet?.pendingBalance}` }
      }
      await compare('the books', readBook, (at) => books.at(at, 'book'))
      await compare('the orders', () => readOrders(direct), (at) => accounts.at(at, 'orders'))
      await compare('the dollars', readDollars, (at) => accounts.at(at, 'dollars'))
    }
  } finally {
    maker.isStopping = true
    // Before the proxy stops: the maker would try for five minutes to reach it.
    await making.catch(() => undefined)
    stream.close()
    accountStream.close()
    await following
    proxy.stop()
  }
  await making
  const after = (await idsOf()).filter((id) => !before.has(id))
  assert.deepEqual(after.sort(), [...maker.placed].sort(), `seed ${seed}`)
  assert.equal((await setsOf()) - setsBefore, maker.minted, `seed ${seed}`)
  assert(proxy.cuts.http + proxy.cuts.stream >= cuts, `seed ${seed}`)
  assert(Math.min(proxy.cuts.http, proxy.cuts.stream) > 0, `seed ${seed}: each kind of connection is cut`)
  const { http, stream: streams } = proxy.cuts
  console.log(`    cut: ${http} requests, ${streams} streams; ${maker.placed.size} orders; seed ${seed}`)
  await seen.cancelAll()
})
