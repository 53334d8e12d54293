// What can be done with an event or a market in each state: the lifecycle as the exchange has it, in the words of the buttons.
import type { Status } from '../api/types'
import * as texts from '../texts/events'

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
    label: texts.openButton,
    action: texts.letItTrade,
    title: texts.letItTradeQuestion,
    explanation: texts.everyoneSeesItFromNow,
    done: texts.itTrades,
  },
  pause: {
    label: texts.pauseButton,
    action: texts.pauseTrading,
    title: texts.pauseTradingQuestion,
    explanation: texts.nothingNewIsTaken,
    done: texts.tradingIsPaused,
  },
  resume: {
    label: texts.resumeButton,
    action: texts.goOnTrading,
    title: texts.goOnTradingQuestion,
    explanation: texts.ordersAreTakenAgain,
    done: texts.itTradesAgain,
  },
  close: {
    label: texts.closeButton,
    action: texts.closeForGood,
    title: texts.closeForGoodQuestion,
    explanation: texts.tradingEndsAndCannot,
    done: texts.tradingIsClosed,
  },
}

export const isOver = (status: Status) => status === 'resolved' || status === 'cancelled'
