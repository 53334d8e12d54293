// A logout takes this browser's push subscription along.
import { afterEach, expect, it, vi } from 'vitest'
import { session } from './session.svelte'

const calls: string[] = []
const push = { fails: false, hangs: false }
vi.mock('../../shared/stream/stream', () => ({ own: { restart: () => undefined } }))
vi.mock('../notifications/push', () => ({
  leavePush: async () => {
    calls.push('leave push')
    if (push.hangs) await new Promise(() => undefined)
    if (push.fails) throw new Error('no line')
  },
}))
vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
  calls.push(`${method} session`)
  return new Response(method === 'POST' ? '{"user":{"id":"A","email":"ada@example.org","tag":"ada"}}' : '{}')
})
afterEach(() => calls.splice(0))

it('leaves the push service while the session still proves who asks', async () => {
  await session.login('ada@example.org', 'secret')
  await session.logout()
  expect(calls).toEqual(['POST session', 'leave push', 'DELETE session'])
  expect(session.active).toBe(false)
})

it('logs out also where the push service cannot be left', async () => {
  push.fails = true
  await session.login('ada@example.org', 'secret')
  await session.logout()
  expect([calls.at(-1), session.active]).toEqual(['DELETE session', false])
})

it('logs out also where the push service does not answer', async () => {
  vi.useFakeTimers()
  push.hangs = true
  await session.login('ada@example.org', 'secret')
  const done = session.logout()
  await vi.advanceTimersByTimeAsync(10_000)
  await done
  expect([calls.at(-1), session.active]).toEqual(['DELETE session', false])
  vi.useRealTimers()
})
