// Thousands are set apart while a number is typed.
import { expect, it } from 'vitest'
import { parseInput } from './decimal'
import { caretIn, groupsThousands, groupTyped } from './typed'

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

it('groups in the field before its other listeners read it', () => {
  const field = Object.assign(new EventTarget(), {
    value: '123',
    selectionStart: 3,
    setSelectionRange: (from: number) => (field.selectionStart = from),
  })
  const read: string[] = []
  const leave = groupsThousands(field as unknown as HTMLInputElement)
  field.addEventListener('input', () => read.push(field.value))
  const type = (value: string) => {
    field.dispatchEvent(new Event('beforeinput'))
    Object.assign(field, { value, selectionStart: value.length })
    field.dispatchEvent(new Event('input'))
  }
  type('1234')
  expect([read.at(-1), field.selectionStart]).toEqual(['1,234', 5])
  type('1,23')
  expect(read.at(-1)).toBe('123')
  type('12,')
  expect(read.at(-1)).toBe('12,')
  leave?.()
  type('12345')
  expect(read.at(-1)).toBe('12345')
})
