import { expect, test } from 'vitest'
import { beats, percentile } from './pulse'

const reading = (at: number, sequence: number) => ({ at, sequence, historyLag: 2, waiting: 0, latency: 5 })

test('throughput is what was applied in between, per second', () => {
  expect(beats([reading(0, 100), reading(2000, 150)])).toEqual([
    { at: 2000, throughput: 25, latency: 5, historyLag: 2 },
  ])
  expect(beats([reading(0, 100)])).toEqual([])
})

test('a sequence that went back gives no throughput', () => {
  expect(beats([reading(0, 100), reading(2000, 3)])[0]!.throughput).toBeNull()
})

test('a percentile is one of the values', () => {
  expect(percentile([], 95)).toBeNull()
  expect(percentile([3, 1, 2], 50)).toBe(2)
  expect(percentile([3, 1, 2], 95)).toBe(3)
})
