// How an account is shut out, let in again and erased, in the words of the buttons and dialogs.
import type { UserState } from '../api/types'

export type Step = 'suspend' | 'resume' | 'freeze' | 'release' | 'erase'

/** What can be done with this account now. */
export function stepsOn(user: UserState): Step[] {
  if (user.erased) return []
  return [user.suspended ? 'resume' : 'suspend', user.frozen ? 'release' : 'freeze', 'erase']
}

interface Words {
  label: string
  title: (tag: string) => string
  action: string
  explanation: string
  done: string
}

export const WORDS: Record<Step, Words> = {
  suspend: {
    label: 'Suspend…',
    title: (tag) => `Suspend ${tag}?`,
    action: 'Suspend',
    explanation: 'They can neither log in nor trade. Money can still be credited and debited.',
    done: 'The account is suspended',
  },
  resume: {
    label: 'Resume…',
    title: (tag) => `Let ${tag} in again?`,
    action: 'Resume',
    explanation: 'They can log in and trade again.',
    done: 'The account is active again',
  },
  freeze: {
    label: 'Freeze…',
    title: (tag) => `Freeze ${tag}?`,
    action: 'Freeze',
    explanation:
      'Their sessions end and their open orders are cancelled. Every command of theirs is refused, and every credit and debit. Markets still settle and pay into the wallet.',
    done: 'The account is frozen',
  },
  release: {
    label: 'Release…',
    title: (tag) => `Release ${tag}?`,
    action: 'Release',
    explanation: 'The freeze ends. Cancelled orders do not come back.',
    done: 'The account is released',
  },
  erase: {
    label: 'Erase…',
    title: (tag) => `Erase ${tag} for good?`,
    action: 'Erase',
    explanation:
      'Email, password, sessions and API keys are gone for good, and the email address is free again. The account must be empty: no money, no shares, no open orders. Trades keep an id that says nothing.',
    done: 'The person is erased',
  },
}

/** Whether another person has to agree first. Any operator shuts out at once. */
export function needsAnother(step: Step, twoRequired: boolean): boolean {
  return twoRequired && (step === 'resume' || step === 'release' || step === 'erase')
}
