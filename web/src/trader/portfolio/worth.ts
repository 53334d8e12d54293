// The account's value over time, for a chart.
import { answer, api } from '../../shared/api/client'
import type { PnlPeriod } from '../../shared/api/types'
import { type Decimal, units } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'

export interface Worth {
  /** Seconds. */
  times: number[]
  /** For pixels only. */
  values: number[]
  last: Decimal
}

const reading = new Map<string, Promise<Worth>>()

/** Two parts of a page that want it at the same time share its answer. */
export function readWorth(period: PnlPeriod, currency: Currency): Promise<Worth> {
  const key = period + currency
  const running = reading.get(key)
  if (running) return running
  const worth = read(period, currency).finally(() => reading.delete(key))
  reading.set(key, worth)
  return worth
}

async function read(period: PnlPeriod, currency: Currency): Promise<Worth> {
  const query = { timePeriod: period, currency }
  const { points } = await answer(api.GET('/v1/pm/account/value', { params: { query } }))
  return {
    times: points.map((point) => Math.floor(Date.parse(point.timestamp) / 1000)),
    values: points.map((point) => Number(units(point.value)) / 1e6),
    last: points.at(-1)?.value ?? '0',
  }
}
