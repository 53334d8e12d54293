import { expect, test } from 'vitest'
import type { OperatorState } from '../api/types'
import { actsOn, endOf, isNeeded, needsAnother } from './acts'

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

test('an approver is needed while no two other persons could finalise anything', () => {
  const person = (name: string, changed: Partial<OperatorState> = {}) =>
    ({ ...own, operatorId: name, name, role: 'approver', ...changed }) as OperatorState
  const [ada, abel, anna] = [person('ada'), person('abel'), person('anna')]
  expect(isNeeded(abel, [ada, abel], true)).toBe(true)
  expect(isNeeded(abel, [ada, abel], false)).toBe(false)
  expect(isNeeded(abel, [ada, abel, anna], true)).toBe(false)
  const sameAsAda = person('anna', { onePersonWith: ['ada'] })
  expect(isNeeded(abel, [person('ada', { onePersonWith: ['anna'] }), abel, sameAsAda], true)).toBe(true)
  expect(isNeeded(person('otto', { role: 'operator' }), [ada, abel], true)).toBe(false)
})

test('a suspension of thirty days stays within thirty days', () => {
  const now = Date.UTC(2030, 0, 1)
  expect(endOf('0', now)).toBeUndefined()
  expect(Date.parse(endOf('30', now)!) - now).toBeLessThan(30 * 86_400_000)
})
