// What a position is worth: at the price that the page shows for its outcome, and if all of it were sold now.
import type { Position } from '../../shared/api/types'
import { type Decimal, divide, multiply, units } from '../../shared/numbers/decimal'
import { baseUnit, type Currency } from '../../shared/numbers/format'
import { shownLabel } from '../market/market-view'

export function shownPrice(position: Position): Decimal {
  return position.outcome === 'YES' ? position.market.outcome1Price : position.market.outcome2Price
}

/** At the price that was read with the position, or at a newer one. */
export function shownValue(position: Position, price = shownPrice(position)): bigint {
  return multiply(multiply(units(position.balance), units(price)), baseUnit(position.currency))
}

/** In percent of the cost; nothing without a cost. */
export function gainPercent(position: Position): bigint {
  return divide((shownValue(position) - units(position.cost)) * 100n, units(position.cost))
}

export function labelOf(position: Position): string {
  const { outcome1Label, outcome2Label } = position.market
  return shownLabel((position.outcome === 'YES' ? outcome1Label : outcome2Label) || position.outcome)
}

/** All positions of a currency: at the shown prices, if sold now, and what they cost. */
export function totals(positions: readonly Position[], currency: Currency) {
  const own = positions.filter((position) => position.currency === currency)
  const value = (position: Position) => shownValue(position)
  const sum = (of: (position: Position) => bigint) => own.reduce((total, position) => total + of(position), 0n)
  return {
    value: sum(value),
    sale: sum((position) => units(position.currentValue)),
    cost: sum((position) => units(position.cost)),
  }
}
