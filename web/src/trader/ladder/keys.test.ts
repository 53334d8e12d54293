import { expect, test } from 'vitest'
import { actionOf, KEYS } from './keys'

const press = (key: string, more = {}) => ({
  key,
  repeat: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...more,
})

test('a key alone means its action, in either case', () => {
  expect([actionOf(press('b'), false), actionOf(press('B'), false)]).toEqual(['buy', 'buy'])
  expect(actionOf(press('Escape'), false)).toBe('disarm')
  expect(actionOf(press('3'), false)).toBe('amount3')
  expect(actionOf(press('z'), false)).toBeUndefined()
})

test('no key counts while something is typed, held down or part of a shortcut', () => {
  expect(actionOf(press('b'), true)).toBeUndefined()
  expect(actionOf(press('b', { repeat: true }), false)).toBeUndefined()
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey'])
    expect(actionOf(press('c', { [modifier]: true }), false)).toBeUndefined()
})

test('no two actions share a key', () => {
  expect(new Set(Object.values(KEYS)).size).toBe(Object.keys(KEYS).length)
})
