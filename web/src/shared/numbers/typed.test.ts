// Thousands are set apart while a number is typed.
import { expect, it } from 'vitest'
import { parseInput } from './decimal'
import { caretIn, groupTyped } from './typed'

it('groups thousands and nothing else', () => {
  expect(groupTyped('1234567.8901')).toBe('1,234,567.8901')
  expect(groupTyped('12,34', '12,345')).toBe('1,234')
  expect(groupTyped('.5')).toBe('.5')
  expect(groupTyped('1000.')).toBe('1,000.')
  for (const other of ['', 'x12345', '1.2.3', '-5000']) expect(groupTyped(other)).toBe(other)
})

it('keeps a comma that was typed by hand, so that it is refused and 12,5 does not become 125', () => {
  expect(groupTyped('12,', '12')).toBe('12,')
  expect(groupTyped('12,5', '12,')).toBe('12,5')
  expect(parseInput('12,5')).toBeNull()
  expect(groupTyped('12.5', '12.')).toBe('12.5')
  // Thousands that were typed or pasted are as good as ours.
  expect(groupTyped('12,500', '12,50')).toBe('12,500')
  expect(groupTyped('1,234,567', '')).toBe('1,234,567')
})

it('keeps the caret behind its digit', () => {
  expect(caretIn('1,234', '1234', 4)).toBe(5)
  expect(caretIn('12,345', '1,2345', 4)).toBe(4)
  expect(caretIn('1,234', '1,234', 0)).toBe(0)
})
