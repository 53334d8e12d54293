// Points of a chart are in order and never two at one second.
import { expect, it } from 'vitest'
import { distinct } from './points'

it('keeps the last price of each second, in order', () => {
  expect(
    distinct([
      { e: 2_500, p: 0.3 },
      { e: 1_000, p: 0.1 },
      { e: 2_900, p: 0.4 },
    ]),
  ).toEqual([
    { time: 1, value: 0.1 },
    { time: 2, value: 0.4 },
  ])
})
