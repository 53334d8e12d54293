// Points of a chart are in order and never two at one second.
import { expect, it } from 'vitest'
import { complement, distinct, extended, lineOf, settled } from './points'

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

it('draws a line from a single minute, which ends no later than now', () => {
  const bar = (time: number, open: number, close: number) => ({ time, open, high: 1, low: 0, close, volume: 1 })
  expect(lineOf([bar(60, 0.4, 0.5)], 60, 90)).toEqual([
    { time: 60, value: 0.4 },
    { time: 90, value: 0.5 },
  ])
  expect(lineOf([bar(60, 0.4, 0.5), bar(120, 0.5, 0.6)], 60, 120).map((point) => point.time)).toEqual([60, 120, 121])
  expect(lineOf([], 60, 0)).toEqual([])
})

it('goes on to now at the last value, and never back', () => {
  const points = [{ time: 10, value: 0.4 }]
  expect(extended(points, 20)).toEqual([...points, { time: 20, value: 0.4 }])
  expect(extended(points, 20, 1)).toEqual([...points, { time: 20, value: 1 }])
  expect(extended(points, 9, 1)).toEqual(points)
  expect(extended([], 9)).toEqual([])
})

it('gives the other outcome the rest to one', () => {
  expect(complement([{ time: 1, value: 0.435 }])).toEqual([{ time: 1, value: 0.565 }])
})

it('ends at what was paid, also where the last candle reaches beyond the end', () => {
  const points = [{ time: 60, value: 0.4 }, { time: 120, value: 0.6 }]
  expect(settled(points, 100, 0)).toEqual([
    { time: 60, value: 0.4 },
    { time: 99, value: 0.6 },
    { time: 100, value: 0 },
  ])
  expect(settled(points, 300, 1).at(-1)).toEqual({ time: 300, value: 1 })
  expect(settled([], 10, 1)).toEqual([{ time: 10, value: 1 }])
})
