// What the ticket sends, and what it refuses to send.
import { describe, expect, it } from 'vitest'
import { compose, emptyForm, limitPrice, limitShares, mostOf, problemsOf, type Context, type Form } from './compose'
import { text, units } from '../../shared/numbers/decimal'

const context: Context = { outcomeId: 'O', currency: 'USD', engine: 'CLOB', minimum: 1_000_000n, now: 0 }
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
  it('counts its shares as the exchange does', () => {
    expect(text(limitShares(form({ type: 'LIMIT', size: '10', price: '36' }), 'USD')!)).toBe('27.7777')
    expect(text(limitShares(form({ type: 'LIMIT', size: '100', price: '1' }), 'NGN')!)).toBe('100')
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
