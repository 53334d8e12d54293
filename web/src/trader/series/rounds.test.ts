// Rounds of a series: order, results and boundaries.
import { expect, test } from 'vitest'
import { after, before, boundaryPoints, endingOf, isNewest, merged, type Round, roundAt, spanOf } from './rounds'

const QUARTER = 900
const begin = Date.parse('2026-01-01T09:00:00Z') / 1000
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
function round(place: number, more: Record<string, unknown> = {}): Round {
  const opened = begin + place * QUARTER
  return {
    id: `r${place}`,
    slug: `r${place}`,
    status: 'resolved',
    createdAt: iso(opened - 60),
    openingDate: iso(opened),
    closingDate: iso(opened + QUARTER),
    eventThreshold: 100 + place,
    markets: [{ resolvedOutcome: 'YES' }],
    ...more,
  } as unknown as Round
}
const rounds = [round(2, { status: 'open', markets: [{ resolvedOutcome: '' }] }), round(0), round(1, { status: 'cancelled' })]

test('the round that is on, the one after and those before are found in any order', () => {
  const now = (begin + 2 * QUARTER + 5) * 1000
  expect(roundAt(rounds, now)?.id).toBe('r2')
  expect(roundAt(rounds, now + QUARTER * 1000)).toBeUndefined()
  expect(after(rounds, rounds[1]!)?.id).toBe('r1')
  expect(after(rounds, rounds[0]!)).toBeUndefined()
  // Of a round that is older than all known ones, the next is not known.
  expect(after(rounds, round(-2))).toBeUndefined()
  expect([rounds[0]!, rounds[1]!].map((one) => isNewest(rounds, one))).toEqual([true, false])
  expect(before(rounds, rounds[0]!, 1).map((one) => one.id)).toEqual(['r1'])
})

test('a round ends up, down, called off, or not yet', () => {
  const down = round(3, { markets: [{ resolvedOutcome: 'NO' }] })
  expect([rounds[1]!, down, rounds[2]!, rounds[0]!].map(endingOf)).toEqual(['up', 'down', 'off', undefined])
})

test('the close of a round and the start of the next are one point', () => {
  const list = [round(0, { eventCloseValue: 101 }), round(1, { eventThreshold: 101, eventCloseValue: 99 })]
  expect(boundaryPoints(list)).toEqual([
    { time: begin, value: 100 },
    { time: begin + QUARTER, value: 101 },
    { time: begin + 2 * QUARTER, value: 99 },
  ])
})

test('live prices continue the line of the boundaries', () => {
  const known = [{ time: 10, value: 1 }]
  expect(merged(known, [{ time: 20, value: 3 }, { time: 10, value: 2 }])).toEqual([
    { time: 10, value: 2 },
    { time: 20, value: 3 },
  ])
})

test('the chart of a round shows half a round before it, and its end', () => {
  const opened = begin + 2 * QUARTER
  expect(spanOf(rounds[0]!, 0)).toEqual([opened - QUARTER / 2, opened + QUARTER])
})
