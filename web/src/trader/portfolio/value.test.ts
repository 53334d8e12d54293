// A position is worth what the page says of its outcome; a thin book does not make it worthless.
import { expect, it } from 'vitest'
import type { Position } from '../../shared/api/types'
import { text } from '../../shared/numbers/decimal'
import { gainPercent, labelOf, shownValue, totals } from './value'

const position = (some: Partial<Position>) =>
  ({
    outcome: 'YES',
    currency: 'USD',
    balance: 100,
    cost: 30,
    currentValue: 0,
    market: { outcome1Price: 0.3, outcome2Price: 0.7, outcome1Label: 'Up', outcome2Label: 'NO' },
    ...some,
  }) as Position

it('values a position at the shown price where there is no bid', () => {
  expect(text(shownValue(position({})))).toBe('30')
  expect(text(shownValue(position({ outcome: 'NO', currency: 'NGN' })))).toBe('7000')
  expect(text(gainPercent(position({ cost: 24 })))).toBe('25')
  expect(text(shownValue(position({}), 0.45))).toBe('45')
  expect(gainPercent(position({ cost: 0 }))).toBe(0n)
})

it('names its outcome as the market does', () => {
  expect([labelOf(position({})), labelOf(position({ outcome: 'NO' }))]).toEqual(['Up', 'No'])
})

it('sums what is of one currency', () => {
  const all = [position({ currentValue: 28 }), position({ currency: 'NGN' }), position({ outcome: 'NO', cost: 50 })]
  const { value, sale, cost } = totals(all, 'USD')
  expect([value, sale, cost].map(text)).toEqual(['100', '28', '80'])
})
