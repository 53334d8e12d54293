import { expect, test } from 'vitest'
import type { UserState } from '../api/types'
import { needsAnother, stepsOn } from './access'

test('an account offers the way in or out that it lacks', () => {
  const user = { suspended: false, frozen: false } as UserState
  expect(stepsOn(user)).toEqual(['suspend', 'freeze'])
  expect(stepsOn({ ...user, suspended: true, frozen: true })).toEqual(['resume', 'release'])
})

test('shutting out is one person’s act, letting in again is not', () => {
  expect((['suspend', 'resume', 'freeze', 'release'] as const).map((step) => needsAnother(step, true))).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect(needsAnother('release', false)).toBe(false)
})
