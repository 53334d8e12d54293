// An activity in words and numbers. An order on the market is told by what became of it, not by what was asked for.
import type { Activity } from '../../shared/api/types'
import { type Decimal, units } from '../../shared/numbers/decimal'
import * as texts from '../texts/portfolio'

const WORDS: Record<Activity['type'], string> = {
  BUY_MARKET_ORDER_CREATED: texts.bought,
  SELL_MARKET_ORDER_CREATED: texts.sold,
  BUY_TRADE_FILL: texts.bought,
  SELL_TRADE_FILL: texts.sold,
  BUY_LIMIT_ORDER_CREATED: texts.bidPlaced,
  BUY_LIMIT_ORDER_CANCELLED: texts.bidCancelled,
  BUY_LIMIT_ORDER_EXPIRED: texts.bidExpired,
  SELL_LIMIT_ORDER_CREATED: texts.offerPlaced,
  SELL_LIMIT_ORDER_CANCELLED: texts.offerCancelled,
  SELL_LIMIT_ORDER_EXPIRED: texts.offerExpired,
  PAYOUT_WIN: texts.won,
  PAYOUT_LOSS: texts.lost,
  BUY_REFUND: texts.refunded,
  MINT: texts.setsMade,
  BURN: texts.setsBurned,
}

export interface Told {
  word: string
  /** Nothing where it is about both. */
  outcome: Activity['outcome'] | undefined
  shares: Decimal
  /** What it did to the wallet: below zero where money left it. Nothing where none moved. */
  money: bigint | undefined
}

/** Money that left the wallet; what comes back of an order and what is paid out came into it. */
const SPENT: ReadonlySet<Activity['type']> = new Set([
  'BUY_MARKET_ORDER_CREATED',
  'BUY_TRADE_FILL',
  'BUY_LIMIT_ORDER_CREATED',
  'MINT',
])

export function told(activity: Activity): Told {
  const word = WORDS[activity.type] ?? activity.type
  const { outcome } = activity
  const moved = units(activity.payout ?? activity.amountRefunded ?? activity.amountEarned ?? activity.totalCost)
  const money = signed(activity.type, moved)
  switch (activity.type) {
    case 'BUY_MARKET_ORDER_CREATED':
    case 'SELL_MARKET_ORDER_CREATED': {
      const filled = activity.filledSize ?? activity.size
      if (units(filled) > 0n) return { word, outcome, shares: filled, money }
      return { word: texts.nothingOf(word.toLowerCase()), outcome, shares: activity.size, money: undefined }
    }
    case 'PAYOUT_LOSS':
      return { word, outcome, shares: activity.size, money: undefined }
    case 'MINT':
    case 'BURN':
      return { word, outcome: undefined, shares: activity.size, money: signed(activity.type, units(activity.amount)) }
    default:
      return { word, outcome, shares: activity.size, money }
  }
}

function signed(type: Activity['type'], moved: bigint): bigint | undefined {
  if (moved === 0n) return undefined
  return SPENT.has(type) ? -moved : moved
}
