// Prices of assets, which have no currency of ours: as many places as the size asks for.
import { type Decimal, ONE, units } from '../../shared/numbers/decimal'
import { grouped } from '../../shared/numbers/format'

const exact = (value: Decimal | bigint) => (typeof value === 'bigint' ? value : units(value))

function placesOf(price: bigint): number {
  return price < ONE ? 6 : price < 100n * ONE ? 5 : 2
}

export function assetPrice(value: Decimal): string {
  return grouped(exact(value), 0, placesOf(exact(value)))
}

/** How far apart two prices are, without a sign: with the places that such prices have. */
export function assetDistance(distance: bigint, price: Decimal): string {
  return grouped(distance < 0n ? -distance : distance, 0, placesOf(exact(price)))
}
