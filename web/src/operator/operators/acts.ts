// What an approver can do with an operator, in the words of the buttons and dialogs.
import type { OperatorState } from '../api/types'
import * as texts from '../texts/operators'

export type Act = 'role' | 'confirm' | 'suspend' | 'reinstate' | 'revoke'

/** What can be done with this operator now. */
export function actsOn(operator: OperatorState): Act[] {
  if (operator.revoked) return []
  const confirm: Act[] = operator.onePersonWith.length > 0 ? ['confirm'] : []
  return ['role', ...confirm, operator.suspended ? 'reinstate' : 'suspend', 'revoke']
}

interface Words {
  label: string
  title: (name: string) => string
  /** What the dialog's button says where one person is enough. */
  action: string
  explanation: string
  done: string
}

export const WORDS: Record<Act, Words> = {
  role: {
    label: texts.changeRoleButton,
    title: (name) => texts.changeTheRoleOf(name),
    action: texts.changeTheRole,
    explanation: texts.theNewRoleHolds,
    done: texts.theRoleIsChanged,
  },
  confirm: {
    label: texts.confirmPersonButton,
    title: (name) => texts.isAPersonOfItsOwn(name),
    action: texts.proposeIt,
    explanation: texts.oneOperatorMadeThisOperator,
    done: texts.confirmed,
  },
  suspend: {
    label: texts.suspendButton,
    title: (name) => texts.suspendQuestion(name),
    action: texts.suspend,
    explanation: texts.theTokenAndAllSessions,
    done: texts.suspended,
  },
  reinstate: {
    label: texts.reinstateButton,
    title: (name) => texts.reinstateQuestion(name),
    action: texts.reinstate,
    explanation: texts.theTokenWorksAgain,
    done: texts.reinstated,
  },
  revoke: {
    label: texts.revokeButton,
    title: (name) => texts.revokeQuestion(name),
    action: texts.revoke,
    explanation: texts.theTokenStopsWorking,
    done: texts.accessEnded,
  },
}

/** Whether nothing could be finalised any more without this operator: no two approvers who are different persons are left. */
export function isNeeded(operator: OperatorState, all: readonly OperatorState[], twoRequired: boolean): boolean {
  const active = (one: OperatorState) => one.role === 'approver' && !one.revoked && !one.suspended
  const left = all.filter((one) => active(one) && one.operatorId !== operator.operatorId)
  const two = left.some((one) => left.some((other) => one !== other && !one.onePersonWith.includes(other.name)))
  return twoRequired && active(operator) && !two
}

/** How long a suspension may last that ends by itself, in days; 0 for one without an end. */
export const SUSPENSIONS = ['0', '1', '7', '30'] as const
export type Suspension = (typeof SUSPENSIONS)[number]

/** When a suspension of some days ends. */
export function endOf(days: Suspension, now: number): string | undefined {
  return days === '0' ? undefined : new Date(now + Number(days) * 86_400_000 - 60_000).toISOString()
}

/** Whether another person has to agree first. Any approver suspends at once. */
export function needsAnother(act: Act, twoRequired: boolean): boolean {
  return act === 'confirm' || (twoRequired && act !== 'suspend')
}
