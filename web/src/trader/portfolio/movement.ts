// A movement of money in words.
import type { Movement } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'

const WORDS: Record<Movement['type'], string> = {
  BUY: 'Bought',
  SELL: 'Sold',
  MINT: 'Sets made',
  BURN: 'Sets burned',
  PAYOUT: 'Won',
  REFUND: 'Refunded',
  DEPOSIT: 'Deposit',
  WITHDRAWAL: 'Withdrawal',
}

/** A payout of nothing is a loss. */
export function movementWord(movement: Movement): string {
  if (movement.type === 'PAYOUT' && units(movement.amount) === 0n) return 'Lost'
  return WORDS[movement.type] ?? movement.type
}
