// What an approver can do with an operator, in the words of the buttons and dialogs.
import type { OperatorState } from '../api/types'

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
    label: 'Change role…',
    title: (name) => `Change the role of ${name}`,
    action: 'Change the role',
    explanation: 'The new role holds from the next request on.',
    done: 'The role is changed',
  },
  confirm: {
    label: 'Confirm person…',
    title: (name) => `Is ${name} a person of its own?`,
    action: 'Propose it',
    explanation:
      'One operator made this operator alone, so both count as one person: neither finalises what the other proposed. Another person confirms that the token belongs to a person who is not its maker.',
    done: 'Confirmed',
  },
  suspend: {
    label: 'Suspend…',
    title: (name) => `Suspend ${name}?`,
    action: 'Suspend',
    explanation: 'The token and all sessions stop working at once. An approver can reinstate the operator later.',
    done: 'Suspended',
  },
  reinstate: {
    label: 'Reinstate…',
    title: (name) => `Reinstate ${name}?`,
    action: 'Reinstate',
    explanation: 'The token works again.',
    done: 'Reinstated',
  },
  revoke: {
    label: 'Revoke…',
    title: (name) => `Revoke ${name}?`,
    action: 'Revoke',
    explanation: 'The token stops working for good. What the operator did stays in the log.',
    done: 'Access ended',
  },
}

/** Whether another person has to agree first. Any approver suspends at once. */
export function needsAnother(act: Act, twoRequired: boolean): boolean {
  return act === 'confirm' || (twoRequired && act !== 'suspend')
}
