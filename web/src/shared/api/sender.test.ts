// A write whose outcome is not known keeps its key; every other one is a new intent.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Failure, unreachable } from './failure'
import { Sender } from './sender'
import { OF_ANOTHER, shown } from './shown'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Heard {
  body: unknown
  key: string
}

/** Answers with a status each time, 0 for none; the last one goes on. */
function exchange(...statuses: number[]) {
  const heard: Heard[] = []
  const request = async (body: unknown, headers: { 'Idempotency-Key': string }) => {
    heard.push({ body, key: headers['Idempotency-Key'] })
    const status = statuses.length > 1 ? statuses.shift()! : statuses[0]!
    if (status === 0) throw unreachable()
    const response = new Response(null, { status })
    return response.ok ? { data: 'done', response } : { error: { error: 'x', message: 'Refused' }, response }
  }
  return { heard, request }
}

async function settled(sending: Promise<unknown>): Promise<string> {
  const told = sending.then(String, (error: Error) => error.message)
  await vi.runAllTimersAsync()
  return told
}
const NOT_KNOWN = /^The answer did not arrive/

it('repeats what got no answer under one key, and says what is not known', async () => {
  const sender = new Sender()
  const dead = exchange(0)
  expect(await settled(sender.send('buy', { size: 5 }, dead.request))).toMatch(NOT_KNOWN)
  expect(new Set(dead.heard.map(({ key }) => key)).size).toBe(1)

  // Asked for again: the body and the key of the first time, whatever it would be by now.
  const alive = exchange(200)
  expect(await settled(sender.send('buy', { size: 4 }, alive.request))).toBe('done')
  expect(alive.heard).toEqual([{ body: { size: 5 }, key: dead.heard[0]!.key }])

  // It is known: the next one, even if it is the same, is another.
  await settled(sender.send('buy', { size: 5 }, alive.request))
  expect(alive.heard[1]!.key).not.toBe(alive.heard[0]!.key)
})

it('keeps the key beside other writes, and through answers that say nothing of the first attempt', async () => {
  const sender = new Sender()
  const dead = exchange(500)
  await settled(sender.send('buy', 1, dead.request))
  const other = exchange(200)
  await settled(sender.send('sell', 1, other.request))
  expect(other.heard[0]!.key).not.toBe(dead.heard[0]!.key)
  for (const status of [429, 401, 503]) {
    const early = exchange(status)
    expect(await settled(sender.send('buy', 1, early.request))).toMatch(NOT_KNOWN)
    expect(early.heard[0]!.key).toBe(dead.heard[0]!.key)
  }
})

it('does not take a late refusal for the answer to an attempt that got none', async () => {
  const sender = new Sender()
  const cut = exchange(0, 429)
  expect(await settled(sender.send('buy', 1, cut.request))).toMatch(NOT_KNOWN)
  const alive = exchange(200)
  await settled(sender.send('buy', 1, alive.request))
  expect(alive.heard[0]!.key).toBe(cut.heard[0]!.key)
})

it('forgets what was refused, in the words of the refusal', async () => {
  const sender = new Sender()
  const refusing = exchange(422)
  expect(await settled(sender.send('buy', 1, refusing.request))).toBe('Refused')
  await settled(sender.send('buy', 1, refusing.request))
  expect(refusing.heard[0]!.key).not.toBe(refusing.heard[1]!.key)
})

it('two writes at a time are two', async () => {
  const sender = new Sender()
  const alive = exchange(200)
  await settled(Promise.all([sender.send('buy', 1, alive.request), sender.send('buy', 1, alive.request)]))
  expect(alive.heard[0]!.key).not.toBe(alive.heard[1]!.key)
})

it('never gives the key of one person to another, and knows that a refusal for another person did nothing', async () => {
  const sender = new Sender()
  const dead = exchange(0)
  shown.become({ id: 'bola', name: 'bola' })
  await settled(sender.send('buy', 1, dead.request))
  shown.become({ id: 'chidi', name: 'chidi' })
  const alive = exchange(200)
  await settled(sender.send('buy', 1, alive.request))
  expect(alive.heard[0]!.key).not.toBe(dead.heard[0]!.key)
  shown.become(undefined)
  const { undecided, early } = new Failure('', 409, OF_ANOTHER)
  expect([undecided, early]).toEqual([false, true])
})
