// Shares of an outcome among the positions that were read. Pure. Positions that are not known are `undefined`, which is not the
// same as none.
import type { OutcomeSide, Position } from '../../shared/api/types'
import { units } from '../../shared/numbers/decimal'
import type { Currency } from '../../shared/numbers/format'

export interface Holding {
  marketId: string
  outcome: OutcomeSide
  currency: Currency
}

type Known = readonly Position[] | undefined

export function holdingOf(positions: Known, { marketId, outcome, currency }: Holding): Position | undefined {
  return positions?.find((one) => one.market.id === marketId && one.outcome === outcome && one.currency === currency)
}

/** The shares that no order holds; null while they are not known. */
export function freeOf(positions: Known, of: Holding): bigint | null {
  return positions ? units(holdingOf(positions, of)?.availableBalance ?? 0) : null
}
