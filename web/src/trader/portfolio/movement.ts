// A movement of money in words.
import type { Movement } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import * as texts from '../texts/portfolio'

const WORDS: Record<Movement['type'], string> = {
  BUY: texts.bought,
  SELL: texts.sold,
  MINT: texts.setsMade,
  BURN: texts.setsBurned,
  PAYOUT: texts.won,
  REFUND: texts.refunded,
  DEPOSIT: texts.deposit,
  WITHDRAWAL: texts.withdrawal,
}

/** A payout of nothing is a loss. */
export function movementWord(movement: Movement): string {
  if (movement.type === 'PAYOUT' && units(movement.amount) === 0n) return texts.lost
  return WORDS[movement.type] ?? movement.type
}
