// The last hour as the charts show it, from the samples that a node keeps. Pure.
import { type Decimal, units } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'
import type { SignalSample } from '../api/types'

const MILLISECOND_MICROS = 1000

/** Seconds of the samples' ends. */
export const timesOf = (samples: readonly SignalSample[]) => samples.map((sample) => Date.parse(sample.at) / 1000)

/** Responses per second. */
export const ratesOf = (samples: readonly SignalSample[]) =>
  samples.map((sample) => (sample.seconds > 0 ? sample.requests / sample.seconds : 0))

/** A quantile of the response times in milliseconds; null where there was no response. */
export const quantilesOf = (samples: readonly SignalSample[], which: 'p50Micros' | 'p99Micros') =>
  samples.map((sample) => {
    const micros = sample[which]
    return micros === null || micros === undefined ? null : micros / MILLISECOND_MICROS
  })

/** What happened in a currency in each sample. */
export const businessOf = (samples: readonly SignalSample[], currency: Currency) =>
  samples.map((sample) => {
    const one = sample.currencies.find((found) => found.currency === currency)
    return { volume: one?.volume ?? 0, fees: one?.fees ?? 0, trades: one?.trades ?? 0, traders: one?.traders ?? 0 }
  })

type Business = ReturnType<typeof businessOf>[number]

/** Exact sums, and the most traders of one sample. */
export function sumsOf(business: readonly Business[]) {
  const sum = (of: (one: Business) => Decimal) => business.reduce((total, one) => total + units(of(one)), 0n)
  return {
    volume: sum((one) => one.volume),
    fees: sum((one) => one.fees),
    trades: business.reduce((total, one) => total + one.trades, 0),
    traders: Math.max(0, ...business.map((one) => one.traders)),
  }
}
