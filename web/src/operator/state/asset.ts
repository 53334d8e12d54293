// The price of an asset, in whatever it is quoted in: two places where it is large, all of them where it is small.
import { type Decimal, ONE, units } from '../../shared/numbers/decimal'
import { shares } from '../../shared/numbers/format'

export function assetPrice(value: Decimal): string {
  const exact = units(value)
  return shares(exact, exact >= 100n * ONE ? 2 : 6)
}
