// What the page says of an order that was sent, and of a market that moved meanwhile.
import { expect, it } from 'vitest'
import type { Order, Quote } from '../../shared/api/types'
import { outcomeMessage } from './outcome-message'

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
