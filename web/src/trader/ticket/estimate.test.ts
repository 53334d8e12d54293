// What the ticket says before the order is sent.
import { expect, it } from 'vitest'
import { text, units } from '../../shared/numbers/decimal'
import { ofLimit, ofQuote, takesNow } from './estimate'

const quote = {
  price: 0.465559,
  currentMarketPrice: 0.462771,
  quantity: 211.621,
  amount: 99.999932,
  costOfShares: 98.5221,
  fee: 1.477832,
  priceImpactAbsolute: 0.005578,
  profitPercentage: 111.62,
  currencyBaseMultiplier: 1,
  completeFill: true,
  tradeGoesOverMaxLiability: false,
}

it('shows a quote as it is', () => {
  const estimate = ofQuote(quote, 'BUY', 'USD', units(10))
  expect(text(estimate.payout)).toBe('211.621')
  expect(text(estimate.profit)).toBe('111.621068')
  expect(estimate.warnings).toEqual([])
})

it('warns of what is large, partial, over the limit or over the liability', () => {
  const far = { ...quote, price: 0.55 }
  expect(ofQuote(far, 'BUY', 'USD', null).warnings[0]).toMatch(/large/)
  expect(ofQuote(far, 'BUY', 'USD', units(10)).warnings[0]).toMatch(/beyond your slippage limit/)
  expect(ofQuote({ ...quote, completeFill: false }, 'BUY', 'USD', null).warnings[0]).toMatch(/only a part/)
  expect(ofQuote({ ...quote, quantity: 0, completeFill: false }, 'BUY', 'USD', null).warnings).toHaveLength(1)
  expect(ofQuote({ ...quote, tradeGoesOverMaxLiability: true }, 'BUY', 'USD', null).warnings[0]).toMatch(/pool/)
})

it('counts what a limit order takes at once', () => {
  const book = {
    asks: [
      { price: 0.5, quantity: 31, total: 15.5 },
      { price: 0.53, quantity: 63.6793, total: 33.75 },
    ],
    bids: [{ price: 0.48, quantity: 10, total: 4.8 }],
  }
  expect(text(takesNow('BUY', units(0.52), book))).toBe('31')
  expect(text(takesNow('BUY', units(0.53), book))).toBe('94.6793')
  expect(takesNow('SELL', units(0.49), book)).toBe(0n)
})

it('charges a fee on what is taken and none on what rests', () => {
  const resting = ofLimit('BUY', units(0.4), units(100), 'NGN', 0n, 2)
  expect([text(resting.total), text(resting.fee), text(resting.payout)]).toEqual(['4000', '0', '10000'])
  const taking = ofLimit('SELL', units(0.4), units(100), 'USD', units(50), 2)
  expect([text(taking.fee), text(taking.total)]).toEqual(['0.4', '39.6'])
})
