// A market order that traded is not called cancelled.
import { expect, it } from 'vitest'
import { shownStatus } from './order-status'

const order = { status: 'cancelled', orderType: 'MARKET', filledSize: 12.5, size: 12.5 } as const

it('calls a market order filled that spent what it could', () => {
  expect(shownStatus(order)).toBe('filled')
  expect(shownStatus({ ...order, size: 20 })).toBe('partly_filled')
  expect(shownStatus({ ...order, filledSize: 0, size: 0 })).toBe('cancelled')
})

it('leaves the others as they are', () => {
  expect(shownStatus({ ...order, status: 'open', orderType: 'LIMIT', filledSize: 0 })).toBe('open')
  expect(shownStatus({ ...order, orderType: 'LIMIT', size: 30 })).toBe('partly_filled')
  expect(shownStatus({ ...order, status: 'rejected' })).toBe('rejected')
})
