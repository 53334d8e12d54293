import { expect, test } from 'vitest'
import type { Book, Order } from '../../shared/api/types'
import { middleOf, rowsOf, touchOf } from './rows'

const level = (price: number, quantity: number) => ({ price, quantity, total: 0 })
const book = { asks: [level(0.36, 40), level(0.4, 5)], bids: [level(0.34, 120)], lastTradedPrice: 0.2 } as unknown as Book
const order = (outcome: string, price: number) => ({ outcome, price }) as unknown as Order

test('the middle is between the best buyer and the best seller', () => {
  expect(middleOf(book)).toBe(35)
  expect(middleOf({ ...book, bids: [] })).toBe(36)
  expect(middleOf({ ...book, asks: [], bids: [] })).toBe(20)
  expect(middleOf(undefined)).toBe(50)
})

test('a buyer meets the best seller', () => {
  expect([touchOf(book, 'BUY'), touchOf(book, 'SELL'), touchOf(undefined, 'BUY')]).toEqual([36, 34, undefined])
})

test('each row has the sizes of its price and the own orders of the outcome', () => {
  const rows = rowsOf(book, [order('YES', 0.34), order('NO', 0.34)], 'YES', 35, 5)
  expect(rows.map((row) => row.hundredths)).toEqual([37, 36, 35, 34, 33])
  expect(rows[1]).toMatchObject({ asks: 40_000_000n, bids: 0n, own: [] })
  expect(rows[3]).toMatchObject({ asks: 0n, bids: 120_000_000n })
  expect(rows[3]!.own.length).toBe(1)
})

test('rows end at 1 and 99, and are as many as elsewhere', () => {
  expect(rowsOf(book, [], 'YES', 99, 5).map((row) => row.hundredths)).toEqual([99, 98, 97, 96, 95])
  expect(rowsOf(book, [], 'YES', 1, 5).map((row) => row.hundredths)).toEqual([5, 4, 3, 2, 1])
})
