// The price of an asset, without a currency: two decimals for large prices, up to six for small ones.
import { type Decimal, ONE, units } from '../../shared/numbers/decimal'
import { shares } from '../../shared/numbers/format'

export function assetPrice(value: Decimal): string {
  const exact = units(value)
  return shares(exact, exact >= 100n * ONE ? 2 : 6)
}
