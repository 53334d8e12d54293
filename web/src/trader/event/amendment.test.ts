// What a change of an order sends, and what it refuses.
import { expect, it } from 'vitest'
import type { Order } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { amendmentOf } from './amendment'

const order = { id: 'o', side: 'BUY', price: 0.4, size: 1000, filledSize: 100, currency: 'USD' } as Order
const amend = (price: string, size: string, cash: bigint | null = null, of = order) => amendmentOf(of, { price, size }, cash)

it('sends what differs', () => {
  expect(amend('45', '1,000').item).toEqual({ orderId: 'o', newPrice: 0.45 })
  expect(amend('40', '1,200').item).toEqual({ orderId: 'o', newSize: 1200 })
  expect(amend('40', '1,000').item).toBeUndefined()
})

it('refuses a price that is none, and a size that has filled already', () => {
  expect(() => amend('0', '1000')).toThrow('whole number from 1 to 99')
  expect(() => amend('40', '100')).toThrow('more than the 100 that have filled')
})

it('refuses a purchase that takes more than the cash beside what the order holds', () => {
  // 900 shares wait at 40¢: $360 are held, and 1,125 shares take $450.
  expect(amend('40', '1225', units('90')).item).toEqual({ orderId: 'o', newSize: 1225 })
  expect(() => amend('40', '1225', units('89.99'))).toThrow('This takes $90.00 more, and you have $89.99.')
  expect(() => amend('40', '1225', units('8999'), { ...order, currency: 'NGN' } as Order)).toThrow('₦9,000.00 more')
  expect(amend('40', '1225', 0n, { ...order, side: 'SELL' } as Order).item).toBeDefined()
})

it('leaves a higher price to the exchange: it may meet cheaper sellers', () => {
  expect(amend('50', '1000', 0n).item).toEqual({ orderId: 'o', newPrice: 0.5 })
})
