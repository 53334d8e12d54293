// Push messages belong to the person who is logged in, not to the browser.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leavePush, pushState, subscribe, unsubscribe } from './push'

const exchange = { subscriptions: [] as { id: string; endpoint: string }[], calls: [] as string[], isBroken: false }
vi.mock('../../shared/api/client', () => {
  const answered = (call: string, data: unknown = {}) => {
    if (exchange.isBroken) return Promise.reject(new Error('no line'))
    exchange.calls.push(call)
    return Promise.resolve(data)
  }
  return {
    answer: (call: Promise<unknown>) => call,
    onePerson: () => () => undefined,
    api: {
      GET: () => answered('GET', { publicKey: 'key', subscriptions: exchange.subscriptions }),
      POST: (_: string, { body }: { body: { endpoint: string } }) => answered(`POST ${body.endpoint}`),
      DELETE: (_: string, { params }: { params: { path: { subscriptionId: string } } }) =>
        answered(`DELETE ${params.path.subscriptionId}`),
    },
  }
})

let held: { endpoint: string } | null
let made: number
const subscription = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: {} }),
  unsubscribe: async () => {
    held = null
    return true
  },
})

beforeEach(() => {
  made = 0
  Object.assign(exchange, { subscriptions: [{ id: 'a', endpoint: 'https://push/1' }], calls: [], isBroken: false })
  held = subscription('https://push/1')
  const pushManager = {
    getSubscription: async () => held,
    subscribe: async () => (held ??= subscription(`https://push/new-${(made += 1)}`)),
  }
  const worker = { pushManager }
  const serviceWorker = { register: async () => worker, ready: Promise.resolve(worker), getRegistration: async () => worker }
  vi.stubEnv('PROD', true)
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('window', { PushManager: class {}, Notification: class {} })
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

it('is on only for the person whose subscription it is', async () => {
  expect(await pushState()).toBe('on')
  exchange.subscriptions = []
  expect(await pushState()).toBe('off')
  held = null
  expect(await pushState()).toBe('off')
})

it('takes the subscription back at the exchange and in the browser', async () => {
  expect(await unsubscribe()).toBe('off')
  expect([held, exchange.calls]).toEqual([null, ['GET', 'DELETE a']])
})

it('ends with the session, also when the exchange cannot be reached', async () => {
  await leavePush()
  expect([held, exchange.calls]).toEqual([null, ['GET', 'DELETE a']])
  held = subscription('https://push/1')
  exchange.isBroken = true
  await expect(leavePush()).rejects.toThrow('no line')
  expect(held).toBeNull()
})

it('makes a new subscription where the browser still has that of another person', async () => {
  exchange.subscriptions = []
  expect(await subscribe()).toBe('on')
  expect(exchange.calls).toEqual(['GET', 'POST https://push/new-1'])
})
