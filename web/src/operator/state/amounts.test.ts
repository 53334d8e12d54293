import { expect, test } from 'vitest'
import { capWords, changed, groupedAmount, readAmount, readAmounts, textsOf, typedAmount } from './amounts'

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

/** Types each key at the end of what the field shows. */
function type(keys: string, begin = '') {
  let value = begin
  for (const key of keys) value = typedAmount(groupedAmount(value) + key, value)
  return [groupedAmount(value), value]
}

test('thousands are set apart while an amount is typed, and the amount has no commas', () => {
  expect(type('1234567.89')).toEqual(['1,234,567.89', '1234567.89'])
  expect(type('0', '5000')).toEqual(['50,000', '50000'])
  expect(groupedAmount(textsOf({ USD: 25_000, NGN: 1 }).USD)).toBe('25,000')
  // What was typed over is the amount that was there before.
  expect(changed({ USD: typedAmount('5,000', '500'), NGN: '' }, { USD: '5000', NGN: '' }).USD).toBe('')
})

test('a key taken away in the middle groups anew', () => {
  expect(typedAmount('12,34', '12345')).toBe('1234')
  expect(typedAmount('', '1')).toBe('')
})

test('a comma for decimals is kept and refused', () => {
  expect(type('12,5')).toEqual(['12,5', '12,5'])
  expect(readAmount('12,5', 'Amount')).toEqual({ problem: 'Amount: a plain number with at most 6 decimals.' })
  expect(type('12,500')).toEqual(['12,500', '12500'])
  expect(type('many')).toEqual(['many', 'many'])
})
