// What an amendment sends, what is refused before it is sent, and what it would do.
import { expect, it } from 'vitest'
import type { Order, Quote } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import { confirmation } from '../ticket/estimate'
import { type Amendment, amendmentOf, estimateOf, questionOf } from './amendment'

const order = {
  ...{ id: 'o', eventId: 'e', marketId: 'm', outcomeId: 'y', side: 'BUY', currency: 'USD', postOnly: false },
  ...{ price: 0.4, size: 1000, filledSize: 100 },
} as Order
const read = (price: string, size: string, cash: bigint | null = null, of: Order = order) =>
  amendmentOf(of, { price, size }, cash)
const amend = (...[price, size, cash, of]: Parameters<typeof read>) => read(price, size, cash, of) as Amendment
const problem = (...typed: Parameters<typeof read>) => (read(...typed) as { problem?: string }).problem

it('sends what differs', () => {
  expect(amend('45', '1000').item).toEqual({ orderId: 'o', newPrice: 0.45 })
  expect(amend('40', '1200').item).toEqual({ orderId: 'o', newSize: 1200 })
  expect(amend('40', '1000').item).toBeUndefined()
})

it('names what is wrong', () => {
  for (const price of ['0', '100', '4.5', '']) expect(problem(price, '1000')).toMatch(/The price/)
  for (const size of ['100', '', 'all']) expect(problem('40', size)).toMatch(/more than the 100/)
  expect(problem('40', '1,200')).toContain('1,200 can mean 1200 or 1.200')
})

it('refuses more money than there is beside what the order holds', () => {
  // 900 shares wait at 40¢: $360 are held, and 1,125 shares take $450.
  expect(amend('40', '1225', units('90')).more).toBe(units('90'))
  expect(problem('40', '1225', units('89.99'))).toBe('This takes $90.00 more, and you have $89.99.')
  expect(problem('30', '9000', units('1000'))).toMatch(/more/)
  expect(problem('40', '1225', units('8999'), { ...order, currency: 'NGN' } as Order)).toContain('₦9,000.00 more')
  expect(amend('40', '1225', 0n, { ...order, side: 'SELL' } as Order)).toMatchObject({ more: 0n, item: { newSize: 1225 } })
})

it('leaves a higher price to its quote: it may meet cheaper sellers', () => {
  expect(amend('50', '1000', 0n).item).toEqual({ orderId: 'o', newPrice: 0.5 })
})

it('asks for the quote of what has not filled, at the new price, on terms that an amendment has', () => {
  expect(questionOf(order, amend('50', '1200'))).toEqual({
    eventId: 'e',
    marketId: 'm',
    body: {
      ...{ side: 'BUY', outcomeId: 'y', type: 'LIMIT', currency: 'USD', quantity: 1100, price: 0.5, timeInForce: 'GTC' },
      stpMode: 'CANCEL_OLDEST',
    },
  })
  const posted = { ...order, postOnly: true } as Order
  expect(questionOf(posted, amend('50', '1000', null, posted))?.body.postOnly).toBe(true)
  // At its own price it meets nobody.
  expect(questionOf(order, amend('40', '1200'))).toBeUndefined()
})

const refused = (code: string) => ({ code, message: 'In words' })
const quote = {
  ...{ price: 0.45, currentMarketPrice: 0.42, quantity: 600, amount: 270, costOfShares: 270, fee: 0 },
  ...{ priceImpactAbsolute: 0.08, profitPercentage: 0, currencyBaseMultiplier: 1, completeFill: false },
  ...{ tradeGoesOverMaxLiability: false },
  order: { restingSize: 300, cancelledSize: 0, hold: 150, cancelledOrders: 0 },
} as Quote
const quoted = (code?: string, cancelledOrders = 0): Quote => ({
  ...quote,
  order: { ...quote.order!, cancelledOrders, ...(code ? { refusal: refused(code) } : { status: 'partial_filled' }) },
})
const to = amend('50', '1000')

it('counts what the order holds already, which comes back', () => {
  const estimate = estimateOf(order, to, quoted(), units('1000'))!
  expect(estimate).toMatchObject({ filled: units(600), resting: units(300), hold: units(150), total: units(420) })
  expect([estimate.released, estimate.refusal]).toEqual([units(360), undefined])
  // $420 are paid and held, $60 more than until now.
  const asked = (cash: string) => confirmation({ ...estimate, impact: 0n }, to.more, 'BUY', units(cash), 'USD')
  expect(asked('179')).toBe('You spend up to $90.00, more than half of your cash of $179.00.')
  expect(asked('119')).toBe('You spend $60.00, more than half of your cash of $119.00.')
  expect(asked('180')).toBeUndefined()
  expect(confirmation(estimate, to.more, 'BUY', units('1000'), 'USD')).toMatch(/moves the price by 8¢/)
})

it('does not take the refusal of a new order for that of the amended one', () => {
  expect(estimateOf(order, to, quoted('INSUFFICIENT_BALANCE'), units('60'))?.refusal).toBeUndefined()
  expect(estimateOf(order, to, quoted('TOO_MANY_OPEN_ORDERS'), units('60'))?.refusal).toBeUndefined()
  expect(estimateOf(order, to, quoted('INSUFFICIENT_BALANCE'), units('59.99'))?.refusal).toBe('This takes $60.00 more, and you have $59.99.')
  // Orders that it cancels give their money back.
  expect(estimateOf(order, to, quoted('INSUFFICIENT_BALANCE', 1), units('59.99'))?.refusal).toBeUndefined()
  expect(estimateOf(order, to, quoted('PRICE_OUT_OF_RANGE'), null)?.refusal).toBe('In words')
  const sale = { ...order, side: 'SELL' } as Order
  expect(estimateOf(sale, amend('30', '1000', null, sale), quoted('INSUFFICIENT_SHARES'), 0n)).toMatchObject({
    refusal: undefined,
    released: 0n,
  })
})

it('knows without a quote what stays at its price, and nothing of another price', () => {
  expect(estimateOf(order, amend('40', '500'), undefined, null)).toMatchObject({
    ...{ filled: 0n, resting: units(400), hold: units(160), released: units(360), impact: 0n, refusal: undefined },
  })
  expect(estimateOf(order, to, undefined, null)).toBeUndefined()
})
