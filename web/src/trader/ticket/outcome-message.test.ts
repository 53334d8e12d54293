// What the page says of an order that was sent, and of a market that moved meanwhile.
import { expect, it } from 'vitest'
import type { Order, Quote } from '../../shared/api/types'
import { amendedMessage, outcomeMessage } from './outcome-message'

const order = {
  status: 'filled',
  side: 'BUY',
  currency: 'USD',
  size: 50,
  filledSize: 50,
  remainingSize: 0,
  avgFillPrice: 0.45,
  fee: 0.45,
} as Order
const quote = { quantity: 50, price: 0.45, fee: 0.45 } as Quote

it('says nothing of a move that did not touch the order', () => {
  expect(outcomeMessage(order, 'Yes').detail).toBe('at 45¢ · fee $0.45')
  expect(outcomeMessage(order, 'Yes', quote).detail).toBe('at 45¢ · fee $0.45')
})

it('says what the preview said, if the order did something else', () => {
  expect(outcomeMessage(order, 'Yes', { ...quote, quantity: 60, price: 0.4 }).detail).toBe(
    'at 45¢ · fee $0.45. The market moved after the preview, which said 60 at 40¢.',
  )
  const free = { ...order, fee: 0, avgFillPrice: 0.52 } as Order
  expect(outcomeMessage(free, 'Yes', { ...quote, fee: 0 }).detail).toBe(
    'at 52¢. The market moved after the preview, which said 50 at 45¢.',
  )
  const nothing = { ...order, status: 'cancelled', filledSize: 0 } as Order
  expect(outcomeMessage(nothing, 'Yes', quote).detail).toMatch(/within your limits\. The market moved/)
})

it('says what became of an amended order', () => {
  const before = { ...order, status: 'open', size: 3000, filledSize: 0, remainingSize: 3000, price: 0.02 } as Order
  const amended = (changes: Partial<Order>, of = before) => {
    const { title, detail } = amendedMessage(of, { ...before, price: 0.98, fee: 0, ...changes } as Order, 'Yes')
    return [title, detail]
  }
  expect(amended({ price: 0.03 })).toEqual(['Order changed', '3,000 Yes at 3¢'])
  expect(amended({ status: 'filled', filledSize: 3000, avgFillPrice: 0.39 })).toEqual(['Bought 3,000 Yes', 'at 39¢'])
  const part = { status: 'partial_filled', filledSize: 2203, remainingSize: 797, avgFillPrice: 0.533 } as const
  expect(amended(part)).toEqual(['Bought 2,203 Yes at 53.3¢', '797 more wait in the book'])
  expect(amended({ ...part, status: 'cancelled' })[1]).toMatch(/The rest found no other side/)
  expect(amended({ status: 'rejected', postOnly: true })[0]).toBe('The order was rejected')
})

it('tells the sums of an amended order as such', () => {
  const before = { ...order, status: 'partial_filled', size: 40, filledSize: 10, remainingSize: 30, avgFillPrice: 0.21 } as Order
  const after = { ...before, size: 50, filledSize: 50, remainingSize: 0, status: 'filled', avgFillPrice: 0.6, fee: 0 } as Order
  expect(amendedMessage(before, after, 'Yes')).toMatchObject({
    title: 'Bought 50 Yes',
    detail: 'at 60¢. 10 of these had filled before the change.',
  })
  // What has filled before did not fill now.
  const moved = { ...before, price: 0.5, size: 20, remainingSize: 10 } as Order
  expect(amendedMessage(before, moved, 'Yes')).toMatchObject({ title: 'Order changed', detail: '10 Yes at 50¢' })
})
