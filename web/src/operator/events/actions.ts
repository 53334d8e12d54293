// What can be done with an event or a market in each state: the lifecycle as the exchange has it, in the words of the buttons.
import type { Status } from '../api/types'

export type Step = 'open' | 'pause' | 'resume' | 'close'

export const STEPS: Record<Status, Step[]> = {
  draft: ['open'],
  open: ['pause', 'close'],
  paused: ['resume', 'close'],
  closed: [],
  resolved: [],
  cancelled: [],
}

interface Words {
  label: string
  /** What the dialog's button says. */
  action: string
  title: string
  explanation: string
  done: string
}

export const WORDS: Record<Step, Words> = {
  open: {
    label: 'Open…',
    action: 'Let it trade',
    title: 'Let it trade?',
    explanation: 'Everyone sees it from now on. What people trade on cannot be edited any more.',
    done: 'It trades',
  },
  pause: {
    label: 'Pause…',
    action: 'Pause trading',
    title: 'Pause trading?',
    explanation: 'Nothing new is taken. What rests stays and can be cancelled.',
    done: 'Trading is paused',
  },
  resume: {
    label: 'Resume…',
    action: 'Go on trading',
    title: 'Go on trading?',
    explanation: 'Orders are taken again, and what rested trades again.',
    done: 'It trades again',
  },
  close: {
    label: 'Close…',
    action: 'Close for good',
    title: 'Close for good?',
    explanation: 'Trading ends and cannot be taken up again. What rests is refunded.',
    done: 'Trading is closed',
  },
}

export const isOver = (status: Status) => status === 'resolved' || status === 'cancelled'
