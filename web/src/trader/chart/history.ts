// Prices of the past, in the shapes that charts take.
import { answer, api } from '../../shared/api/client'
import type { CandleInterval } from '../../shared/api/types'
import type { Currency } from '../../shared/numbers/format'
import type { Bar, Point } from './geometry'
import { intervalOf, reachingBack } from './periods'
import { distinct, lineOf } from './points'

export const SECONDS: Record<CandleInterval, number> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '6h': 21_600,
  '1d': 86_400,
}

/** Prices of YES by market, from a moment to another, in seconds, and the bars of one market. */
export async function readPast(
  eventId: string,
  marketIds: string[],
  marketId: string,
  span: [number, number],
  currency: Currency,
): Promise<{ lines: Map<string, Point[]>; bars: Bar[] }> {
  const ofMarket = readBars(marketId, span, currency)
  const barsOf = (id: string) => (id === marketId ? ofMarket : readBars(id, span, currency))
  const [lines, bars] = await Promise.all([readLines(eventId, marketIds, span, currency, barsOf), ofMarket])
  return { lines, bars }
}

async function readLines(
  eventId: string,
  marketIds: string[],
  [from, to]: [number, number],
  currency: Currency,
  barsOf: (marketId: string) => Promise<Bar[]>,
): Promise<Map<string, Point[]>> {
  const now = Date.now() / 1000
  const period = reachingBack(from, now)
  // What the API's periods do not reach, or show too coarsely, is put together from candles.
  if (!period || intervalOf(from, to) === '1m') {
    const length = SECONDS[intervalOf(from, to)]
    const read = async (id: string) => [id, lineOf(await barsOf(id), length, now)] as const
    return new Map(await Promise.all(marketIds.map(read)))
  }
  const query = { timePeriod: period, 'marketId[]': marketIds, outcome: 'YES', currency } as const
  const { markets } = await answer(api.GET('/v1/pm/events/{eventId}/price-history', { params: { path: { eventId }, query } }))
  // The price after the end is what was paid, not what was believed.
  return new Map(
    markets.map((market) => [market.marketId, distinct(market.priceHistory.filter((point) => point.e / 1000 <= to))]),
  )
}

async function readBars(marketId: string, [from, to]: [number, number], currency: Currency): Promise<Bar[]> {
  const interval = intervalOf(from, to)
  const query = {
    interval,
    outcome: 'YES',
    currency,
    from: new Date(from * 1000).toISOString(),
    to: new Date(Math.ceil(to) * 1000).toISOString(),
  } as const
  const { candles } = await answer(api.GET('/v1/pm/markets/{marketId}/candles', { params: { path: { marketId }, query } }))
  return candles.map((candle) => ({
    time: Math.floor(Date.parse(candle.start) / 1000),
    open: Number(candle.open),
    high: Number(candle.high),
    low: Number(candle.low),
    close: Number(candle.close),
    volume: Number(candle.volume),
  }))
}
