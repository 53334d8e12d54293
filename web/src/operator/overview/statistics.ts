// Statistics as the charts show them: sums and lines out of buckets. Pure.
import { type Decimal, units } from '../../shared/numbers/decimal'

export interface Bucket {
  start: string
  volume: Decimal
  fees: Decimal
  trades: number
  traders: number
  poolResult: Decimal
}

/** Exact sums of all buckets, and the most traders of one. */
export function sumsOf(buckets: readonly Bucket[]) {
  const sum = (of: (bucket: Bucket) => Decimal) => buckets.reduce((total, bucket) => total + units(of(bucket)), 0n)
  return {
    volume: sum((bucket) => bucket.volume),
    fees: sum((bucket) => bucket.fees),
    pools: sum((bucket) => bucket.poolResult),
    trades: buckets.reduce((total, bucket) => total + bucket.trades, 0),
    traders: Math.max(0, ...buckets.map((bucket) => bucket.traders)),
  }
}

/** The values of one line, as a chart takes them: rounded to what a screen can show. */
export function valuesOf(buckets: readonly Bucket[], of: (bucket: Bucket) => Decimal | number): number[] {
  return buckets.map((bucket) => Number(of(bucket)))
}

/** What the pools gained or lost up to the end of each bucket. */
export function courseOf(buckets: readonly Bucket[]): number[] {
  let total = 0n
  return buckets.map((bucket) => Number((total += units(bucket.poolResult))) / 1e6)
}

/** Seconds of the buckets' starts. */
export const timesOf = (buckets: readonly Bucket[]) => buckets.map((bucket) => Date.parse(bucket.start) / 1000)
