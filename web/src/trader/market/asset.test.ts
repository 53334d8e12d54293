// Prices of assets of every size.
import { expect, it } from 'vitest'
import { units } from '../../shared/numbers/decimal'
import { assetDistance, assetPrice } from './asset'

it('shows small prices with more places', () => {
  expect([64120.504, 100, 1.234567, 0.123456, 0.000012].map(assetPrice)).toEqual([
    ...['64,120.5', '100', '1.23457', '0.123456', '0.000012'],
  ])
})

it('shows a distance as exactly as the prices', () => {
  expect(assetDistance(units(0.00012), 0.1234)).toBe('0.00012')
  expect(assetDistance(-units(0.00012), 1.5)).toBe('0.00012')
  expect(assetDistance(-units(12.345), 64_000)).toBe('12.35')
})
