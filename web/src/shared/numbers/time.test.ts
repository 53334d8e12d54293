// Distances in time.
import { expect, it } from 'vitest'
import { ago, inUtc, milliseconds, remaining } from './time'

it('tells what is left in two units', () => {
  expect(remaining(100_000, 100_000)).toBe('')
  expect(remaining(65_000, 0)).toBe('1m 5s')
  expect(remaining(3_660_000, 0)).toBe('1h 1m')
  expect(remaining(90_000_000, 0)).toBe('1d 1h')
})

it('tells a moment in UTC too', () => {
  expect(inUtc('2026-01-01T22:15:00Z')).toMatch(/10:15|22:15/)
  expect(inUtc('2026-01-01T22:15:00Z')).toMatch(/UTC/)
  expect(inUtc('')).toBeUndefined()
})

it('tells how long ago', () => {
  const now = Date.parse('2026-01-01T12:00:00Z')
  expect(ago('2026-01-01T11:59:30Z', now)).toBe('just now')
  expect(ago('2026-01-01T11:00:00Z', now)).toBe('1h ago')
  expect(ago('', now)).toBe('')
  expect(milliseconds('')).toBeNull()
})
