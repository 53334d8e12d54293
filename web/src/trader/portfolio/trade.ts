// A trade from its reader's side, in words.
import type { OutcomeSide, Side, Trade } from '../../shared/api/types'
import * as texts from '../texts/portfolio'

/** What a role does not say yet. */
const KINDS: Record<Trade['matchType'], string> = {
  DIRECT: texts.direct,
  MINT: texts.newPair,
  MERGE: texts.pairGivenUp,
  POOL: '',
}

export function isTaker(trade: Trade, userId: string): boolean {
  return trade.takerUserId === userId
}

/** What the reader did: a maker of a new pair bought the other outcome, a maker of a direct trade was its other side. */
export function ownSide(trade: Trade, userId: string): { side: Side; outcome: OutcomeSide } {
  if (isTaker(trade, userId)) return { side: trade.takerSide, outcome: trade.outcome }
  const other = trade.outcome === 'YES' ? 'NO' : 'YES'
  const outcome = trade.makerOutcomeId === trade.takerOutcomeId ? trade.outcome : other
  if (trade.matchType === 'MINT') return { side: 'BUY', outcome }
  if (trade.matchType === 'MERGE') return { side: 'SELL', outcome }
  return { side: trade.takerSide === 'BUY' ? 'SELL' : 'BUY', outcome }
}

export function roleOf(trade: Trade, userId: string): string {
  if (trade.engine === 'AMM') return texts.withThePool
  return isTaker(trade, userId) ? texts.tookFromTheBook : texts.restedInTheBook
}

export function kindOf(trade: Trade): string {
  return KINDS[trade.matchType] ?? trade.matchType
}
