// A stream that is cut comes back, subscribes again, tells its listeners, and never goes back in time.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Message } from './topic'

class FakeSocket {
  static all: FakeSocket[] = []
  sent: any[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  readonly url: string

  constructor(url: string) {
    this.url = url
    FakeSocket.all.push(this)
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.onclose?.()
  }
  tell(message: Message) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const price = (sequence: number, value: number): Message => ({
  type: 'price_update',
  sequence,
  data: { id: 'E', markets: value },
})

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' })
  vi.stubGlobal('addEventListener', () => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open() {
  const { Stream } = await import('./stream')
  const stream = new Stream(() => '/ws/v1/markets')
  const heard: unknown[] = []
  let resumed = 0
  const leave = stream.listen('prices:E', {
    receive: (message) => heard.push(message.data.markets),
    resumed: () => (resumed += 1),
  })
  const socket = FakeSocket.all[0]!
  socket.onopen!()
  socket.tell({ type: 'subscribed', room: 'prices:E' })
  return { stream, heard, leave, socket, resumes: () => resumed }
}

it('subscribes when it is open, and hands messages on in order', async () => {
  const { heard, socket } = await open()
  expect(socket.url).toBe('ws://here/ws/v1/markets')
  expect(socket.sent).toEqual([{ type: 'subscribe', channel: 'prices', eventId: 'E' }])
  socket.tell(price(5, 0.5))
  socket.tell(price(4, 0.4))
  socket.tell(price(6, 0.6))
  expect(heard).toEqual([0.5, 0.6])
})

it('gives a later listener the known state', async () => {
  const { stream, socket } = await open()
  socket.tell(price(5, 0.5))
  const late: unknown[] = []
  stream.listen('prices:E', { receive: (message) => late.push(message.data.markets) })
  expect(late).toEqual([0.5])
  expect(socket.sent).toHaveLength(1)
})

it('comes back after a cut and tells its listeners once they are subscribed again', async () => {
  const { heard, socket, resumes } = await open()
  socket.tell(price(5, 0.5))
  socket.close()
  vi.advanceTimersByTime(600)
  const again = FakeSocket.all[1]!
  again.onopen!()
  expect(again.sent).toEqual([{ type: 'subscribe', channel: 'prices', eventId: 'E' }])
  expect(resumes()).toBe(0)
  again.tell({ type: 'subscribed', room: 'prices:E' })
  expect(resumes()).toBe(1)
  again.tell(price(4, 0.4))
  again.tell(price(7, 0.7))
  expect(heard).toEqual([0.5, 0.7])
})

it('leaves rooms by the name that the server uses, and closes the connection without listeners', async () => {
  const { stream, leave, socket } = await open()
  const leaveOrders = stream.listen('orders:M', { receive: () => undefined })
  socket.tell({ type: 'subscribed', room: 'orders:U:M' })
  leaveOrders()
  expect(socket.sent.at(-1)).toEqual({ type: 'unsubscribe', room: 'orders:U:M' })
  leave()
  expect(stream.condition).toBe('idle')
})

it('takes a silent line for a dead one', async () => {
  const { stream } = await open()
  vi.advanceTimersByTime(70_000)
  expect(stream.condition).not.toBe('live')
})

it('counts as broken until it is live again, however often it tries', async () => {
  const { stream, socket } = await open()
  const told: boolean[] = []
  stream.observe(() => told.push(stream.broken))
  expect(stream.broken).toBe(false)
  socket.onclose!()
  await vi.advanceTimersByTimeAsync(500)
  expect(stream.condition).toBe('connecting')
  FakeSocket.all[1]!.onclose!()
  await vi.advanceTimersByTimeAsync(1000)
  expect(told.slice(1)).toEqual([true, true, true, true])
  FakeSocket.all[2]!.onopen!()
  expect([stream.broken, told.at(-1)]).toEqual([false, false])
})
