import { expect, test } from 'vitest'
import type { OperatorState, PolicyState, ProposalState } from '../api/types'
import { bySeries, kindOf, labelsOf, obstacle, paysAtOnce, verdictWords } from './rules'

const alone: PolicyState = {
  twoRequired: false,
  resolutionDelaySeconds: 0,
  entryMax: {},
  dayMax: {},
  retireAfterSeconds: 172800,
}
const two: PolicyState = { ...alone, twoRequired: true }
const proposal = {
  type: 'resolution',
  proposedBy: 'ada',
  finalFrom: '2035-01-01T00:00:00Z',
} as unknown as ProposalState
const about = (action: string) => ({ ...proposal, type: 'command', action }) as ProposalState
const later = Date.parse('2035-01-02T00:00:00Z')
const operator = (name: string, onePersonWith: string[] = []) => ({ name, onePersonWith }) as unknown as OperatorState
const around = (policy: PolicyState, operators: OperatorState[] = [], breakGlass: string[] = [], now = later) => ({
  policy,
  operators,
  breakGlass,
  now,
})
const approver = (name: string) => ({ name, role: 'approver' as const })

test('where one is enough an operator finalises their own', () => {
  expect(obstacle(proposal, { name: 'ada', role: 'operator' }, around(alone))).toBeNull()
  expect(obstacle(proposal, { name: 'eve', role: 'viewer' }, around(alone))).toContain('viewer')
})

test('where two are required it takes an approver who did not propose it', () => {
  expect(obstacle(proposal, approver('ada'), around(two))).toContain('another approver')
  expect(obstacle(proposal, { name: 'otto', role: 'operator' }, around(two))).toContain('An approver')
  expect(obstacle(proposal, approver('bea'), around(two))).toBeNull()
})

test('persons count, not names', () => {
  const made = [operator('ada'), operator('bea', ['ada']), operator('cleo', ['ada', 'bea']), operator('dora')]
  expect(obstacle(proposal, approver('bea'), around(two, made))).toContain('one person with ada')
  expect(obstacle({ ...proposal, proposedBy: 'cleo' }, approver('bea'), around(two, made))).toContain('cleo')
  expect(obstacle(proposal, approver('dora'), around(two, made))).toBeNull()
  expect(obstacle({ ...proposal, proposedBy: 'node', alsoBy: ['bea'] }, approver('ada'), around(two, made))).toContain(
    'bea',
  )
})

test('a command takes an approver even where one is enough', () => {
  expect(obstacle(about('set_policy'), { name: 'otto', role: 'operator' }, around(alone))).toContain('approver')
  expect(obstacle(about('credit_wallet'), approver('ada'), around(alone))).toBeNull()
})

test('that an operator is a person of its own takes two persons always', () => {
  expect(obstacle(about('confirm_operator'), approver('ada'), around(alone))).toContain('You proposed it')
  expect(obstacle(about('confirm_operator'), approver('bea'), around(alone))).toBeNull()
})

test('break-glass is for operators only, and there it needs no other person', () => {
  const rescue = around(two, [], ['ada'])
  expect(obstacle(about('create_operator'), approver('ada'), rescue)).toBeNull()
  expect(obstacle(about('move_fees'), approver('ada'), rescue)).toContain('break-glass')
  expect(obstacle(proposal, approver('ada'), rescue)).toContain('break-glass')
})

test('nothing is final before its time', () => {
  expect(obstacle(proposal, approver('ada'), around(alone, [], [], 0))).toContain('public')
  expect(paysAtOnce({ ...alone, resolutionDelaySeconds: 60 })).toBe(false)
  expect(paysAtOnce(two)).toBe(false)
  expect(paysAtOnce(alone)).toBe(true)
})

test('proposals are sorted by what they are about', () => {
  expect(kindOf(proposal)).toBe('verdicts')
  const actions = ['change_role', 'set_policy', 'grow_pool', 'move_fees', 'freeze_user']
  const kinds = actions.map((action) => kindOf(about(action)))
  expect(kinds).toEqual(['operators', 'operators', 'money', 'money', 'users'])
})

test('results of a series stand together', () => {
  const result = (proposalId: string, seriesSlug?: string) => ({ ...proposal, proposalId, seriesSlug }) as ProposalState
  const [one, two, three] = [result('1', 'btc'), result('2'), result('3', 'btc')]
  expect(bySeries([one, two, three])).toEqual([{ slug: 'btc', results: [one, three] }])
})

test('a result of a series has the labels of its market', () => {
  const result = { ...proposal, seriesSlug: 'btc' } as ProposalState
  const words = (outcome: 'YES' | 'NO') =>
    verdictWords({ type: 'outcomes', outcomes: [{ marketId: 'm', outcome }] }, labelsOf(result))
  expect([words('YES'), words('NO')]).toEqual(['Up', 'Down'])
  expect(labelsOf(proposal)).toBeUndefined()
})

test('a verdict is said in a line', () => {
  expect(verdictWords({ type: 'outcomes', outcomes: [{ marketId: 'm', outcome: 'YES' }] })).toBe('YES')
  expect(verdictWords({ type: 'cancelled', outcomes: [] })).toBe('Called off')
  expect(verdictWords({ type: 'game_result', outcomes: [], score: { home: 2, away: 1 } })).toBe('2 : 1')
})
