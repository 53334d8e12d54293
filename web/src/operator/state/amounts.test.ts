import { expect, test } from 'vitest'
import { amountsOf, capWords, changed, feeOf, listText, readAmount, readAmounts, textsOf } from './amounts'

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

test('what has two readings is refused with both, also in a currency', () => {
  expect(readAmount('12,500', 'Amount')).toEqual({ problem: 'Amount: 12,500 can mean 12500 or 12.500. Type the one that you mean.' })
  expect(() => readAmounts({ USD: '', NGN: '1,234' }, 'Minimum')).toThrow('Minimum in NGN: 1,234 can mean')
  expect(readAmount('12,5', 'Amount')).toEqual({ problem: 'Amount: a plain number with at most 6 decimals.' })
  expect(readAmounts({ USD: '$1,234', NGN: '₦1,234.50' }, 'Minimum')).toEqual({ USD: 1234, NGN: 1234.5 })
  expect(() => readAmounts({ USD: '₦5', NGN: '' }, 'Minimum')).toThrow('a plain number')
  expect(feeOf('1.5%')).toBe(1.5)
})

test('a list of numbers is read as it is written', () => {
  expect(listText([1.5, 2.5])).toBe('1.5, 2.5')
  expect(amountsOf(listText([1.5, 2.5]), 'Goals')).toEqual([1.5, 2.5])
  expect(amountsOf('1.5;2.5, 10', 'Goals')).toEqual([1.5, 2.5, 10])
  expect(() => amountsOf('1.5, many', 'Goals')).toThrow('Goals')
})
