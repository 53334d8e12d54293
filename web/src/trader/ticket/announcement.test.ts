// What a ticket says of terms that are announced.
import { expect, it } from 'vitest'
import { shortMoment } from '../../shared/numbers/time'
import { announcement } from './announcement'

const now = { feePercentage: 2, minimumOrderAmount: 1 }
const from = '2030-01-01T13:00:00Z'
const date = shortMoment(from)

it('tells the fee, the smallest order, or both', () => {
  const told = (feePercentage: number, minimumOrderAmount: number) =>
    announcement(now, { feePercentage, minimumOrderAmount, from }, 'USD')
  expect(told(2.25, 1)).toBe(`From ${date} the fee of this market is 2.25%.`)
  expect(told(2, 7.5)).toBe(`From ${date} the smallest order is $7.50.`)
  expect(told(9, 7)).toBe(`From ${date} the fee of this market is 9% and the smallest order $7.00.`)
})

it('tells nothing where nothing is announced, or only for another currency', () => {
  expect(announcement(now, undefined, 'USD')).toBeUndefined()
  expect(announcement(now, { ...now, from }, 'USD')).toBeUndefined()
})

it('compares amounts, whether they come as numbers or as texts', () => {
  const announced = { feePercentage: '2.0' as unknown as number, minimumOrderAmount: 100, from }
  expect(announcement(now, announced, 'NGN')).toBe(`From ${date} the smallest order is ₦100.00.`)
})
