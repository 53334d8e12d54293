// The rounds of a series: which is on, which came before, and the asset's price at their boundaries. Pure; times are seconds.
import type { Event } from '../../shared/api/types'
import { milliseconds } from '../../shared/numbers/time'
import type { Point } from '../chart/geometry'

export type Round = Pick<
  Event,
  'id' | 'slug' | 'status' | 'openingDate' | 'createdAt' | 'closingDate' | 'eventThreshold' | 'eventCloseValue' | 'markets'
>

const opening = (round: Round) => milliseconds(round.openingDate) ?? milliseconds(round.createdAt) ?? 0
const closing = (round: Round) => milliseconds(round.closingDate) ?? Infinity

export function inOrder<One extends Round>(rounds: readonly One[]): One[] {
  return [...rounds].sort((left, right) => opening(left) - opening(right))
}

/** The round that trades at a moment in milliseconds, the earliest to close first. */
export function roundAt<One extends Round>(rounds: readonly One[], now: number): One | undefined {
  return inOrder(rounds).find((round) => round.status === 'open' && opening(round) <= now && now < closing(round))
}

/** The round after one: that which opens when it closes. A later one is not the next; only the newest rounds are known. */
export function after<One extends Round>(rounds: readonly One[], round: Round): One | undefined {
  return rounds.find((one) => one.id !== round.id && opening(one) === closing(round))
}

/** Whether no round is known that opens later. */
export function isNewest(rounds: readonly Round[], round: Round): boolean {
  return rounds.every((one) => opening(one) <= opening(round))
}

/** The last rounds that ended before one, the oldest first. */
export function before<One extends Round>(rounds: readonly One[], round: Round, most: number): One[] {
  return inOrder(rounds)
    .filter((one) => one.id !== round.id && closing(one) <= opening(round))
    .slice(-most)
}

export type Ending = 'up' | 'down' | 'off' | undefined

/** Up is the first outcome. Nothing as long as it is not decided. */
export function endingOf(round: Round): Ending {
  if (round.status === 'cancelled') return 'off'
  if (round.status !== 'resolved') return undefined
  return round.markets[0]?.resolvedOutcome === 'NO' ? 'down' : 'up'
}

/** The asset's price as far as rounds tell it: at each opening, and at each closing. */
export function boundaryPoints(rounds: readonly Round[]): Point[] {
  const points = new Map<number, number>()
  for (const round of inOrder(rounds)) {
    const [begin, end] = [opening(round) / 1000, closing(round) / 1000]
    if (round.eventThreshold !== undefined && begin > 0) points.set(begin, Number(round.eventThreshold))
    if (round.eventCloseValue !== undefined && Number.isFinite(end)) points.set(end, Number(round.eventCloseValue))
  }
  return [...points].sort(([left], [right]) => left - right).map(([time, value]) => ({ time, value }))
}

/** Two lines as one, in order; the second counts where both have a point. */
export function merged(first: readonly Point[], second: readonly Point[]): Point[] {
  const points = new Map([...first, ...second].map((point) => [point.time, point.value]))
  return [...points].sort(([left], [right]) => left - right).map(([time, value]) => ({ time, value }))
}

/** What the chart of a round shows: half a round before it, and all of it, so that the time left can be seen. */
export function spanOf(round: Round, now: number): [number, number] {
  const begin = opening(round) / 1000
  const end = Number.isFinite(closing(round)) ? closing(round) / 1000 : now / 1000
  return [begin - (end - begin) / 2, Math.max(end, begin + 60)]
}

/** 22:15–22:30 of the reader's clock. */
export function hoursOf(round: Round): string {
  const format = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
  return format.formatRange(opening(round), Number.isFinite(closing(round)) ? closing(round) : opening(round))
}
