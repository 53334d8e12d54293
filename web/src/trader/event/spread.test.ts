// What the middle of a book says.
import { expect, it } from 'vitest'
import { spreadOf } from './spread'

const level = (price: number) => ({ price, quantity: 10, total: 1 })
const book = (bid: number, ask: number) => ({ bids: [level(bid)], asks: [level(ask)] })

it('tells the gap between the best buyer and the best seller', () => {
  expect(spreadOf(book(0.9, 0.92), 'USD')).toEqual({ text: 'Spread 2¢', crossed: false })
  expect(spreadOf(book(0.9, 0.92), 'NGN')).toEqual({ text: 'Spread ₦2', crossed: false })
})

it('shows the true spread of a book that one trader crosses', () => {
  expect(spreadOf(book(0.55, 0.52), 'USD')).toEqual({ text: 'Spread −3¢', crossed: true })
  expect(spreadOf(book(0.5, 0.5), 'USD')).toEqual({ text: 'Spread 0¢', crossed: true })
})

it('says nothing where one side is empty', () => {
  expect(spreadOf({ bids: [level(0.5)], asks: [] }, 'USD')).toBeNull()
  expect(spreadOf(undefined, 'USD')).toBeNull()
})
