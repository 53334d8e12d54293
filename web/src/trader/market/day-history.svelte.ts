// The last day of a market for cards: a line, and by how much it moved. Few are read at a time, each once in a while.
import { answer, api } from '../../shared/api/client'
import { round, units } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'

export interface DayHistory {
  points: number[]
  change: bigint
}

const AT_ONCE = 4
const KEPT_MILLISECONDS = 60_000
const kept = new Map<string, { at: number; history: Promise<DayHistory> }>()
const waiting: (() => void)[] = []
let running = 0

async function turn(): Promise<void> {
  if (running >= AT_ONCE) await new Promise<void>((resume) => waiting.push(resume))
  running += 1
}

function done(): void {
  running -= 1
  waiting.shift()?.()
}

async function read(eventId: string, marketId: string, currency: Currency): Promise<DayHistory> {
  await turn()
  try {
    const answered = await answer(
      api.GET('/v1/pm/events/{eventId}/price-history', {
        params: { path: { eventId }, query: { timePeriod: '24H', 'marketId[]': [marketId], outcome: 'YES', currency } },
      }),
    )
    const points = answered.markets.find((market) => market.marketId === marketId)?.priceHistory ?? []
    const first = points[0]
    const last = points.at(-1)
    return {
      points: points.map((point) => Number(point.p)),
      // To the tenth of a point, as it is shown: an arrow beside a nought would be odd.
      change: first && last ? round(units(last.p) - units(first.p), 3) : 0n,
    }
  } finally {
    done()
  }
}

export function dayHistory(eventId: string, marketId: string, currency: Currency): Promise<DayHistory> {
  const key = `${marketId}:${currency}`
  const found = kept.get(key)
  if (found && Date.now() - found.at < KEPT_MILLISECONDS) return found.history
  const history = read(eventId, marketId, currency)
  kept.set(key, { at: Date.now(), history })
  history.catch(() => kept.delete(key))
  return history
}
