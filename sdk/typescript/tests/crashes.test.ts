/** Orders while the exchange is killed and started again: every answered order exists, and none exists twice. */

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { start } from './exchange.js'
import { BOOK } from './shared.js'
import { until } from './until.js'

const KILLS = 2
const ORDERS_BETWEEN = 8

test('a killed exchange doubles and loses no order', async () => {
  const first = await start()
  const { market } = await first.client(1, { retrySeconds: 300 }).event(BOOK)
  const placed: string[] = []
  let isStopping = false
  const place = async () => {
    while (!isStopping) placed.push((await market.yes.buy({ quantity: 100, price: '0.02' })).id)
  }
  const placing = place()
  // Awaited at the end.
  placing.catch(() => undefined)
  let running = first
  try {
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const before = placed.length
      await until('orders', 60, () => placed.length >= before + ORDERS_BETWEEN)
      if (kill === KILLS) break
      await running.kill()
      running = await start(first.folder, { listen: first.address })
    }
    isStopping = true
    await placing
    const resting = await running.client(1).orders({ status: 'open' }).all()
    assert.deepEqual(resting.map((order) => order.id).sort(), placed.sort())
  } finally {
    isStopping = true
    await running.stop()
  }
})
