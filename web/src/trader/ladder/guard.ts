// Why a one-click order is not sent. It has no preview, so it may not be large: the ticket is for those. Pure.
import type { Side } from '../../shared/api/types'
import { multiply, ONE } from '../../shared/numbers/decimal'
import { baseUnit, type Currency, money, shares } from '../../shared/numbers/format'

export interface QuickOrder {
  side: Side
  hundredths: number
  size: bigint
  currency: Currency
  /** What can be spent and sold; null while it is not known. */
  cash: bigint | null
  held: bigint | null
}

export function hindranceOf({ side, hundredths, size, currency, cash, held }: QuickOrder): string | undefined {
  if (side === 'SELL') {
    if (held === null) return 'Your shares are not known yet.'
    return size > held ? `You have ${shares(held)} to sell.` : undefined
  }
  if (cash === null) return 'Your cash is not known yet.'
  const price = (BigInt(hundredths) * ONE) / 100n
  const cost = multiply(multiply(size, price), baseUnit(currency))
  if (cost > cash) return `This takes ${money(cost, currency)}, and you have ${money(cash, currency)}.`
  if (cost * 2n > cash) return `This takes ${money(cost, currency)}, more than half of your cash. Use the ticket for it.`
  return undefined
}
