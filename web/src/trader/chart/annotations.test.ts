// Marks and price lines of a chart.
import { expect, test } from 'vitest'
import type { EventResolution, Order, Position } from '../../shared/api/types'
import { levelsOf, marksOf } from './annotations'

const event = {
  createdAt: '2026-01-01T00:00:00Z',
  openingDate: '2026-01-02T00:00:00Z',
  closingDate: '2026-02-01T00:00:00Z',
  resolvedAt: '',
  status: 'open' as const,
}
const at = (date: string) => Date.parse(date)

test('moments to come are not marked', () => {
  expect(marksOf(event, undefined, at('2026-01-10')).map((mark) => mark.label)).toEqual(['Opened'])
})

test('a proposal, its withdrawal and the end are marked in order', () => {
  const verdict = { proposedAt: '2026-02-02T00:00:00Z', endedAt: '2026-02-03T00:00:00Z', ending: 'withdrawn' }
  const last = { proposedAt: '2026-02-04T00:00:00Z', endedAt: '2026-02-04T00:00:00Z', ending: 'finalised' }
  const resolution = { verdicts: [verdict, last] } as unknown as EventResolution
  const over = { ...event, status: 'resolved' as const, resolvedAt: last.endedAt }
  expect(marksOf(over, resolution, at('2026-03-01')).map((mark) => mark.label)).toEqual([
    'Opened',
    'Closed',
    'Proposed',
    'Withdrawn',
    'Resolved',
  ])
})

test('news is marked by its short title, and once', () => {
  const note = { id: '1', title: 'A storm comes up from the south', link: 'https://example.org', publishedAt: '2026-01-05T00:00:00Z' }
  const marks = marksOf(event, undefined, at('2026-01-10'), [note, { ...note, id: '2' }, { ...note, publishedAt: '2026-01-11T00:00:00Z' }])
  expect(marks.map((mark) => mark.label)).toEqual(['Opened', 'A storm comes up from t…'])
})

test('own prices of No are drawn where Yes stands', () => {
  const position = { market: { id: 'm' }, currency: 'USD', balance: 10, outcome: 'NO', averagePrice: 0.6 }
  const order = { marketId: 'm', currency: 'USD', outcome: 'YES', side: 'BUY', price: 0.21, remainingSize: 40 }
  const other = { ...order, marketId: 'n' }
  const levels = levelsOf(
    'm',
    [position as unknown as Position],
    [order, other] as unknown as Order[],
    (outcome) => (outcome === 'YES' ? 'Yes' : 'No'),
    'USD',
  )
  expect(levels).toEqual([
    { value: 0.4, label: 'Your No at 60¢', kind: 'own' },
    { value: 0.21, label: 'Buy 40 Yes at 21¢', kind: 'order' },
  ])
})
