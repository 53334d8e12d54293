/** What is sent on each try, and the error after the last one, against a server with a script. */

import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'

import {
  BellwetherError,
  Client,
  ConnectionFailed,
  NotFound,
  OutcomeUnknown,
  RateLimited,
  requests,
  RuleRefused,
  Unauthorized,
  UnreadableAnswer,
  type Answer,
  type ClientOptions,
  type Request,
} from 'bellwether-exchange'
import { createKey, login } from '#internal/requests/session'
import { classify } from '#internal/retry'
import { NoAnswer, readAnswer, refusalOf } from '#internal/wire'

import { Chance } from './chance.js'
import { Scripted, type Reply } from './scripted.js'

const SECRET = 'sk_live_secret'
const OK: Reply = [200, { fine: true }]

function error(statusCode: number, fields: object = {}): Reply {
  return [statusCode, { error: 'word', message: 'text', statusCode, ...fields }]
}

function clientOf(server: Scripted, options: ClientOptions = {}): Client {
  return new Client({ baseUrl: server.url, publicKey: 'pk_live_1', secretKey: SECRET, timeoutSeconds: 5, ...options })
}

async function withServer<T>(replies: readonly Reply[], work: (server: Scripted) => Promise<T>): Promise<T> {
  const server = await Scripted.start(replies)
  try {
    return await work(server)
  } finally {
    server.stop()
  }
}

/** The answer of a request to a server with a script, and what arrived there. */
function send(replies: readonly Reply[], request: Request, options: ClientOptions = {}) {
  return withServer(replies, async (server) => {
    const result: Answer | Error = await clientOf(server, options)
      .send(request)
      .catch((error: Error) => error)
    return { result, seen: server.seen }
  })
}

const newOrder = { outcomeId: 'outcome', side: 'BUY', amount: 10 } as const
const order = () => requests.placeOrder('event', 'market', newOrder)

test('a write that adds is repeated with one key and the same bytes', async () => {
  const adding = [
    order,
    () => requests.placeBatch([newOrder]),
    () => requests.mint('market', 5, 'USD'),
    () => requests.burn('market', 5, 'USD'),
    () => requests.cancelAll({}),
  ]
  const lost: Reply[] = ['drop', 'cut', error(500), error(503, { outcome: 'unknown' }), error(409), [502, '<p>']]
  const cases = adding.flatMap((make) => lost.map((reply) => ({ make, reply })))
  const check = async ({ make, reply }: (typeof cases)[number]) => {
    const { result, seen } = await send([reply, reply, OK], make())
    assert(!(result instanceof Error), String(result))
    assert.deepEqual(result.payload, { fine: true })
    assert.equal(seen.length, 3)
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']))
    assert.equal(keys.size, 1)
    assert.match(String([...keys][0]), /^[0-9a-f]{32}$/)
    assert(seen.every(({ headers }) => headers['idempotency-window'] === '600'))
    assert.equal(new Set(seen.map(({ method, path, body }) => `${method} ${path} ${body}`)).size, 1)
    assert(seen.every(({ headers }) => headers['x-signature']))
  }
  await Promise.all(cases.map(check))
})

test('two orders have two keys, and a key of your own is sent', () => {
  assert.notEqual(order().idempotencyKey, order().idempotencyKey)
  const own = requests.placeOrder('event', 'market', newOrder, 'mine')
  assert.equal(own.idempotencyKey, 'mine')
  assert.equal(own.idempotencyWindow, undefined, 'a key of the caller lives for a day')
})

test('cancels and amends are repeated without a key', async () => {
  const harmless = [
    requests.cancelOrder('order'),
    requests.cancelBatch(['order']),
    requests.amendBatch([{ orderId: 'order', price: '0.4' }]),
    requests.cancelAfter(60),
  ]
  for (const request of harmless) {
    const { result, seen } = await send(['drop', OK], request)
    assert(!(result instanceof Error) && result.isRepeated)
    assert(seen.every(({ headers }) => headers['idempotency-key'] === undefined))
  }
})

test('a login and a new key are never repeated after an unknown outcome', async () => {
  const never = [login('ada@example.org', 'secret'), createKey({ token: 't', deviceId: 'd' }, 'name')]
  for (const request of never) {
    for (const reply of ['drop', 'cut', error(500), error(503, { outcome: 'unknown' })] as const) {
      const { result, seen } = await send([reply, OK], request)
      assert(result instanceof OutcomeUnknown)
      assert.equal(seen.length, 1)
    }
  }
})

test('what was not executed is repeated whatever it is', async () => {
  for (const refused of [error(429, { retryAfter: 0 }), error(503, { retryAfter: 0 }), error(408)]) {
    const { result, seen } = await send([refused, OK], login('ada@example.org', 'secret'))
    assert(!(result instanceof Error))
    assert.equal(seen.length, 2)
  }
})

test('a refusal is final and thrown by its class', async () => {
  const table: [Reply, typeof BellwetherError][] = [
    [error(404), NotFound as unknown as typeof BellwetherError],
    [error(401, { reason: 'unknown_key' }), Unauthorized as unknown as typeof BellwetherError],
    [error(422, { code: 'INSUFFICIENT_BALANCE' }), RuleRefused as unknown as typeof BellwetherError],
    [
      error(429, { code: 'TOO_MANY_IDEMPOTENCY_KEYS', retryAfter: 1 }),
      RateLimited as unknown as typeof BellwetherError,
    ],
  ]
  for (const [reply, kind] of table) {
    const { result, seen } = await send([reply, OK], order())
    assert(result instanceof kind)
    assert.equal(result.name, kind.name)
    assert.equal(seen.length, 1)
  }
})

test('an early refusal after a lost answer leaves the outcome unknown', async () => {
  const { result, seen } = await send(['drop', error(401)], order())
  assert(result instanceof OutcomeUnknown)
  assert.equal(result.idempotencyKey, seen[0]?.headers['idempotency-key'])
  assert.deepEqual(new Set(seen.map(({ headers }) => headers['x-trace-id'])), new Set([result.traceId]))
})

test('a result after a lost answer is the result', async () => {
  const { result } = await send(['drop', error(422, { code: 'MARKET_NOT_OPEN' })], order())
  assert(result instanceof RuleRefused && result.isRepeated)
})

test('the command of an unknown outcome is named', async () => {
  const replies = [error(503, { outcome: 'unknown', commandId: '0197' })]
  const { result } = await send(replies, order(), { retrySeconds: 0 })
  assert(result instanceof OutcomeUnknown)
  assert.equal(result.commandId, '0197')
})

test('a lost read is no unknown outcome', async () => {
  const { result } = await send(['drop'], requests.read('/v1/pm/events'), { retrySeconds: 0 })
  assert(result instanceof ConnectionFailed)
})

test('a try that takes too long may have been executed', async () => {
  // It accepts connections and never answers.
  const silent = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as AddressInfo
  const keys = { publicKey: 'pk_live_1', secretKey: SECRET }
  const client = new Client({ baseUrl: `http://127.0.0.1:${port}`, ...keys, retrySeconds: 0, timeoutSeconds: 0.1 })
  await assert.rejects(client.send(order()), OutcomeUnknown)
  silent.close()
})

test('an exchange that is not there executed nothing', async () => {
  const free = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => free.once('listening', resolve))
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  for (const host of ['127.0.0.1', 'localhost', 'no-such-host.invalid']) {
    const keys = { publicKey: 'pk_live_1', secretKey: SECRET }
    const client = new Client({ baseUrl: `http://${host}:${port}`, ...keys, retrySeconds: 0 })
    await assert.rejects(client.send(order()), ConnectionFailed, host)
  }
})

test('a success that is not JSON is repeated', async () => {
  const { result, seen } = await send([[200, '<html>'], OK], order())
  assert(!(result instanceof Error))
  assert.equal(seen.length, 2)
})

test('a redirect is not followed', async () => {
  const server = await Scripted.start([[302, {}], OK], { Location: '/elsewhere' })
  await assert.rejects(clientOf(server).send(requests.read('/v1/pm/events')), BellwetherError)
  assert.equal(server.seen.length, 1)
  server.stop()
})

test('a write without a secret is not sent', async () => {
  await withServer([OK], async (server) => {
    const client = new Client({ baseUrl: server.url, publicKey: 'pk_live_1' })
    await assert.rejects(client.send(order()), /secretKey/)
    await assert.rejects(new Client({ baseUrl: server.url }).send(order()), /publicKey/)
    assert.deepEqual(server.seen, [])
  })
})

test('retries and deprecated routes are logged, secrets are not', async () => {
  const lines: string[] = []
  const server = await Scripted.start(['drop', OK], { Deprecation: '@1767225600', Sunset: 'soon' })
  await clientOf(server, { log: (line) => lines.push(line) }).send(order())
  server.stop()
  assert.match(lines[0] ?? '', /the next try is in/)
  assert.match(lines[1] ?? '', /deprecated: @1767225600 soon/)
  assert(!lines.join().includes(SECRET))
})

test('a short list asks for a short page', async () => {
  const empty = { data: [], pagination: { page: 1, size: 3, lastPage: 1, totalCount: 0 } }
  await withServer([[200, empty]], async (server) => {
    assert.deepEqual(await clientOf(server).trades().first(3), [])
    assert.deepEqual(await clientOf(server).trades().first(0), [])
    assert.deepEqual(server.seen.map(({ path }) => path), ['/v1/pm/trades?size=3'])
  })
})

test('an answer of another shape is an error that names the field', async () => {
  await withServer([[200, { data: [{ id: 'x' }] }]], async (server) => {
    await assert.rejects(clientOf(server).trades().all(), (error) => {
      assert(error instanceof UnreadableAnswer)
      assert.match(error.message, /data\.marketId is not a text/)
      return true
    })
  })
})

test('any bytes of an answer are read or count as no answer', () => {
  const chance = new Chance(7)
  const pieces = ['{', '}', '[', '"error"', '"statusCode"', ':', ',', '1', '1e999', 'null', '\ufffd', '"retryAfter"']
  for (let round = 0; round < 3000; round += 1) {
    const body = Array.from({ length: chance.integer(0, 12) }, () => chance.of(pieces)).join('')
    const status = chance.of([200, 400, 409, 429, 500, 503])
    const headers = new Headers({ 'x-sequence': chance.of(['', '7', 'x', '-1', '1e5']) })
    try {
      const answer = readAnswer(status, headers, body)
      assert(classify(refusalOf(answer)))
      assert([undefined, 7].includes(answer.asOf))
    } catch (error) {
      assert(error instanceof NoAnswer)
      assert.equal(status, 200)
    }
  }
})

test('a slash in an id leads to no other path', async () => {
  const { seen } = await send([OK], requests.cancelOrder('../orders'))
  assert.equal(seen[0]?.path, '/v1/pm/orders/..%2Forders')
  assert.throws(() => requests.cancelOrder('..'), RangeError)
})

test('a price that got lost makes no market order', () => {
  const lost = { ...newOrder, price: undefined } as unknown as typeof newOrder
  assert.throws(() => requests.placeOrder('event', 'market', lost), /price is undefined/)
  const mistyped = { ...newOrder, prize: 0.4 }
  assert.throws(() => requests.placeOrder('event', 'market', mistyped), /no prize/)
})

test('a condition that got lost cancels nothing', () => {
  const lost = { marketId: undefined } as unknown as { marketId: string }
  assert.throws(() => requests.cancelAll(lost), /marketId is undefined/)
})
