// Profit by period, and its course within the period: the exchange tells it for any span, so the period is cut into some.
import { answer, api } from '../../shared/api/client'
import type { Pnl, PnlPeriod } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'
import * as texts from '../texts/portfolio'
import { spans } from './spans'
import { readWorth } from './worth'

export const PERIODS: { value: PnlPeriod; label: string }[] = [
  { value: '24H', label: texts.oneDay },
  { value: '1W', label: texts.oneWeek },
  { value: '1M', label: texts.oneMonth },
  { value: '1Y', label: texts.oneYear },
  { value: 'ALL', label: texts.all },
]

export interface Course {
  /** Seconds. */
  times: number[]
  /** What had been made by then, since the period began: for pixels only. */
  made: number[]
}

export async function readPnl(period: PnlPeriod, currency: Currency): Promise<Pnl> {
  return answer(api.GET('/v1/pm/pnl', { params: { query: { timePeriod: period, currency, breakdown: true } } }))
}

export async function readCourse(period: PnlPeriod, currency: Currency, now = Date.now()): Promise<Course> {
  const first = period === 'ALL' ? (await readWorth(period, currency)).times[0] : undefined
  const parts = spans(period, now, first && first * 1000)
  const results = await Promise.all(
    parts.map(({ start, end }) => {
      const query = { start: new Date(start).toISOString(), end: new Date(end).toISOString(), currency }
      return answer(api.GET('/v1/pm/pnl', { params: { query } }))
    }),
  )
  let total = 0n
  const made = results.map((result) => Number((total += units(result.realizedPnl))) / 1e6)
  return {
    times: [parts[0]!.start, ...parts.map((part) => part.end)].map((at) => Math.floor(at / 1000)),
    made: [0, ...made],
  }
}
