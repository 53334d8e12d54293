// Prices of assets, which have no currency of ours: as many places as the size asks for.
import { type Decimal, ONE, units } from '../../shared/numbers/decimal'
import { shares } from '../../shared/numbers/format'

export function assetPrice(value: Decimal): string {
  const exact = units(value)
  return shares(exact, exact < 100n * ONE ? 5 : 2)
}
