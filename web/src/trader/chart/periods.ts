// The spans of a chart: which are offered for an event, which comes first, and how fine each is.
import type { CandleInterval, HistoryPeriod } from '../../shared/api/types'
import { milliseconds } from '../../shared/numbers/time'
import * as texts from '../texts/chart'

/** The API's periods, an hour by the minute, and everything since the opening. */
export type ChartPeriod = HistoryPeriod | '1H' | 'ALL'

const HOUR = 3600
const HOURS: Record<Exclude<ChartPeriod, 'ALL'>, number> = {
  '1H': 1,
  '12H': 12,
  '24H': 24,
  '1W': 168,
  '1M': 720,
  '1Y': 8760,
}
const INTERVAL: Record<Exclude<ChartPeriod, 'ALL'>, CandleInterval> = {
  '1H': '1m',
  '12H': '5m',
  '24H': '15m',
  '1W': '1h',
  '1M': '6h',
  '1Y': '1d',
}
const NAMES = Object.keys(HOURS) as Exclude<ChartPeriod, 'ALL'>[]

/** When trading began and when it ended or will, in seconds. */
export interface Life {
  begun: number
  ended: number | undefined
}

interface Dated {
  createdAt: string
  openingDate: string
  closingDate: string
  resolvedAt: string
}

export function lifeOf(event: Dated, now: number): Life {
  const begun = milliseconds(event.openingDate) ?? milliseconds(event.createdAt) ?? now
  const ended = milliseconds(event.resolvedAt) ?? milliseconds(event.closingDate)
  return { begun: begun / 1000, ended: ended !== null && ended <= now ? ended / 1000 : undefined }
}

/** Spans shorter than the event's life, and all of it. `now` is in seconds. */
export function periodsOf(life: Life, now: number): { value: ChartPeriod; label: string }[] {
  const age = (life.ended ?? now) - life.begun
  const shorter = NAMES.filter((name) => HOURS[name] * HOUR < age)
  return [...shorter, 'ALL' as const].map((value) => ({ value, label: texts.periods[value] }))
}

/** A week, or all of a shorter life. */
export function firstPeriod(life: Life, now: number): ChartPeriod {
  return (life.ended ?? now) - life.begun > HOURS['1W'] * HOUR ? '1W' : 'ALL'
}

/** The first and the last second of a span. */
export function spanOf(period: ChartPeriod, life: Life, now: number): [number, number] {
  const to = life.ended ?? now
  const from = period === 'ALL' ? life.begun : Math.max(life.begun, to - HOURS[period] * HOUR)
  return [Math.min(from, to - 60), to]
}

// A span of a week is read a moment after it was chosen, and is still a week.
const LATE_SECONDS = 600

/** The shortest period of the API that reaches back to a moment; nothing if none does. */
export function reachingBack(from: number, now: number): HistoryPeriod | undefined {
  const reaches = (name: ChartPeriod) => name !== 'ALL' && now - from <= HOURS[name] * HOUR + LATE_SECONDS
  return NAMES.find((name): name is HistoryPeriod => name !== '1H' && reaches(name))
}

/** How long the candles of a span are: never more than a thousand of them. */
export function intervalOf(from: number, to: number): CandleInterval {
  const name = NAMES.find((one) => to - from <= HOURS[one] * HOUR)
  return name ? INTERVAL[name] : '1d'
}
