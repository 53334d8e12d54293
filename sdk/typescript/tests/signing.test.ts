/** Signatures, against worked examples of the API guide. */

import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { test } from 'node:test'

import { Client } from 'bellwether-exchange'
import { bodyHash, Credentials } from '#internal/signing'

const SECRET = 'sk_live_a_secret_for_the_guide'
const EVENT = '0197f3a0-0000-7000-8000-000000000001'
const MARKET = '0197f3a0-0000-7000-8000-000000000002'
const ORDER =
  '{"side":"BUY","outcomeId":"0197f3a0-0000-7000-8000-000000000003","type":"LIMIT","price":0.4,"amount":10}'
const keys = new Credentials('pk_live_1', SECRET)

test('an order has the signature of the guide', async () => {
  assert.equal(await bodyHash(ORDER), '4b6c7c84c0dc5b4a23ac1f976222a7652a94645e2356abd4d076d3bfb8ba2baf')
  const path = `/v1/pm/events/${EVENT}/markets/${MARKET}/orders`
  assert.equal(await keys.sign(1767225600, 'POST', path, ORDER), 'frlMk+Z2rMrRrgtSky8EDvnOMIghT8s9U1bfXuQC84E=')
})

test('a cancel without a body has the signature of the guide', async () => {
  const path = '/v1/pm/orders/0197f3a0-0000-7000-8000-000000000004'
  assert.equal(await keys.sign(1767225600, 'DELETE', path), '04TIH5/sNCFv2HBjPDhwA5IyQO9NNfKQTW3D7LpQSS8=')
})

test('another byte of the body gives another signature', async () => {
  assert.notEqual(await keys.sign(1, 'POST', '/v1', '{}'), await keys.sign(1, 'POST', '/v1', '{ }'))
})

test('arming and disarming have different signatures', async () => {
  const armed = await keys.signCancelOnDisconnect(1, true, 'client')
  assert.notEqual(armed, await keys.signCancelOnDisconnect(1, false, 'client'))
  assert.notEqual(armed, await keys.signCancelOnDisconnect(1, true, 'other'))
})

test('a secret is not in what a console or JSON shows', () => {
  const client = new Client({ baseUrl: 'http://127.0.0.1:1', publicKey: 'pk_live_1', secretKey: SECRET })
  for (const thing of [keys, client]) {
    assert(!inspect(thing, { depth: 9, showHidden: true }).includes(SECRET))
    assert(!JSON.stringify(thing).includes(SECRET))
  }
})
