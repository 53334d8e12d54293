// Shares that are not known are not none.
import { expect, it } from 'vitest'
import type { Position } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { freeOf, holdingOf } from './holdings'

const of = { marketId: 'M', outcome: 'YES', currency: 'USD' } as const
const position = { market: { id: 'M' }, outcome: 'YES', currency: 'USD', balance: 7, availableBalance: 5 } as Position

it('tells what is not known from what is not there', () => {
  expect(freeOf(undefined, of)).toBeNull()
  expect(freeOf([], of)).toBe(0n)
  expect(freeOf([position], of)).toBe(units(5))
  expect(holdingOf(undefined, of)).toBeUndefined()
})

it('counts shares of the same market, outcome and currency only', () => {
  for (const other of [{ marketId: 'N' }, { outcome: 'NO' as const }, { currency: 'NGN' as const }])
    expect(freeOf([position], { ...of, ...other })).toBe(0n)
})
