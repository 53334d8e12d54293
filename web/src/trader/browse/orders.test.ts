// Orders of the list of questions.
import { expect, test } from 'vitest'
import { orderOf, sorted } from './orders'

const event = (id: string, closingDate: string, totalVolume: number) => ({ id, closingDate, totalVolume })
const events = [
  event('late', '2026-03-01T00:00:00Z', 5),
  event('open', '', 50),
  event('soon', '2026-01-01T00:00:00Z', 7),
]
const ids = (list: { id: string }[]) => list.map(({ id }) => id)

test('what ends first comes first, and what has no end comes last', () => {
  expect(ids(sorted(events, 'ending', new Map()))).toEqual(['soon', 'late', 'open'])
})

test('the most traded comes first', () => {
  expect(ids(sorted(events, 'traded', new Map()))).toEqual(['open', 'soon', 'late'])
})

test('movers are those that moved, up or down', () => {
  const changes = new Map([
    ['late', -90_000n],
    ['soon', 20_000n],
    ['open', 0n],
  ])
  expect(ids(sorted(events, 'movers', changes))).toEqual(['late', 'soon'])
})

test('an unknown order is trending', () => {
  expect([orderOf(null), orderOf('nonsense'), orderOf('newest')]).toEqual(['trending', 'trending', 'newest'])
})
