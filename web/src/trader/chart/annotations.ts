// What a chart tells beside the prices: moments that changed an event, and the reader's own prices.
import type { Event, EventResolution, News, Order, OutcomeSide, Position } from '../../shared/api/types'
import type { Decimal } from '../../shared/numbers/decimal'
import { type Currency, price, shares } from '../../shared/numbers/format'
import { milliseconds } from '../../shared/numbers/time'
import * as texts from '../texts/chart'
import type { Level, Mark } from './TimeChart.svelte'

type Dates = Pick<Event, 'createdAt' | 'openingDate' | 'closingDate' | 'resolvedAt' | 'status'>

const NEWS_LETTERS_MAX = 24

export function marksOf(
  event: Dates,
  resolution: EventResolution | undefined,
  now: number,
  news: readonly News[] = [],
): Mark[] {
  const marks: Mark[] = []
  const add = (date: string | undefined, label: string) => {
    const at = milliseconds(date)
    if (at !== null && at <= now) marks.push({ time: at / 1000, label })
  }
  add(event.openingDate || event.createdAt, texts.opened)
  add(event.closingDate, texts.closed)
  for (const verdict of resolution?.verdicts ?? []) {
    // A verdict that was carried out at once was not proposed before.
    if (verdict.proposedAt !== verdict.endedAt) add(verdict.proposedAt, texts.proposed)
    if (verdict.ending === 'withdrawn') add(verdict.endedAt, texts.withdrawn)
  }
  add(resolution?.proposal?.proposedAt, texts.proposed)
  add(event.resolvedAt, event.status === 'cancelled' ? texts.calledOff : texts.resolved)
  for (const one of news) add(one.publishedAt, shortened(one.title))
  // Two notes of one moment with one title are one mark.
  const apart = new Map(marks.map((mark) => [mark.label + mark.time, mark]))
  return [...apart.values()].sort((left, right) => left.time - right.time)
}

function shortened(title: string): string {
  const letters = [...title]
  return letters.length > NEWS_LETTERS_MAX ? `${letters.slice(0, NEWS_LETTERS_MAX - 1).join('').trimEnd()}…` : title
}

/** Prices of NO are drawn where YES stands. */
const asYes = (outcome: OutcomeSide, value: Decimal) => (outcome === 'YES' ? Number(value) : 1 - Number(value))

export function levelsOf(
  marketId: string,
  positions: readonly Position[],
  orders: readonly Order[],
  label: (outcome: OutcomeSide) => string,
  currency: Currency,
): Level[] {
  const held = positions
    .filter((position) => position.market.id === marketId && position.currency === currency && Number(position.balance) > 0)
    .map((position) => ({
      value: asYes(position.outcome, position.averagePrice),
      label: texts.yourAt(label(position.outcome), price(position.averagePrice, currency)),
      kind: 'own' as const,
    }))
  const waiting = orders
    .filter((order) => order.marketId === marketId && order.currency === currency)
    .map((order) => ({
      value: asYes(order.outcome, order.price),
      label: texts.sizeAtPrice(order.side === 'BUY' ? texts.buy : texts.sell, shares(order.remainingSize), label(order.outcome), price(order.price, currency)),
      kind: 'order' as const,
    }))
  return [...held, ...waiting]
}
