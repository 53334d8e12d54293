// Thousands are set apart while a number is typed.
import { expect, it } from 'vitest'
import { caretIn, groupTyped } from './typed'

it('groups thousands and nothing else', () => {
  expect(groupTyped('1234567.8901')).toBe('1,234,567.8901')
  expect(groupTyped('12,34')).toBe('1,234')
  expect(groupTyped('.5')).toBe('.5')
  expect(groupTyped('1000.')).toBe('1,000.')
  for (const other of ['', 'x12345', '1.2.3', '-5000']) expect(groupTyped(other)).toBe(other)
})

it('keeps the caret behind its digit', () => {
  expect(caretIn('1,234', '1234', 4)).toBe(5)
  expect(caretIn('12,345', '1,2345', 4)).toBe(4)
  expect(caretIn('1,234', '1,234', 0)).toBe(0)
})
