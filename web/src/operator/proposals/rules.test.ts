import { expect, test } from 'vitest'
import type { PolicyState, ProposalState } from '../api/types'
import { obstacle, paysAtOnce, verdictWords } from './rules'

const alone: PolicyState = { twoRequired: false, resolutionDelaySeconds: 0, entryMax: {}, dayMax: {} }
const two: PolicyState = { ...alone, twoRequired: true }
const proposal = {
  type: 'resolution',
  proposedBy: 'ada',
  finalFrom: '2035-01-01T00:00:00Z',
} as unknown as ProposalState
const later = Date.parse('2035-01-02T00:00:00Z')

test('where one is enough an operator finalises their own', () => {
  expect(obstacle(proposal, alone, { name: 'ada', role: 'operator' }, later)).toBeNull()
  expect(obstacle(proposal, alone, { name: 'eve', role: 'viewer' }, later)).toContain('viewer')
})

test('where two are required it takes an approver who did not propose it', () => {
  expect(obstacle(proposal, two, { name: 'ada', role: 'approver' }, later)).toContain('another approver')
  expect(obstacle(proposal, two, { name: 'otto', role: 'operator' }, later)).toContain('An approver')
  expect(obstacle(proposal, two, { name: 'bea', role: 'approver' }, later)).toBeNull()
})

test('a policy takes an approver even where one is enough', () => {
  const policy = { ...proposal, type: 'policy' } as ProposalState
  expect(obstacle(policy, alone, { name: 'otto', role: 'operator' }, later)).toContain('approver')
})

test('nothing is final before its time', () => {
  expect(obstacle(proposal, alone, { name: 'ada', role: 'approver' }, 0)).toContain('public')
  expect(paysAtOnce({ ...alone, resolutionDelaySeconds: 60 })).toBe(false)
  expect(paysAtOnce(two)).toBe(false)
  expect(paysAtOnce(alone)).toBe(true)
})

test('a verdict is said in a line', () => {
  expect(verdictWords({ type: 'outcomes', outcomes: [{ marketId: 'm', outcome: 'YES' }] })).toBe('YES')
  expect(verdictWords({ type: 'cancelled', outcomes: [] })).toBe('Called off')
  expect(verdictWords({ type: 'game_result', outcomes: [], score: { home: 2, away: 1 } })).toBe('2 : 1')
})
