// How an account is shut out, let in again and erased, in the words of the buttons and dialogs.
import type { UserState } from '../api/types'
import * as texts from '../texts/users'

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
    label: texts.suspendButton,
    title: (tag) => texts.suspendQuestion(tag),
    action: texts.suspend,
    explanation: texts.theyCanNeitherLog,
    done: texts.theAccountIsSuspended,
  },
  resume: {
    label: texts.resumeButton,
    title: (tag) => texts.letInAgainQuestion(tag),
    action: texts.resume,
    explanation: texts.theyCanLog,
    done: texts.theAccountIsActiveAgain,
  },
  freeze: {
    label: texts.freezeButton,
    title: (tag) => texts.freezeQuestion(tag),
    action: texts.freeze,
    explanation: texts.whatAFreezeDoes,
    done: texts.theAccountIsFrozen,
  },
  release: {
    label: texts.releaseButton,
    title: (tag) => texts.releaseQuestion(tag),
    action: texts.release,
    explanation: texts.theFreezeEndsCancelledOrders,
    done: texts.theAccountIsReleased,
  },
  erase: {
    label: texts.eraseButton,
    title: (tag) => texts.eraseForGoodQuestion(tag),
    action: texts.erase,
    explanation: texts.emailPasswordSessionsAndApi,
    done: texts.thePersonIsErased,
  },
}

/** Whether another person has to agree first. Any operator shuts out at once. */
export function needsAnother(step: Step, twoRequired: boolean): boolean {
  return twoRequired && (step === 'resume' || step === 'release' || step === 'erase')
}
