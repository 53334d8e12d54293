// Who may finalise what, as the exchange will judge it. Only to show the right buttons: it decides again, and for good.
import type { OperatorState, PolicyState, ProposalState, Role, Verdict } from '../api/types'
import * as texts from '../texts/proposals'

interface Person {
  name: string
  role: Role
}

/** What the exchange goes by, besides the proposal and the person. */
export interface Circumstances {
  policy: PolicyState
  operators: readonly OperatorState[]
  /** Names of approvers whom the machine's owner made in the last 24 hours. */
  breakGlass: readonly string[]
  now: number
}

/** Commands about operators: all that a break-glass approver finalises. */
const ABOUT_OPERATORS = ['create_operator', 'change_role', 'confirm_operator', 'suspend_operator', 'revoke_operator']

export const endsEvents = (proposal: ProposalState) => proposal.type !== 'command'
export const isAboutOperators = (proposal: ProposalState) => ABOUT_OPERATORS.includes(proposal.action ?? '')

/** Names of everyone who may hold this operator's token. */
function holders(name: string, operators: readonly OperatorState[]): Set<string> {
  const known = operators.filter((operator) => operator.name === name)
  return new Set([name, ...known.flatMap((operator) => operator.onePersonWith)])
}

/** The proposer who may be the same person, if there is one. */
function sameAs(proposal: ProposalState, person: Person, operators: readonly OperatorState[]): string | undefined {
  const own = holders(person.name, operators)
  const proposers = [proposal.proposedBy, ...(proposal.alsoBy ?? [])]
  return proposers.find((proposer) => [...holders(proposer, operators)].some((holder) => own.has(holder)))
}

/** Why this person cannot finalise it now; nothing if they can. */
export function obstacle(proposal: ProposalState, person: Person, around: Circumstances): string | null {
  const verdict = endsEvents(proposal)
  if (person.role === 'viewer') return texts.aViewerOnlyLooks
  if (person.role !== 'approver' && (around.policy.twoRequired || !verdict)) return texts.anApproverHasToFinalise
  if (around.breakGlass.includes(person.name))
    return isAboutOperators(proposal) ? null : texts.aBreakGlassApproverFinalises
  const same = sameAs(proposal, person, around.operators)
  // That an operator is a person of its own is never one person's word.
  if (same !== undefined && (around.policy.twoRequired || proposal.action === 'confirm_operator'))
    return same === person.name ? texts.youProposedItAnotherApprover : texts.youCountAsOnePerson(same)
  if (Date.parse(proposal.finalFrom) > around.now) return texts.itStandsInPublic
  return null
}

/** Which of the four lists it stands in. */
export function kindOf(proposal: ProposalState): Kind {
  if (endsEvents(proposal)) return 'verdicts'
  if (isAboutOperators(proposal) || GOVERNANCE.includes(proposal.action ?? '')) return 'operators'
  return MONEY.includes(proposal.action ?? '') ? 'money' : 'users'
}
export type Kind = 'verdicts' | 'operators' | 'money' | 'users'
const GOVERNANCE = ['set_policy', 'change_policy', 'upgrade_rules']
const MONEY = ['credit_wallet', 'debit_wallet', 'move_fees', 'seed_pool', 'grow_pool', 'create_series', 'change_terms']

/** Results that wait because their prices were pushed, by series. */
export function bySeries(proposals: readonly ProposalState[]): { slug: string; results: ProposalState[] }[] {
  const found = new Map<string, ProposalState[]>()
  for (const proposal of proposals) {
    if (proposal.seriesSlug) found.set(proposal.seriesSlug, [...(found.get(proposal.seriesSlug) ?? []), proposal])
  }
  return [...found].map(([slug, results]) => ({ slug, results }))
}

/** Whether one person may pay at once, without a second person and without a delay. */
export function paysAtOnce(policy: PolicyState | undefined): boolean {
  return !!policy && !policy.twoRequired && policy.resolutionDelaySeconds === 0
}

/** The words of a market for its two outcomes. */
export interface Labels {
  yesLabel: string
  noLabel: string
}

/** The exchange gives every market of a series these labels. A proposal does not carry them. */
const SERIES_LABELS: Labels = { yesLabel: texts.up, noLabel: texts.down }
export const labelsOf = (proposal: ProposalState): Labels | undefined =>
  proposal.seriesSlug ? SERIES_LABELS : undefined

/** One line for a list: YES or the market's own label, 2 markets ruled, called off, 2 : 1. */
export function verdictWords(verdict: Verdict, labels?: Labels): string {
  if (verdict.score) return `${verdict.score.home} : ${verdict.score.away}`
  if (verdict.type === 'cancelled') return texts.calledOff
  if (verdict.outcomes.length === 1) {
    const { outcome } = verdict.outcomes[0]!
    return labels ? labels[outcome === 'YES' ? 'yesLabel' : 'noLabel'] : outcome
  }
  return texts.marketsRuled(verdict.outcomes.length)
}
