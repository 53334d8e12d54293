// Points of a chart: seconds, ascending, each once. The last price of a second counts.
import type { HistoryPeriod } from '../../shared/api/types'
import { milliseconds } from '../../shared/numbers/time'
import type { Bar } from './price-chart'

/** The API's periods, and an hour by the minute: questions that live for a quarter of one have no other past. */
export type ChartPeriod = HistoryPeriod | '1H'

const BRIEF_MILLISECONDS = 12 * 3_600_000
const MINUTE_SECONDS = 60

/** What a chart shows at first: a week, or an hour for what lives less than half a day. */
export function firstPeriod(event: { createdAt: string; openingDate: string; closingDate: string }): ChartPeriod {
  const begun = milliseconds(event.openingDate) ?? milliseconds(event.createdAt)
  const over = milliseconds(event.closingDate)
  return begun !== null && over !== null && over - begun <= BRIEF_MILLISECONDS ? '1H' : '1W'
}

/** A line out of candles of a minute: where the first began, and where each ended or has come to by now. */
export function lineOf(candles: readonly Bar[], now: number): { time: number; value: number }[] {
  const first = candles[0]
  if (!first) return []
  const end = (candle: Bar) =>
    Math.max(candle.time + 1, Math.min(candle.time + MINUTE_SECONDS, Math.floor(now / 1000)))
  return [
    { time: first.time, value: first.open },
    ...candles.map((candle) => ({ time: end(candle), value: candle.close })),
  ]
}

/** A line of what is over ends where it was decided: at nothing or at all. */
export function settled(
  points: { time: number; value: number }[],
  end: number,
  value: number,
): { time: number; value: number }[] {
  const time = Math.floor(end / 1000)
  return [...points.filter((point) => point.time < time), { time, value }]
}

export function distinct(points: { e: number; p: number | string }[]): { time: number; value: number }[] {
  const kept = new Map<number, number>()
  for (const point of points) kept.set(Math.floor(point.e / 1000), Number(point.p))
  return [...kept].sort(([left], [right]) => left - right).map(([time, value]) => ({ time, value }))
}
