// Who may finalise what, as the exchange will judge it. Only to show the right buttons: it decides again, and for good.
import type { PolicyState, ProposalState, Role, Verdict } from '../api/types'

interface Person {
  name: string
  role: Role
}

/** Why this person cannot finalise it now; nothing if they can. */
export function obstacle(proposal: ProposalState, policy: PolicyState, person: Person, now: number): string | null {
  const pays = proposal.type === 'resolution' || proposal.type === 'game_result'
  if (person.role === 'viewer') return 'A viewer only looks.'
  if (person.role !== 'approver' && (policy.twoRequired || !pays)) return 'An approver has to finalise it.'
  if (policy.twoRequired && proposal.proposedBy === person.name)
    return 'You proposed it: another approver has to finalise it.'
  if (Date.parse(proposal.finalFrom) > now) return 'It stands in public until its time has come.'
  return null
}

/** Whether one person may pay at once, without anybody else and without a delay. */
export function paysAtOnce(policy: PolicyState | undefined): boolean {
  return !!policy && !policy.twoRequired && policy.resolutionDelaySeconds === 0
}

/** One line for a list: YES, 2 of 3 markets ruled, called off, 2 : 1. */
export function verdictWords(verdict: Verdict): string {
  if (verdict.score) return `${verdict.score.home} : ${verdict.score.away}`
  if (verdict.type === 'cancelled') return 'Called off'
  if (verdict.outcomes.length === 1) return verdict.outcomes[0]!.outcome
  return `${verdict.outcomes.length} markets ruled`
}
