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
  /** Nothing where no money moved and none was to. */
  money: Decimal | undefined
}

export function told(activity: Activity): Told {
  const word = WORDS[activity.type] ?? activity.type
  const { outcome } = activity
  const money = activity.payout ?? activity.amountRefunded ?? activity.amountEarned ?? activity.totalCost
  switch (activity.type) {
    case 'BUY_MARKET_ORDER_CREATED':
    case 'SELL_MARKET_ORDER_CREATED': {
      const filled = activity.filledSize ?? activity.size
      if (units(filled) > 0n) return { word, outcome, shares: filled, money }
      return { word: `Nothing ${word.toLowerCase()}`, outcome, shares: activity.size, money: undefined }
    }
    case 'BUY_LIMIT_ORDER_CREATED':
    case 'SELL_LIMIT_ORDER_CREATED':
      return { word, outcome, shares: activity.size, money: units(money) === 0n ? undefined : money }
    case 'MINT':
    case 'BURN':
      return { word, outcome: undefined, shares: activity.size, money: activity.amount }
    default:
      return { word, outcome, shares: activity.size, money }
  }
}
