// A trade from its reader's side, in words.
import type { Trade } from '../../shared/api/types'

const KINDS: Record<Trade['matchType'], string> = {
  DIRECT: 'direct',
  MINT: 'new pair',
  MERGE: 'pair given up',
  POOL: 'pool',
}

export function isTaker(trade: Trade, userId: string): boolean {
  return trade.takerUserId === userId
}

export function roleOf(trade: Trade, userId: string): string {
  if (!isTaker(trade, userId)) return 'Rested in the book'
  const way = `${trade.takerSide === 'BUY' ? 'buying' : 'selling'} ${trade.outcome}`
  return trade.engine === 'AMM' ? `With the pool, ${way}` : `Took, ${way}`
}

export function kindOf(trade: Trade): string {
  return KINDS[trade.matchType] ?? trade.matchType
}
