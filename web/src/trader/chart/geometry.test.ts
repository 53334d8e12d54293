// Scales, ticks and paths of the charts.
import { expect, test } from 'vitest'
import { type Frame, pathOf, placeAt, rangeOf, rowsFor, spread, timeAt, timeTicks, valueTicks, within, xOf, yOf } from './geometry'

const frame: Frame = { left: 0, right: 100, top: 10, bottom: 110, from: 1000, to: 2000, low: 0, high: 1 }

test('the edges of the frame are its first and last moment and its bounds', () => {
  expect([xOf(frame, 1000), xOf(frame, 2000), yOf(frame, 0), yOf(frame, 1)]).toEqual([0, 100, 110, 10])
  expect([timeAt(frame, 50), timeAt(frame, -9), timeAt(frame, 900)]).toEqual([1500, 1000, 2000])
})

test('the value at a moment is that of the last point before it', () => {
  const points = [1, 3, 5].map((time) => ({ time, value: time * 10 }))
  expect([0, 1, 2, 4.9, 5, 99].map((time) => placeAt(points, time))).toEqual([-1, 0, 0, 1, 2, 2])
  expect(within(points, 2, 4)).toEqual([
    { time: 2, value: 10 },
    { time: 3, value: 30 },
  ])
  expect(within(points, 0, 2)).toEqual([{ time: 1, value: 10 }])
})

test('a line of prices has steps and a line of quotes has slopes', () => {
  const points = [
    { time: 1000, value: 0 },
    { time: 2000, value: 1 },
  ]
  expect(pathOf(points, frame, true)).toBe('M0.0 110.0H100.0V10.0')
  expect(pathOf(points, frame, false)).toBe('M0.0 110.0L100.0 10.0')
})

test('a quiet price gets room, and a chance never leaves 0 to 1', () => {
  const [low, high] = rangeOf([0.5, 0.5], 0.1, [0, 1])
  expect([low, high]).toEqual([0.45, 0.55])
  expect(rangeOf([0.01, 0.99], 0.1, [0, 1])).toEqual([0, 1])
  expect(rangeOf([], 0.1, [0, 1])).toEqual([0, 1])
})

test('ticks are round values within the range', () => {
  expect(valueTicks(0.31, 0.52, 4)).toEqual([0.4, 0.5])
  expect(valueTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(valueTicks(64_120, 64_890, 4)).toEqual([64_200, 64_400, 64_600, 64_800])
  expect(valueTicks(1, 1, 4)).toEqual([])
})

test('ticks of time are round on the clock of the reader', () => {
  const day = 86_400
  const { step, times } = timeTicks(0, 3 * day, 4, 3600)
  expect(step).toBe(day)
  // Midnight of a clock that is an hour ahead is 23:00 of UTC.
  expect(times).toEqual([day - 3600, 2 * day - 3600, 3 * day - 3600])
  expect(timeTicks(0, 3600, 4, 0).times).toEqual([0, 900, 1800, 2700, 3600])
})

test('labels that would overlap are moved apart, inside the edges', () => {
  expect(spread([50, 52, 10], 14, 0, 100)).toEqual([50, 64, 10])
  expect(spread([98, 99], 14, 0, 100)).toEqual([86, 100])
})

test('labels that would meet in a line take rows of their own, and rows are used again', () => {
  const label = (left: number) => ({ left, right: left + 50 })
  expect(rowsFor([label(0), label(10), label(20), label(56), label(200)], 6)).toEqual([0, 1, 2, 0, 0])
  expect(rowsFor([label(10), label(0)], 6)).toEqual([1, 0])
})
