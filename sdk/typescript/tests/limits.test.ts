/** Rate limits of a real exchange: the client waits as long as it is told, and nothing is lost or doubled. */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { RateLimited, requests } from 'bellwether-exchange'

import { start } from './exchange.js'
import { BOOK } from './shared.js'

const terms = { quantity: 100, price: '0.02' }

test('rate limits lose and double nothing, with retries and without', async () => {
  // Five requests of a kind in a second.
  const slow = await start(undefined, { perSecond: 5 })
  const { market } = await slow.client(1).event(BOOK)
  const placed: string[] = []
  for (let count = 0; count < 12; count += 1) placed.push((await market.yes.buy(terms)).id)
  const idsOf = async (user: number) => (await slow.client(user).orders({ status: 'open' }).all()).map(({ id }) => id)
  assert.deepEqual((await idsOf(1)).sort(), placed.sort())

  const impatient = slow.client(2, { retrySeconds: 0 })
  const order = () => requests.placeOrder(market.eventId, market.id, market.yes.newOrder('BUY', terms))
  let confirmed = 0
  await assert.rejects(
    async () => {
      for (; confirmed < 100; confirmed += 1) await impatient.send(order())
    },
    (error) => error instanceof RateLimited && (error.refusal.retryAfter ?? 0) > 0,
  )
  assert(confirmed > 0)
  assert.equal((await idsOf(2)).length, confirmed)
  await slow.stop()
})
