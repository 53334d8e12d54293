import { expect, test } from 'vitest'
import type { OperatorState } from '../api/types'
import { actsOn, needsAnother } from './acts'

const own = { revoked: false, suspended: false, onePersonWith: [] as string[] } as OperatorState

test('an operator offers what its state allows', () => {
  expect(actsOn(own)).toEqual(['role', 'suspend', 'revoke'])
  expect(actsOn({ ...own, suspended: true })).toEqual(['role', 'reinstate', 'revoke'])
  expect(actsOn({ ...own, onePersonWith: ['ada'] })).toContain('confirm')
  expect(actsOn({ ...own, revoked: true })).toEqual([])
})

test('only a suspension needs no other person where two are required', () => {
  const all = ['role', 'confirm', 'suspend', 'reinstate', 'revoke'] as const
  expect(all.filter((act) => needsAnother(act, true))).toEqual(['role', 'confirm', 'reinstate', 'revoke'])
  expect(needsAnother('role', false)).toBe(false)
  expect(needsAnother('confirm', false)).toBe(true)
})
