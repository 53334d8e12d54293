// Prices of the past, in the shapes that charts take: seconds, ascending, each once.
import { answer, api } from '../../shared/api/client'
import type { CandleInterval } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import { type ChartPeriod, distinct, lineOf } from './points'
import type { Bar, Line } from './price-chart'

export const PERIODS: { value: ChartPeriod; label: string }[] = [
  { value: '1H', label: '1H' },
  { value: '12H', label: '12H' },
  { value: '24H', label: '24H' },
  { value: '1W', label: '1W' },
  { value: '1M', label: '1M' },
  { value: '1Y', label: '1Y' },
]

const HOUR_MILLISECONDS = 3_600_000
const HOURS: Record<ChartPeriod, number> = { '1H': 1, '12H': 12, '24H': 24, '1W': 168, '1M': 720, '1Y': 8760 }
const INTERVAL: Record<ChartPeriod, CandleInterval> = {
  '1H': '1m',
  '12H': '15m',
  '24H': '15m',
  '1W': '1h',
  '1M': '6h',
  '1Y': '1d',
}

/** What a market was worth after its end is no belief any more, so lines stop there. */
export async function readLines(
  eventId: string,
  marketIds: string[],
  period: ChartPeriod,
  currency: Currency,
  end = Infinity,
): Promise<Line[]> {
  if (period === '1H') {
    return Promise.all(
      marketIds.map(async (id) => ({ id, title: '', points: lineOf(await readCandles(id, '1H', currency, end), Date.now()) })),
    )
  }
  const { markets } = await answer(
    api.GET('/v1/pm/events/{eventId}/price-history', {
      params: { path: { eventId }, query: { timePeriod: period, 'marketId[]': marketIds, outcome: 'YES', currency } },
    }),
  )
  return marketIds.flatMap((id) => {
    const found = markets.find((market) => market.marketId === id)
    return found
      ? [{ id, title: found.title, points: distinct(found.priceHistory.filter((point) => point.e < end)) }]
      : []
  })
}

export async function readCandles(
  marketId: string,
  period: ChartPeriod,
  currency: Currency,
  end = Infinity,
): Promise<Bar[]> {
  // The last hour of what is over is the hour before its end.
  const until = period === '1H' ? Math.min(Date.now(), end) : Date.now()
  const from = new Date(until - HOURS[period] * HOUR_MILLISECONDS).toISOString()
  const { candles } = await answer(
    api.GET('/v1/pm/markets/{marketId}/candles', {
      params: { path: { marketId }, query: { interval: INTERVAL[period], outcome: 'YES', currency, from } },
    }),
  )
  return candles.map((candle) => ({
    time: Math.floor(Date.parse(candle.start) / 1000),
    open: Number(candle.open),
    high: Number(candle.high),
    low: Number(candle.low),
    close: Number(candle.close),
  }))
}
