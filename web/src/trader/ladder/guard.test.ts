import { expect, test } from 'vitest'
import { hindranceOf } from './guard'

const ONE = 1_000_000n
const buy = { side: 'BUY', hundredths: 40, size: 100n * ONE, currency: 'USD', cash: 100n * ONE, held: 0n } as const

test('a purchase of up to half of the cash is sent', () => {
  expect(hindranceOf(buy)).toBeUndefined()
  expect(hindranceOf({ ...buy, size: 126n * ONE })).toContain('more than half')
  expect(hindranceOf({ ...buy, size: 251n * ONE })).toContain('you have $100.00')
  expect(hindranceOf({ ...buy, cash: null })).toContain('not known')
})

test('a naira share costs a hundred times its price', () => {
  expect(hindranceOf({ ...buy, currency: 'NGN' })).toContain('₦4,000.00')
})

test('only what is held is sold', () => {
  const sell = { ...buy, side: 'SELL', held: 99n * ONE } as const
  expect(hindranceOf(sell)).toBe('You have 99 to sell.')
  expect(hindranceOf({ ...sell, held: 100n * ONE })).toBeUndefined()
})
