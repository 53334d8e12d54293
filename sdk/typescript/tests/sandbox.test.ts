/** The helper that starts a sandbox: its clock, its faults, its snapshots. */

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'

import { Sandbox } from 'bellwether-exchange/testing'

import { executable } from './exchange.js'

describe('the sandbox', () => {
  let sandbox: Sandbox

  before(async () => {
    sandbox = await Sandbox.start({ executable: executable(), seed: 7 })
  })

  beforeEach(async () => {
    await sandbox.reset()
  })

  after(async () => {
    await sandbox.close()
  })

  test('the sandbox begins alike for each test, and its clock stands', async () => {
    const ada = await sandbox.user('ada')
    assert(ada.publicKey.startsWith('pk_test_'))
    const { now, deterministic } = await sandbox.clock()
    assert(deterministic)
    const later = await sandbox.advance(90)
    assert.equal(Date.parse(later.now) - Date.parse(now), 90_000)
    await sandbox.reset()
    assert.deepEqual(await sandbox.user('ada'), ada)
  })

  test('a lost answer in one line: the client retries and never doubles the order', async () => {
    const client = await sandbox.client('ada')
    const fault = await sandbox.fault('lost-answer', { method: 'POST', path: '*/orders' })
    const { market } = await client.event('rain-tomorrow')
    const order = await market.yes.buy({ quantity: 10, price: '0.40' })
    assert.deepEqual(await fault.counts(), { seen: 2, fired: 1 })
    const open = []
    for await (const found of client.orders({ status: 'open' })) open.push(found.id)
    assert.deepEqual(open, [order.id])
  })

  test('an order fills, the event ends, and the venue returns to before', async () => {
    const client = await sandbox.client('ada')
    const { market } = await client.event('rain-tomorrow')
    const order = await market.yes.buy({ quantity: 10, price: '0.40' })
    const before = await sandbox.snapshot()
    await sandbox.fill(order.id)
    assert.equal((await client.order(order.id)).status, 'filled')
    await sandbox.resolve('rain-tomorrow', market.id)
    assert.equal((await client.event('rain-tomorrow')).status, 'resolved')
    await sandbox.returnTo(before)
    assert.equal((await client.order(order.id)).status, 'open')
  })

  test('a wrong request says why', async () => {
    await assert.rejects(sandbox.request('POST', '/faults', { fault: 'explode' }), /400/)
  })
})
