// A toast tells one fill, not all of an order's.
import { expect, test } from 'vitest'
import { Fills, type UpdatedOrder } from './fills'

const order: UpdatedOrder = {
  id: 'o',
  outcomeLabel: 'YES',
  side: 'BUY',
  price: 0.35,
  filledQuantity: 10,
  remainingQuantity: 30,
  currency: 'USD',
}

test('each fill is told once, with what still waits', () => {
  const fills = new Fills()
  fills.note('o', 4)
  expect(fills.toastOf(order, 'Yes')).toEqual({
    title: 'Bought 6 Yes',
    detail: 'Your order at 35¢ was met · 30 more wait',
  })
  expect(fills.toastOf(order, 'Yes')).toBeUndefined()
  const rest = { ...order, filledQuantity: 40, remainingQuantity: 0 }
  expect(fills.toastOf(rest, 'Yes')).toEqual({ title: 'Bought 30 Yes', detail: 'Your order at 35¢ was met' })
})
