// Never more a second than the server takes, nothing lost, nothing out of order.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Pace } from './pace'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('sends the first ones at once and the rest as they become allowed', () => {
  const sent: string[] = []
  const pace = new Pace((text) => sent.push(text), 3)
  for (const text of 'abcdefgh') pace.push(text)
  expect(sent.join('')).toBe('abc')
  vi.advanceTimersByTime(1010)
  expect(sent.join('')).toBe('abcdef')
  vi.advanceTimersByTime(1010)
  expect(sent.join('')).toBe('abcdefgh')
})

it('forgets what waits when the connection is gone', () => {
  const sent: string[] = []
  const pace = new Pace((text) => sent.push(text), 1)
  pace.push('a')
  pace.push('b')
  pace.clear()
  vi.advanceTimersByTime(5000)
  expect(sent).toEqual(['a'])
})
