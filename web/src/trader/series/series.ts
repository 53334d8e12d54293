// Series: the same question again and again, a new event each time.
import { answer, api } from '../../shared/api/client'
import type { Event, Series } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { readEvents } from '../market/read-events'
import * as texts from '../texts/cards'

export async function readSeries(): Promise<Series[]> {
  const { series } = await answer(api.GET('/v1/pm/events/series', { params: { query: { size: 100 } } }))
  // The quickest first: there is always something about to happen.
  const order = ['FIVE_MINUTE', 'FIFTEEN_MINUTE', 'HOURLY', 'SIX_HOURLY', 'DAILY']
  return series.sort(
    (left, right) =>
      order.indexOf(left.intervalType) - order.indexOf(right.intervalType) || left.slug.localeCompare(right.slug),
  )
}

export async function readSeriesEvents(seriesSlug: string, currency: Currency, size: number): Promise<Event[]> {
  const all = { words: '', category: '', status: '' as const, trending: false, watchlist: false }
  return (await readEvents({ ...all, seriesSlug, currency }, 1, size)).events
}

export const INTERVAL: Record<string, string> = {
  FIVE_MINUTE: texts.every5Minutes,
  FIFTEEN_MINUTE: texts.every15Minutes,
  HOURLY: texts.everyHour,
  SIX_HOURLY: texts.every6Hours,
  DAILY: texts.everyDay,
}
