import { expect, test } from 'vitest'
import { fromField, toField } from './dates'

test('a date goes through a field and comes back', () => {
  const date = '2035-07-01T09:30:00.000Z'
  expect(fromField(toField(date))).toBe(date)
})

test('no date stays none', () => {
  expect(toField('')).toBe('')
  expect(toField(undefined)).toBe('')
  expect(fromField('')).toBeUndefined()
})
