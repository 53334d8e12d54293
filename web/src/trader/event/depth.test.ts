// Stairs out of a book.
import { expect, it } from 'vitest'
import { depthOf } from './depth'

it('adds up from the best price outwards', () => {
  const level = (price: number, quantity: number) => ({ price, quantity, total: 0 })
  const depth = depthOf({ bids: [level(0.4, 10), level(0.3, 5)], asks: [level(0.5, 1), level(0.6, 2)] })
  expect(depth).toEqual({ prices: [0.3, 0.4, 0.5, 0.6], bids: [15, 10, null, null], asks: [null, null, 1, 3] })
})
