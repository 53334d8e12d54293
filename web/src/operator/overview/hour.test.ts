// The last hour out of a node's samples.
import { expect, test } from 'vitest'
import type { SignalSample } from '../api/types'
import { businessOf, quantilesOf, ratesOf, sumsOf, timesOf } from './hour'

const sample = (minute: number, more: Partial<SignalSample>): SignalSample => ({
  at: `2026-01-01T01:0${minute}:00Z`,
  seconds: 60,
  requests: 0,
  errors: 0,
  commands: 0,
  currencies: [],
  ...more,
})
const usd = (volume: number, fees: number, trades: number, traders: number) =>
  ({ currency: 'USD', volume, fees, trades, traders }) as SignalSample['currencies'][number]
const samples = [
  sample(1, { requests: 90, p50Micros: 400, p99Micros: 2500, currencies: [usd(10.000001, 0.1, 2, 3)] }),
  sample(2, {}),
  sample(3, { requests: 30, seconds: 0, p50Micros: null, currencies: [usd(5, 0.05, 1, 2)] }),
]

test('rates are per second, and quantiles in milliseconds', () => {
  expect(ratesOf(samples)).toEqual([1.5, 0, 0])
  expect(quantilesOf(samples, 'p50Micros')).toEqual([0.4, null, null])
  expect(quantilesOf(samples, 'p99Micros')).toEqual([2.5, null, null])
  expect(timesOf(samples)[1]! - timesOf(samples)[0]!).toBe(60)
})

test('sums of a currency are exact, and traders are not added up', () => {
  expect(sumsOf(businessOf(samples, 'USD'))).toEqual({ volume: 15_000_001n, fees: 150_000n, trades: 3, traders: 3 })
  expect(sumsOf(businessOf(samples, 'NGN'))).toEqual({ volume: 0n, fees: 0n, trades: 0, traders: 0 })
})
