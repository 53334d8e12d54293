// What sets cost, how many there can be, and what is said about the rest.
import { expect, it } from 'vitest'
import { text, units } from '../../shared/numbers/decimal'
import { moneyOf, problemOf, setsMost } from './compose'

it('counts a set as one dollar or a hundred naira', () => {
  expect(text(moneyOf(units(2.5), 'USD'))).toBe('2.5')
  expect(text(moneyOf(units(2.5), 'NGN'))).toBe('250')
  expect(text(moneyOf(units(0.0001), 'NGN'))).toBe('0.01')
})

it('makes as many as the cash is good for, and burns as many as the smaller side has', () => {
  const none = { yes: 0n, no: 0n }
  expect(setsMost('mint', units('10.00009'), none, 'USD')).toBe(units(10))
  expect(setsMost('mint', units('250.005'), none, 'NGN')).toBe(units('2.5'))
  expect(setsMost('burn', 0n, { yes: units(7), no: units('3.25') }, 'USD')).toBe(units('3.25'))
})

it('does not take what is not known for none', () => {
  expect(setsMost('mint', null, { yes: 0n, no: 0n }, 'USD')).toBeNull()
  expect(setsMost('burn', 0n, { yes: null, no: units(1) }, 'USD')).toBeNull()
  expect(problemOf('11', 'burn', null, 'USD')).toBeUndefined()
})

it('says what is wrong before anything is sent', () => {
  expect(problemOf('', 'mint', null, 'USD')).toBe('How many sets?')
  for (const typed of ['0', '-1', 'ten', '1.00001']) expect(problemOf(typed, 'mint', null, 'USD')).toMatch(/A number/)
  expect(problemOf('1000000001', 'mint', null, 'USD')).toBe('At most $1,000,000,000.00 at once')
  expect(problemOf('10000001', 'mint', null, 'NGN')).toBe('At most ₦1,000,000,000.00 at once')
  expect(problemOf('11', 'mint', units(10), 'USD')).toBe('Your cash makes 10 at most')
  expect(problemOf('11', 'burn', units('10.5'), 'USD')).toBe('You have 10.5 of both sides that no order holds')
  expect(problemOf('10.5', 'burn', units('10.5'), 'USD')).toBeUndefined()
})
