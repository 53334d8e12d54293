// What the ticket says before the order is sent: the quote, in words and exact numbers.
import { expect, it } from 'vitest'
import type { Quote } from '../../shared/api/types'
import { text, units } from '../../shared/numbers/decimal'
import { emptyForm, type Form, outlayOf } from './compose'
import { confirmation, ofQuote } from './estimate'

const order = { restingSize: 0, cancelledSize: 0, hold: 0, cancelledOrders: 0 }
const quote: Quote = {
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
  order: { ...order, status: 'filled' },
}
const form = (changes: Partial<Form> = {}): Form => ({ ...emptyForm(), ...changes })
const refused = (code: string): Quote => ({ ...quote, order: { ...order, refusal: { code, message: 'In words' } } })

it('shows a quote as it is', () => {
  const estimate = ofQuote(quote, form(), 'USD')
  expect(text(estimate.payout)).toBe('211.621')
  expect(text(estimate.profit)).toBe('111.621068')
  expect([estimate.refusal, estimate.warnings]).toEqual([undefined, []])
})

it('counts what waits in the book and what is held for it', () => {
  const partial: Quote = { ...quote, order: { ...order, status: 'partial_filled', restingSize: 100, hold: 40 } }
  const estimate = ofQuote(partial, form({ type: 'LIMIT' }), 'USD')
  expect([text(estimate.total), text(estimate.payout)]).toEqual(['139.999932', '311.621'])
})

it('says why the exchange would refuse it', () => {
  expect(ofQuote(refused('INSUFFICIENT_BALANCE'), form(), 'USD').refusal).toMatch(/takes \$100\.00.*more than your cash/)
  expect(ofQuote(refused('SLIPPAGE'), form(), 'USD').refusal).toMatch(/average would be 46\.6¢, beyond your slippage/)
  expect(ofQuote(refused('PRICE_LIMIT'), form(), 'USD').refusal).toMatch(/bounds the average price/)
  expect(ofQuote(refused('TOO_MANY_OPEN_ORDERS'), form(), 'USD').refusal).toBe('In words')
})

it('says why it would be rejected', () => {
  const rejected: Quote = { ...quote, quantity: 0, amount: 0, order: { ...order, status: 'rejected' } }
  expect(ofQuote(rejected, form({ postOnly: true }), 'USD').refusal).toMatch(/rest only/)
  expect(ofQuote(rejected, form({ timeInForce: 'FOK' }), 'USD').refusal).toMatch(/all or nothing/)
  expect(ofQuote(rejected, form(), 'USD').refusal).toMatch(/order of your own/)
})

it('warns of a part and of nothing, with the reason', () => {
  const part: Quote = { ...quote, completeFill: false, order: { ...order, status: 'cancelled' } }
  expect(ofQuote(part, form({ size: '500000' }), 'USD').warnings).toEqual([
    'Only $100.00 can be spent within your slippage limit of 10 %: no more is for sale. The rest stays yours.',
  ])
  expect(ofQuote({ ...part, quantity: 0 }, form({ slippage: '' }), 'USD').warnings[0]).toMatch(/^There is no order on the other side now/)
  expect(ofQuote({ ...part, order: { ...part.order!, cancelledOrders: 2 } }, form(), 'USD').warnings[1]).toMatch(/2 orders of yours/)
})

it('asks for a confirmation above half of the cash, or when the price moves by more than five points', () => {
  const estimate = ofQuote(quote, form(), 'USD')
  expect(confirmation(estimate, null, 'BUY', units('200'), 'USD')).toBeUndefined()
  expect(confirmation(estimate, null, 'BUY', units('199.99'), 'USD')).toMatch(/more than half of your cash of \$199\.99/)
  expect(confirmation(estimate, null, 'SELL', 0n, 'USD')).toBeUndefined()
  const far = { ...estimate, impact: units('0.050001') }
  expect(confirmation(far, null, 'SELL', null, 'USD')).toMatch(/moves the price by 5¢/)
  expect(confirmation({ ...far, impact: units('0.05') }, null, 'SELL', null, 'USD')).toBeUndefined()
})

it('asks for a confirmation by the size of a purchase, also without a quote or if the quote spends less', () => {
  const said = (size: string, estimate = undefined as ReturnType<typeof ofQuote> | undefined) =>
    confirmation(estimate, outlayOf(form({ size }), { currency: 'USD' }), 'BUY', units('200'), 'USD')
  expect(said('100')).toBeUndefined()
  expect(said('100.01')).toBe('You spend up to $100.01, more than half of your cash of $200.00.')
  expect(said('150', ofQuote(quote, form(), 'USD'))).toMatch(/up to \$150\.00/)
})
