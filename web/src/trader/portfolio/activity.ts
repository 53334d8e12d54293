// An activity in words and numbers. An order on the market is told by what became of it, not by what was asked for.
import type { Activity } from '../../shared/api/types'
import { type Decimal, units } from '../../shared/numbers/decimal'

const WORDS: Record<Activity['type'], string> = {
  BUY_MARKET_ORDER_CREATED: 'Bought',
  SELL_MARKET_ORDER_CREATED: 'Sold',
  BUY_TRADE_FILL: 'Bought',
  SELL_TRADE_FILL: 'Sold',
  BUY_LIMIT_ORDER_CREATED: 'Bid placed',
  BUY_LIMIT_ORDER_CANCELLED: 'Bid cancelled',
  BUY_LIMIT_ORDER_EXPIRED: 'Bid expired',
  SELL_LIMIT_ORDER_CREATED: 'Offer placed',
  SELL_LIMIT_ORDER_CANCELLED: 'Offer cancelled',
  SELL_LIMIT_ORDER_EXPIRED: 'Offer expired',
  PAYOUT_WIN: 'Won',
  PAYOUT_LOSS: 'Lost',
  BUY_REFUND: 'Refunded',
  MINT: 'Sets made',
  BURN: 'Sets burned',
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
      return { word: `Nothing ${word.toLowerCase()}`, outcome, shares: activity.size, money: undefined }
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
