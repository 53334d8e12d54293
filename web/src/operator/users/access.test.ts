import { expect, test } from 'vitest'
import type { UserState } from '../api/types'
import { needsAnother, stepsOn } from './access'

test('an account offers the way in or out that it lacks', () => {
  const user = { suspended: false, frozen: false, erased: false } as UserState
  expect(stepsOn(user)).toEqual(['suspend', 'freeze', 'erase'])
  expect(stepsOn({ ...user, suspended: true, frozen: true })).toEqual(['resume', 'release', 'erase'])
  expect(stepsOn({ ...user, erased: true })).toEqual([])
})

test('shutting out is one person’s act, letting in again and erasing are not', () => {
  const steps = ['suspend', 'resume', 'freeze', 'release', 'erase'] as const
  expect(steps.map((step) => needsAnother(step, true))).toEqual([false, true, false, true, true])
  expect(needsAnother('release', false)).toBe(false)
})
