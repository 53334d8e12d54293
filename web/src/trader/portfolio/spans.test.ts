// A period is cut into spans that touch each other and end now.
import { expect, it } from 'vitest'
import { spans } from './spans'

it('covers the period without gaps', () => {
  const now = 1_800_000_000_000
  const parts = spans('24H', now)
  expect(parts[0]!.start).toBe(now - 86_400_000)
  expect(parts.at(-1)!.end).toBe(now)
  for (let index = 1; index < parts.length; index += 1) expect(parts[index]!.start).toBe(parts[index - 1]!.end)
})

it('begins all time at the first movement', () => {
  const now = 1_800_000_000_000
  const first = now - 3 * 365 * 86_400_000
  const parts = spans('ALL', now, first)
  expect([parts[0]!.start, parts.at(-1)!.end]).toEqual([first, now])
  // An account without one still has spans that follow each other.
  const none = spans('ALL', now)
  expect(none.every(({ start, end }) => start < end)).toBe(true)
})
