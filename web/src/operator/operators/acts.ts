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

/** Whether another person has to agree first. Any approver suspends at once. */
export function needsAnother(act: Act, twoRequired: boolean): boolean {
  return act === 'confirm' || (twoRequired && act !== 'suspend')
}
