// Points of a chart are in order and never two at one second.
import { expect, it } from 'vitest'
import { distinct, firstPeriod, lineOf, settled } from './points'

it('keeps the last price of each second, in order', () => {
  expect(
    distinct([
      { e: 2_500, p: 0.3 },
      { e: 1_000, p: 0.1 },
      { e: 2_900, p: 0.4 },
    ]),
  ).toEqual([
    { time: 1, value: 0.1 },
    { time: 2, value: 0.4 },
  ])
})

it('shows an hour of what lives a quarter of one, and a week of the rest', () => {
  const at = { createdAt: '2026-01-01T09:00:00Z', openingDate: '', closingDate: '2026-01-01T09:15:00Z' }
  expect(firstPeriod(at)).toBe('1H')
  expect(firstPeriod({ ...at, closingDate: '2026-03-01T00:00:00Z' })).toBe('1W')
  expect(firstPeriod({ ...at, closingDate: '' })).toBe('1W')
})

it('draws a line from a single minute, which ends no later than now', () => {
  const bar = (time: number, open: number, close: number) => ({ time, open, high: 1, low: 0, close })
  expect(lineOf([bar(60, 0.4, 0.5)], 90_000)).toEqual([
    { time: 60, value: 0.4 },
    { time: 90, value: 0.5 },
  ])
  expect(lineOf([bar(60, 0.4, 0.5), bar(120, 0.5, 0.6)], 120_000).map((point) => point.time)).toEqual([60, 120, 121])
  expect(lineOf([], 0)).toEqual([])
})

it('ends a line of what is over where it was decided', () => {
  const points = [
    { time: 1, value: 0.4 },
    { time: 9, value: 0.6 },
  ]
  expect(settled(points, 5_500, 1)).toEqual([
    { time: 1, value: 0.4 },
    { time: 5, value: 1 },
  ])
})
