// What the ticket sends, and what it refuses to send.
import { describe, expect, it } from 'vitest'
import { compose, emptyForm, limitPrice, mostOf, outlayOf, partOf, problemsOf, terms, type Context, type Form } from './compose'
import { units } from '../../shared/numbers/decimal'

const context: Context = { outcomeId: 'O', currency: 'USD', engine: 'CLOB', minimum: 1_000_000n, now: 0, cash: null, held: null }
const form = (changes: Partial<Form>): Form => ({ ...emptyForm(), ...changes })

describe('a market order', () => {
  it('is money with a slippage limit', () => {
    expect(compose(form({ size: '25.50' }), context)).toEqual({
      side: 'BUY',
      outcomeId: 'O',
      type: 'MARKET',
      currency: 'USD',
      amount: 25.5,
      maxSlippage: 0.1,
    })
  })
  it('is shares, all or nothing, without a limit, if asked for', () => {
    const asked = form({ side: 'SELL', unit: 'shares', size: '5', slippage: '', timeInForce: 'FOK' })
    expect(compose(asked, context)).toEqual({
      side: 'SELL',
      outcomeId: 'O',
      type: 'MARKET',
      currency: 'USD',
      quantity: 5,
      timeInForce: 'FOK',
    })
  })
})

describe('a limit order', () => {
  it('has a price in hundredths, and on a book what makes it rest', () => {
    const asked = form({
      type: 'LIMIT',
      unit: 'shares',
      size: '40',
      price: '31',
      postOnly: true,
      stpMode: 'CANCEL_BOTH',
    })
    expect(compose(asked, context)).toEqual({
      side: 'BUY',
      outcomeId: 'O',
      type: 'LIMIT',
      currency: 'USD',
      quantity: 40,
      price: 0.31,
      stpMode: 'CANCEL_BOTH',
      timeInForce: 'GTC',
      postOnly: true,
    })
  })
  it('on a pool has none of that', () => {
    const asked = form({ type: 'LIMIT', size: '40', price: '31', postOnly: true, timeInForce: 'GTD' })
    expect(compose(asked, { ...context, engine: 'AMM' })).toEqual({
      side: 'BUY',
      outcomeId: 'O',
      type: 'LIMIT',
      currency: 'USD',
      amount: 40,
      price: 0.31,
    })
  })
})

describe('the terms of a quote', () => {
  it('are the order without its name and its expiry', () => {
    const changes = { type: 'LIMIT', unit: 'shares', size: '40', price: '31', timeInForce: 'GTD' } as const
    const asked = form({ ...changes, clientOrderId: 'mine', expiresAt: '2030-01-01T00:00' })
    const { expiresAt, clientOrderId, ...order } = compose(asked, context)
    expect([typeof expiresAt, clientOrderId]).toEqual(['string', 'mine'])
    expect(terms(asked, context)).toEqual(order)
    expect(terms({ ...asked, expiresAt: '' }, context)).toEqual(order)
  })
  it('are none until there is a size, and a price for a limit', () => {
    expect(terms(form({}), context)).toBeNull()
    expect(terms(form({ size: '0' }), context)).toBeNull()
    expect(terms(form({ size: '5', type: 'LIMIT' }), context)).toBeNull()
  })
})

describe('problems', () => {
  it('are told by field', () => {
    expect(problemsOf(form({}), context)).toEqual({ size: 'How much?' })
    expect(problemsOf(form({ size: '0.5' }), context)).toEqual({ size: 'At least $1.00' })
    expect(problemsOf(form({ size: 'x', type: 'LIMIT', price: '34.5' }), context)).toEqual({
      size: 'A number, such as 25 or 12.50',
      price: 'A whole number from 1 to 99',
    })
    expect(problemsOf(form({ size: '5', type: 'LIMIT', price: '34', timeInForce: 'GTD' }), context)).toEqual({
      expiresAt: 'When shall it expire?',
    })
    expect(problemsOf(form({ size: '5', clientOrderId: 'a b' }), context)).toEqual({
      clientOrderId: 'Up to 64 letters, digits, _ and -',
    })
    expect(problemsOf(form({ size: '5' }), context)).toEqual({})
  })
  it('name both readings of a size that has two', () => {
    expect(problemsOf(form({ size: '1,234' }), context)).toEqual({ size: '1,234 can mean 1234 or 1.234. Type the one that you mean.' })
    expect(terms(form({ size: '1,234' }), context)).toBeNull()
    expect(terms(form({ size: '0,125' }), context)).toBeNull()
    expect(terms(form({ size: '$1,234' }), context)).toMatchObject({ amount: 1234 })
    expect(terms(form({ size: '₦1,234' }), context)).toBeNull()
  })
  it('refuse more than the cash and more than is held, and nothing while neither is known', () => {
    const rich = { ...context, cash: units('100000'), held: units('12.5') }
    expect(problemsOf(form({ size: '500000' }), rich)).toEqual({ size: 'You have $100,000.00' })
    expect(problemsOf(form({ size: '100000' }), rich)).toEqual({})
    const sale = form({ side: 'SELL', unit: 'shares', size: '12.51' })
    expect(problemsOf(sale, rich)).toEqual({ size: 'You have 12.5 to sell' })
    expect(problemsOf(sale, { ...rich, held: 0n })).toEqual({ size: 'You have none to sell' })
    expect(problemsOf(sale, context)).toEqual({})
  })
  it('prices are whole hundredths from 1 to 99', () => {
    expect(limitPrice('1')).toBe(10_000n)
    expect(limitPrice('99')).toBe(990_000n)
    for (const wrong of ['0', '100', '3.5', '', 'x']) expect(limitPrice(wrong)).toBeNull()
  })
})

describe('the most that the cash buys', () => {
  it('is all of it at the market, also where shares were to be counted', () => {
    expect(mostOf(form({}), units('99.999'), 2, context)).toEqual({ unit: 'money', size: '99.99' })
    expect(mostOf(form({ unit: 'shares', price: '40' }), units(100), 2, context)).toEqual({ unit: 'money', size: '100' })
  })

  it('leaves room for the fee of a limit order on a book, and none on a pool, whose amount has it in', () => {
    const limit = form({ type: 'LIMIT', unit: 'shares', price: '40' })
    expect(mostOf(limit, units(102), 2, context)).toEqual({ unit: 'shares', size: '250' })
    expect(mostOf({ ...limit, unit: 'money' }, units(102), 2, context)).toEqual({ unit: 'money', size: '100' })
    expect(mostOf(limit, units(1000), 0, { ...context, currency: 'NGN' })).toEqual({ unit: 'shares', size: '25' })
    expect(mostOf({ ...limit, unit: 'money' }, units(102), 2, { ...context, engine: 'AMM' }).size).toBe('102')
  })
})

it('a part is rounded down to what an order can name', () => {
  expect(partOf(10_000_000n, 25)).toBe(2_500_000n)
  expect(partOf(333_333n, 50)).toBe(166_600n)
  expect(partOf(1_234_567n, 100)).toBe(1_234_500n)
})

describe('what a purchase spends by its own terms', () => {
  it('is its money, or its shares at the limit', () => {
    const limit = { type: 'LIMIT', unit: 'shares', size: '1000', price: '40' } as const
    expect(outlayOf(form({ size: '1500' }), { currency: 'USD' })).toBe(units('1500'))
    expect(outlayOf(form(limit), { currency: 'NGN' })).toBe(units('40000'))
  })
  it('is not known of shares at the market, and a sale spends nothing', () => {
    expect(outlayOf(form({ unit: 'shares', size: '10' }), { currency: 'USD' })).toBeNull()
    expect(outlayOf(form({ side: 'SELL', size: '10' }), { currency: 'USD' })).toBeNull()
  })
})
