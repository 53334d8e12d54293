// Points of a chart: seconds, ascending, each once. The last price of a second counts.
import type { Bar, Point } from './geometry'

/** A line out of candles: where the first began, and where each ended or has come to by now. */
export function lineOf(candles: readonly Bar[], length: number, now: number): Point[] {
  const first = candles[0]
  if (!first) return []
  const end = (candle: Bar) => Math.max(candle.time + 1, Math.min(candle.time + length, Math.floor(now)))
  return [
    { time: first.time, value: first.open },
    ...candles.map((candle) => ({ time: end(candle), value: candle.close })),
  ]
}

export function distinct(points: { e: number; p: number | string }[]): Point[] {
  const kept = new Map<number, number>()
  for (const point of points) kept.set(Math.floor(point.e / 1000), Number(point.p))
  return [...kept].sort(([left], [right]) => left - right).map(([time, value]) => ({ time, value }))
}

/** The line goes on to a later moment, at a new value or at its own. A clock that is behind changes nothing. */
export function extended(points: readonly Point[], time: number, value?: number): Point[] {
  const last = points.at(-1)
  const reached = value ?? last?.value
  if (reached === undefined || (last && last.time >= time)) return [...points]
  return [...points, { time, value: reached }]
}

/** The line of what is over ends at what was paid. A candle may reach beyond the end: its price stood a moment before. */
export function settled(points: readonly Point[], end: number, paid: number): Point[] {
  const before = points.filter((point) => point.time < end)
  const cut = points[before.length]
  const [last, moment] = [before.at(-1), end - 1]
  if (cut && (!last || last.time < moment)) before.push({ time: moment, value: cut.value })
  return [...before, { time: end, value: paid }]
}

/** The other outcome is worth the rest to one. */
export function complement(points: readonly Point[]): Point[] {
  return points.map(({ time, value }) => ({ time, value: Math.round((1 - value) * 1e6) / 1e6 }))
}
