// Orders of the list of questions.
import { expect, test } from 'vitest'
import { moved, orderOf, ORDERS, SERVED } from './orders'

const events = ['late', 'open', 'soon'].map((id) => ({ id }))
const ids = (list: { id: string }[]) => list.map(({ id }) => id)

test('the exchange serves every order but the movers', () => {
  expect(ORDERS.map(({ value }) => value).filter((order) => !SERVED[order])).toEqual(['movers'])
})

test('movers are those that moved, up or down', () => {
  const changes = new Map([
    ['late', -90_000n],
    ['soon', 20_000n],
    ['open', 0n],
  ])
  expect(ids(moved(events, changes))).toEqual(['late', 'soon'])
})

test('an unknown order is trending', () => {
  expect([orderOf(null), orderOf('nonsense'), orderOf('newest')]).toEqual(['trending', 'trending', 'newest'])
})
