// Sums and lines of the venue's statistics.
import { expect, test } from 'vitest'
import { courseOf, sumsOf, timesOf, valuesOf } from './statistics'

const bucket = (hour: number, more: object) => ({
  start: `2026-01-01T0${hour}:00:00Z`,
  volume: 0,
  fees: 0,
  trades: 0,
  traders: 0,
  poolResult: 0,
  ...more,
})
const buckets = [
  bucket(1, { volume: 10.000001, fees: 0.1, trades: 2, traders: 2, poolResult: -1.5 }),
  bucket(2, {}),
  bucket(3, { volume: 5, fees: 0.05, trades: 1, traders: 3, poolResult: 2 }),
]

test('sums are exact, and traders are not added up', () => {
  expect(sumsOf(buckets)).toEqual({ volume: 15_000_001n, fees: 150_000n, pools: 500_000n, trades: 3, traders: 3 })
  expect(sumsOf([])).toEqual({ volume: 0n, fees: 0n, pools: 0n, trades: 0, traders: 0 })
})

test('the course of the pools adds up their gains and losses', () => {
  expect(courseOf(buckets)).toEqual([-1.5, -1.5, 0.5])
})

test('a line has a value for each bucket', () => {
  expect(valuesOf(buckets, (one) => one.traders)).toEqual([2, 0, 3])
  expect(timesOf(buckets)[0]).toBe(Date.parse('2026-01-01T01:00:00Z') / 1000)
})
