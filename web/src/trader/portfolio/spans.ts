// A period cut into equal spans that end now. All time begins at the first movement.
import type { PnlPeriod } from '../../shared/api/types'

const HOURS: Partial<Record<PnlPeriod, number>> = { '24H': 24, '1W': 168, '1M': 720, '1Y': 8760 }
const SPANS = 8

/** `first`: of the account's movements, for all time. */
export function spans(period: PnlPeriod, now: number, first = now): { start: number; end: number }[] {
  const length = period === 'ALL' ? Math.max(SPANS, now - first) : (HOURS[period] ?? 8760) * 3_600_000
  const begin = now - length
  return Array.from({ length: SPANS }, (_, index) => ({
    start: begin + Math.round((length * index) / SPANS),
    end: begin + Math.round((length * (index + 1)) / SPANS),
  }))
}
