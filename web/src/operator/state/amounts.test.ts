import { expect, test } from 'vitest'
import { capWords, changed, readAmount, readAmounts, textsOf } from './amounts'

test('empty fields are left out', () => {
  expect(readAmounts({ USD: '2.50', NGN: '' }, 'Minimum')).toEqual({ USD: 2.5 })
  expect(readAmounts({ USD: '', NGN: ' ' }, 'Minimum')).toBeUndefined()
})

test('what is no number is named', () => {
  expect(readAmount('2x', 'Amount')).toEqual({ problem: 'Amount: a plain number with at most 6 decimals.' })
  expect(() => readAmounts({ USD: 'many', NGN: '' }, 'Minimum')).toThrow('Minimum in USD')
})

test('the largest sum there can be is no cap', () => {
  expect(capWords('4611686018427.387904', 'USD')).toBe('no cap')
  expect(capWords(1000, 'USD')).toBe('$1,000.00')
})

test('only what was changed is sent', () => {
  const before = textsOf({ USD: 1, NGN: 100 })
  expect(changed({ USD: '1', NGN: '200' }, before)).toEqual({ USD: '', NGN: '200' })
})
